import { isTime, type ReadTable, type Row } from './tables.ts';
import type { Truth } from './truth.ts';

/** The records of the service at a time at which the tables were up to date. */
export interface Sample {
  /** In ms since 1970. */
  at: number;
  truth: Truth;
}

/** The fields that have a history by default. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  shipment: ['pol_etd_at', 'pod_eta_at', 'destination_eta_at', 'pod_vessel_name'],
  container: [
    ...['current_status', 'ind_eta_at', 'pickup_lfd', 'ind_facility_lfd_on'],
    ...['holds_at_pod_terminal', 'fees_at_pod_terminal'],
  ],
  tracking_request: ['status'],
};
/** This column is computed by sync, so the oracle does not know its value. */
const COMPUTED = 'last_free_day';

interface Period {
  /** `<type> <id> <field> <item>` */
  slot: string;
  value: string;
  from: number;
  until: number;
}

/**
 * The faults in the history table. At each sample, it must have exactly the values of the service. Its periods must not
 * overlap, and consecutive periods must have different values. It must not have a value that the service has never
 * sent.
 *
 * @param sent the values that the service has sent, as `<type> <id> <field> <item>=<value>`.
 */
export async function historyDifferences(
  readTable: ReadTable,
  samples: readonly Sample[],
  sent: ReadonlySet<string>,
): Promise<string[]> {
  const periods = (await readTable('history')).filter(({ field }) => field !== COMPUTED).map(periodOf);
  return [
    ...samples.flatMap(sample => atSample(periods, sample)),
    ...orderFaults(periods),
    ...periods
      .filter(({ slot, value }) => !sent.has(`${slot}=${value}`))
      .map(({ slot, value }) => `The service never sent ${slot} = ${value}.`),
  ];
}

/** Those values of a record that have a history, by their slots. */
export function valuesOf(record: Record<string, unknown>): Map<string, string> {
  const values = new Map<string, string>();
  for (const field of FIELDS[String(record.type)] ?? []) {
    const value = record[field];
    const slot = `${record.type} ${record.id} ${field}`;
    if (value === null || value === undefined) continue;
    if (!Array.isArray(value)) values.set(`${slot} `, comparable(value));
    else for (const [item, text] of itemsOf(value)) values.set(`${slot} ${item}`, text);
  }
  return values;
}

/** The text of each hold, or of each fee, by its name. */
function itemsOf(list: readonly Record<string, unknown>[]): Map<string, string> {
  const texts = new Map<string, Set<string>>();
  for (const { name, status, type, amount, currency_code } of list) {
    const item = String(name ?? type);
    const text = name === undefined ? [amount, currency_code].filter(part => part != null).join(' ') : String(status);
    texts.set(item, (texts.get(item) ?? new Set()).add(text));
  }
  return new Map([...texts].map(([item, found]) => [item, [...found].sort().join(', ')]));
}

function periodOf(row: Row): Period {
  const { record_type, record_id, field, item, value, valid_from, valid_until } = row;
  return {
    slot: `${record_type} ${record_id} ${field} ${item}`,
    value: comparable(value),
    from: Date.parse(String(valid_from)),
    until: valid_until === null ? Number.POSITIVE_INFINITY : Date.parse(String(valid_until)),
  };
}

function comparable(value: unknown): string {
  const text = String(value);
  return isTime(text) && text.includes('T') ? new Date(text).toISOString() : text;
}

function atSample(periods: readonly Period[], { at, truth }: Sample): string[] {
  const known = new Map(
    periods.filter(({ from, until }) => from <= at && at < until).map(each => [each.slot, each.value]),
  );
  const expected = new Map([...truth.values()].flatMap(record => [...valuesOf(record)]));
  const when = new Date(at).toISOString();
  return [...new Set([...known.keys(), ...expected.keys()])]
    .filter(slot => known.get(slot) !== expected.get(slot))
    .map(slot => `${slot} at ${when}: ${known.get(slot)} instead of ${expected.get(slot)}`);
}

function orderFaults(periods: readonly Period[]): string[] {
  const faults: string[] = [];
  const inOrder = periods.toSorted((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : a.from - b.from));
  for (const [index, period] of inOrder.entries()) {
    if (period.from >= period.until) faults.push(`${period.slot}: a period that ends before it begins`);
    const next = inOrder[index + 1];
    if (next?.slot !== period.slot) continue;
    if (next.from < period.until) faults.push(`${period.slot}: two periods at the same time`);
    if (next.from === period.until && next.value === period.value) faults.push(`${period.slot}: a period in two parts`);
  }
  return faults;
}
