import type { Dialect } from './dialect.ts';
import type { View } from './views.ts';

/** The estimates among the fields. */
const ESTIMATES = ['pol_etd_at', 'pod_eta_at', 'destination_eta_at', 'ind_eta_at'];

/**
 * The rows of the history, and views for the usual questions about the past. Each view has the carrier and the
 * terminal.
 */
export function historyViews(dialect: Dialect): View[] {
  return [history(dialect), etaSlips(dialect), periods(dialect, HOLDS), periods(dialect, DWELL), onTime(dialect)];
}

/** The container and the shipment of a row of the history. */
const CONTAINER: View['columns'] = { container_id: ['text', 'c.id'], number: ['text', 'c.number'] };
const SHIPMENT: View['columns'] = {
  bill_of_lading_number: ['text', 's.bill_of_lading_number'],
  shipping_line_name: ['text', 's.shipping_line_name'],
  terminal: ['text', 't.name'],
};
const NAMES: View['columns'] = { ...CONTAINER, shipment_id: ['text', 's.id'], ...SHIPMENT };

function joined({ name }: Dialect): string {
  return `LEFT JOIN ${name('containers')} c ON h.record_type = 'container' AND c.id = h.record_id
LEFT JOIN ${name('shipments')} s ON s.id = CASE WHEN h.record_type = 'shipment' THEN h.record_id ELSE c.shipment_id END
LEFT JOIN ${name('terminals')} t ON t.id = coalesce(c.pod_terminal_id, s.pod_terminal_id)`;
}

function history({ name }: Dialect): View {
  return {
    name: 'history',
    doc: 'Each value that a field had. The value of a hold is its status. The value of a fee is its amount and currency.',
    columns: {
      record_type: ['text not null', 'record_type'],
      record_id: ['text not null', 'record_id'],
      field: ['text not null', 'field'],
      item: ['text not null', 'item'],
      value: ['text not null', 'value'],
      valid_from: ['timestamp not null', 'valid_from'],
      valid_until: ['timestamp', 'valid_until'],
    },
    from: `FROM ${name('sync_history')} WHERE field <> ''`,
  };
}

function etaSlips(dialect: Dialect): View {
  const { name, days, types } = dialect;
  const [before, after] = ['h.earlier', 'h.value'].map(text => `CAST(${text} AS ${types.timestamp})`) as [
    string,
    string,
  ];
  return {
    name: 'eta_slips',
    doc: 'Each move of an estimate. `days_moved` is negative if the estimate became earlier.',
    columns: {
      ...NAMES,
      field: ['text not null', 'h.field'],
      moved_at: ['timestamp not null', 'h.valid_from'],
      before_at: ['timestamp not null', before],
      after_at: ['timestamp not null', after],
      days_moved: ['number not null', days(after, before)],
    },
    from: `FROM (
  SELECT record_type, record_id, field, value, valid_from,
    lag(value) OVER (PARTITION BY record_type, record_id, field ORDER BY valid_from) AS earlier
  FROM ${name('history')} WHERE field IN (${ESTIMATES.map(field => `'${field}'`).join(', ')})
) h
${joined(dialect)}
WHERE h.earlier <> h.value`,
  };
}

type Periods = Pick<View, 'name' | 'doc' | 'columns'> & { field: string };

const HOLDS: Periods = {
  name: 'holds_over_time',
  doc: 'Each hold, with its duration in days. A hold that has not ended lasts until now.',
  field: 'holds_at_pod_terminal',
  columns: { hold: ['text not null', 'h.item'], status: ['text not null', 'h.value'] },
};
const DWELL: Periods = {
  name: 'dwell',
  doc: 'Each status of a container, with its duration in days. A status that has not ended lasts until now.',
  field: 'current_status',
  columns: { status: ['text not null', 'h.value'] },
};

function periods(dialect: Dialect, { name, doc, field, columns }: Periods): View {
  return {
    name,
    doc,
    columns: {
      ...NAMES,
      ...columns,
      valid_from: ['timestamp not null', 'h.valid_from'],
      valid_until: ['timestamp', 'h.valid_until'],
      days: ['number not null', dialect.days('coalesce(h.valid_until, CURRENT_TIMESTAMP)', 'h.valid_from')],
    },
    from: `FROM ${dialect.name('history')} h
${joined(dialect)}
WHERE h.field = '${field}'`,
  };
}

function onTime({ name, days, types }: Dialect): View {
  const estimate = (text: string) => `CAST(${text} AS ${types.timestamp})`;
  const late = days('s.pod_ata_at', estimate('h.first'));
  return {
    name: 'on_time',
    doc: 'The shipments that have arrived, with the first and the last estimate that were known before the arrival. A shipment is on time if it is at most one day late.',
    columns: {
      shipment_id: ['text not null', 's.id'],
      ...SHIPMENT,
      first_estimate_at: ['timestamp not null', estimate('h.first')],
      last_estimate_at: ['timestamp not null', estimate('h.last')],
      estimates: ['number not null', 'h.estimates'],
      arrived_at: ['timestamp not null', 's.pod_ata_at'],
      days_late: ['number not null', late],
      is_on_time: ['boolean not null', `${late} <= 1`],
    },
    from: `FROM ${name('shipments')} s
JOIN (
  SELECT e.record_id, e.value AS first,
    first_value(e.value) OVER (PARTITION BY e.record_id ORDER BY e.valid_from DESC) AS last,
    count(*) OVER (PARTITION BY e.record_id) AS estimates,
    row_number() OVER (PARTITION BY e.record_id ORDER BY e.valid_from) AS place
  FROM ${name('history')} e
  JOIN ${name('shipments')} arrived ON arrived.id = e.record_id AND e.valid_from < arrived.pod_ata_at
  WHERE e.record_type = 'shipment' AND e.field = 'pod_eta_at'
) h ON h.record_id = s.id AND h.place = 1
LEFT JOIN ${name('terminals')} t ON t.id = s.pod_terminal_id`,
  };
}
