import type { ColumnKind } from '../tables/kind.ts';
import type { Dialect } from './dialect.ts';

/** Kind of the values in a column of a view. */
export type ViewKind = ColumnKind | `${ColumnKind} not null`;

/**
 * A view. It has its columns in their order, each with the kind and the SQL of its values. `from` is the SQL after the
 * columns.
 */
export interface View {
  name: string;
  /** Meaning of a row. */
  doc: string;
  columns: Readonly<Record<string, readonly [kind: ViewKind, sql: string]>>;
  from: string;
}

/** Makes a view. An existing view is replaced. */
export function makeView({ replaceView }: Dialect, { name, columns, from }: View): string[] {
  const selected = Object.entries(columns).map(([column, [, sql]]) => `${sql} AS ${column}`);
  return replaceView(name, `SELECT\n  ${selected.join(',\n  ')}\n${from}`);
}

/** Views for the most common questions. */
export function views(dialect: Dialect): View[] {
  return [pickups(dialect), delays(dialect)];
}

/** Add new columns at the end: PostgreSQL can replace a view only if its existing columns stay in their places. */
function pickups({ name }: Dialect): View {
  // If a container continues inland, it is at the port first. Until it leaves the port, its pickup facility is the
  // inland ramp, which it has not reached yet.
  const awaitsTrain = `c.stage = 'at_port' AND c.final_destination_timezone IS NOT NULL`;
  const facility = (column: string) => `coalesce(f.${column}, r.${column})`;
  const ofPlace = (port: string, inland: string) =>
    `CASE WHEN ${awaitsTrain} THEN coalesce(${port}, ${inland}) ELSE coalesce(${inland}, ${port}) END`;
  const firmsCode = `CASE WHEN ${ofPlace('t.id', facility('id'))} = ${facility('id')} THEN ${facility('firms_code')} ELSE t.firms_code END`;
  return {
    name: 'pickups',
    doc: 'The containers that are at a terminal and were not collected yet. The columns have the terminal, the holds, and the earliest last free day at the terminal (free until the end of that day).',
    columns: {
      container_id: ['text not null', 'c.id'],
      number: ['text', 'c.number'],
      current_status: ['text', 'c.current_status'],
      ready_for_pickup: ['boolean', 'c.ready_for_pickup'],
      last_free_day: ['date', 'c.last_free_day'],
      pickup_appointment_at: ['timestamp', 'c.pickup_appointment_at'],
      terminal: ['text', ofPlace('t.name', facility('name'))],
      firms_code: ['text', firmsCode],
      location_at_terminal: ['text', 'c.location_at_pod_terminal'],
      timezone: ['text', ofPlace('c.pod_timezone', 'c.final_destination_timezone')],
      holds: ['json', 'c.holds_at_pod_terminal'],
      fees: ['json', 'c.fees_at_pod_terminal'],
      discharged_at: ['timestamp', 'c.pod_discharged_at'],
      checked_at: ['timestamp', 'c.terminal_checked_at'],
      shipment_id: ['text', 'c.shipment_id'],
      bill_of_lading_number: ['text', 's.bill_of_lading_number'],
      ref_numbers: ['json', 's.ref_numbers'],
      shipping_line_name: ['text', 's.shipping_line_name'],
      customer_name: ['text', 's.customer_name'],
      stage: ['text not null', 'c.stage'],
      pickup: ['text', 'c.pickup'],
      last_free_day_source: ['text', 'c.last_free_day_source'],
      last_free_day_timezone: ['text', 'c.last_free_day_timezone'],
    },
    from: `FROM ${name('containers')} c
LEFT JOIN ${name('shipments')} s ON s.id = c.shipment_id
LEFT JOIN ${name('terminals')} t ON t.id = c.pod_terminal_id
LEFT JOIN ${name('terminals')} f ON f.id = c.pickup_facility_id
LEFT JOIN ${name('rail_terminals')} r ON r.id = c.pickup_facility_id
WHERE c.deleted_at IS NULL AND c.record IS NOT NULL AND c.stage IN ('at_port', 'at_inland')`,
  };
}

function delays({ name, days }: Dialect): View {
  const departure = 'coalesce(s.pol_atd_at, s.pol_etd_at)';
  const arrival = 'coalesce(s.pod_ata_at, s.pod_eta_at)';
  const destination = 'coalesce(s.destination_ata_at, s.destination_eta_at)';
  return {
    name: 'delays',
    doc: 'The shipments that leave or arrive later than the first estimate, with the delay in days. The delay is computed from the actual time if it is known, otherwise from the latest estimate.',
    columns: {
      shipment_id: ['text not null', 's.id'],
      bill_of_lading_number: ['text', 's.bill_of_lading_number'],
      ref_numbers: ['json', 's.ref_numbers'],
      shipping_line_name: ['text', 's.shipping_line_name'],
      customer_name: ['text', 's.customer_name'],
      port_of_lading_name: ['text', 's.port_of_lading_name'],
      port_of_discharge_name: ['text', 's.port_of_discharge_name'],
      destination_name: ['text', 's.destination_name'],
      pod_vessel_name: ['text', 's.pod_vessel_name'],
      original_departure_at: ['timestamp', 's.pol_original_etd_at'],
      departure_at: ['timestamp', departure],
      departure_days_late: ['number', days(departure, 's.pol_original_etd_at')],
      original_arrival_at: ['timestamp', 's.pod_original_eta_at'],
      arrival_at: ['timestamp', arrival],
      arrival_days_late: ['number', days(arrival, 's.pod_original_eta_at')],
      original_destination_at: ['timestamp', 's.destination_original_eta_at'],
      destination_at: ['timestamp', destination],
      destination_days_late: ['number', days(destination, 's.destination_original_eta_at')],
      has_arrived: ['boolean not null', 's.pod_ata_at IS NOT NULL'],
    },
    from: `FROM ${name('shipments')} s
WHERE s.deleted_at IS NULL AND (
  ${departure} > s.pol_original_etd_at
  OR ${arrival} > s.pod_original_eta_at
  OR ${destination} > s.destination_original_eta_at
)`,
  };
}
