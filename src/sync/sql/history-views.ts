import type { Dialect } from './dialect.ts';

/** The estimates among the fields. */
const ESTIMATES = ['pol_etd_at', 'pod_eta_at', 'destination_eta_at', 'ind_eta_at'];

/** Views for the usual questions about the past, each by carrier and terminal. */
export function historyViews(dialect: Dialect): string[] {
  return [
    ...dialect.replaceView('eta_slips', etaSlips(dialect)),
    ...dialect.replaceView('holds_over_time', periods(dialect, HOLDS)),
    ...dialect.replaceView('dwell', periods(dialect, DWELL)),
    ...dialect.replaceView('on_time', onTime(dialect)),
  ];
}

/** The container and the shipment of a row of the history. */
const NAMES = `c.id AS container_id,
  c.number,
  s.id AS shipment_id,
  s.bill_of_lading_number,
  s.shipping_line_name,
  t.name AS terminal`;

function joined({ name }: Dialect): string {
  return `LEFT JOIN ${name('containers')} c ON h.record_type = 'container' AND c.id = h.record_id
LEFT JOIN ${name('shipments')} s ON s.id = CASE WHEN h.record_type = 'shipment' THEN h.record_id ELSE c.shipment_id END
LEFT JOIN ${name('terminals')} t ON t.id = coalesce(c.pod_terminal_id, s.pod_terminal_id)`;
}

/** `eta_slips`: each move of an estimate. */
function etaSlips(dialect: Dialect): string {
  const { name, days, types } = dialect;
  const [before, after] = ['h.earlier', 'h.value'].map(text => `CAST(${text} AS ${types.timestamp})`) as [
    string,
    string,
  ];
  return `SELECT ${NAMES},
  h.field,
  h.valid_from AS moved_at,
  ${before} AS before_at,
  ${after} AS after_at,
  ${days(after, before)} AS days_moved
FROM (
  SELECT record_type, record_id, field, value, valid_from,
    lag(value) OVER (PARTITION BY record_type, record_id, field ORDER BY valid_from) AS earlier
  FROM ${name('history')} WHERE field IN (${ESTIMATES.map(field => `'${field}'`).join(', ')})
) h
${joined(dialect)}
WHERE h.earlier <> h.value`;
}

const HOLDS = { field: 'holds_at_pod_terminal', columns: 'h.item AS hold, h.value AS status' };
const DWELL = { field: 'current_status', columns: 'h.value AS status' };

/**
 * `holds_over_time` and `dwell`: each hold, and each status, with its duration. If it has not ended, its duration is
 * the time until now.
 */
function periods(dialect: Dialect, { field, columns }: { field: string; columns: string }): string {
  return `SELECT ${NAMES}, ${columns},
  h.valid_from,
  h.valid_until,
  ${dialect.days('coalesce(h.valid_until, CURRENT_TIMESTAMP)', 'h.valid_from')} AS days
FROM ${dialect.name('history')} h
${joined(dialect)}
WHERE h.field = '${field}'`;
}

/**
 * `on_time`: the shipments that have arrived, with the first and the last estimate that was known before the arrival.
 */
function onTime({ name, days, types }: Dialect): string {
  const estimate = (text: string) => `CAST(${text} AS ${types.timestamp})`;
  const late = days('s.pod_ata_at', estimate('h.first'));
  return `SELECT s.id AS shipment_id,
  s.bill_of_lading_number,
  s.shipping_line_name,
  t.name AS terminal,
  ${estimate('h.first')} AS first_estimate_at,
  ${estimate('h.last')} AS last_estimate_at,
  h.estimates,
  s.pod_ata_at AS arrived_at,
  ${late} AS days_late,
  ${late} <= 1 AS is_on_time
FROM ${name('shipments')} s
JOIN (
  SELECT e.record_id, e.value AS first,
    first_value(e.value) OVER (PARTITION BY e.record_id ORDER BY e.valid_from DESC) AS last,
    count(*) OVER (PARTITION BY e.record_id) AS estimates,
    row_number() OVER (PARTITION BY e.record_id ORDER BY e.valid_from) AS place
  FROM ${name('history')} e
  JOIN ${name('shipments')} arrived ON arrived.id = e.record_id AND e.valid_from < arrived.pod_ata_at
  WHERE e.record_type = 'shipment' AND e.field = 'pod_eta_at'
) h ON h.record_id = s.id AND h.place = 1
LEFT JOIN ${name('terminals')} t ON t.id = s.pod_terminal_id`;
}
