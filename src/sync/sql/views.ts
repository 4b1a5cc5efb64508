import type { Dialect } from './dialect.ts';

/** Views for the most common questions. Existing views are replaced. */
export function views(dialect: Dialect): string[] {
  return [...dialect.replaceView('pickups', pickups(dialect)), ...dialect.replaceView('delays', delays(dialect))];
}

/**
 * `pickups`: the containers that are at a terminal and were not picked up yet, one for each row, with the terminal, the
 * end of the earliest last free day there, and the holds. New columns must come last: otherwise PostgreSQL cannot
 * replace the view.
 */
function pickups({ name }: Dialect): string {
  // A container that goes inland is at the port first. Its `pickup_facility` is then the rail terminal that it has not
  // reached yet.
  const awaitsTrain = `c.stage = 'at_port' AND c.final_destination_timezone IS NOT NULL`;
  const facility = (column: string) => `coalesce(f.${column}, r.${column})`;
  const ofPlace = (port: string, inland: string) =>
    `CASE WHEN ${awaitsTrain} THEN coalesce(${port}, ${inland}) ELSE coalesce(${inland}, ${port}) END`;
  return `SELECT
  c.id AS container_id,
  c.number,
  c.current_status,
  c.ready_for_pickup,
  c.last_free_day,
  c.pickup_appointment_at,
  ${ofPlace('t.name', facility('name'))} AS terminal,
  CASE WHEN ${ofPlace('t.id', facility('id'))} = ${facility('id')} THEN ${facility('firms_code')} ELSE t.firms_code END AS firms_code,
  c.location_at_pod_terminal AS location_at_terminal,
  ${ofPlace('c.pod_timezone', 'c.final_destination_timezone')} AS timezone,
  c.holds_at_pod_terminal AS holds,
  c.fees_at_pod_terminal AS fees,
  c.pod_discharged_at AS discharged_at,
  c.terminal_checked_at AS checked_at,
  c.shipment_id,
  s.bill_of_lading_number,
  s.ref_numbers,
  s.shipping_line_name,
  s.customer_name,
  c.stage,
  c.pickup,
  c.last_free_day_source,
  c.last_free_day_timezone
FROM ${name('containers')} c
LEFT JOIN ${name('shipments')} s ON s.id = c.shipment_id
LEFT JOIN ${name('terminals')} t ON t.id = c.pod_terminal_id
LEFT JOIN ${name('terminals')} f ON f.id = c.pickup_facility_id
LEFT JOIN ${name('rail_terminals')} r ON r.id = c.pickup_facility_id
WHERE c.deleted_at IS NULL AND c.record IS NOT NULL AND c.stage IN ('at_port', 'at_inland')`;
}

/**
 * `delays`: the shipments that leave or arrive later than the first estimate, one for each row, with the delay in days.
 * The delay is measured to the actual time if it is known, otherwise to the latest estimate.
 */
function delays({ name, days }: Dialect): string {
  const departure = 'coalesce(s.pol_atd_at, s.pol_etd_at)';
  const arrival = 'coalesce(s.pod_ata_at, s.pod_eta_at)';
  const destination = 'coalesce(s.destination_ata_at, s.destination_eta_at)';
  return `SELECT
  s.id AS shipment_id,
  s.bill_of_lading_number,
  s.ref_numbers,
  s.shipping_line_name,
  s.customer_name,
  s.port_of_lading_name,
  s.port_of_discharge_name,
  s.destination_name,
  s.pod_vessel_name,
  s.pol_original_etd_at AS original_departure_at,
  ${departure} AS departure_at,
  ${days(departure, 's.pol_original_etd_at')} AS departure_days_late,
  s.pod_original_eta_at AS original_arrival_at,
  ${arrival} AS arrival_at,
  ${days(arrival, 's.pod_original_eta_at')} AS arrival_days_late,
  s.destination_original_eta_at AS original_destination_at,
  ${destination} AS destination_at,
  ${days(destination, 's.destination_original_eta_at')} AS destination_days_late,
  s.pod_ata_at IS NOT NULL AS has_arrived
FROM ${name('shipments')} s
WHERE s.deleted_at IS NULL AND (
  ${departure} > s.pol_original_etd_at
  OR ${arrival} > s.pod_original_eta_at
  OR ${destination} > s.destination_original_eta_at
)`;
}
