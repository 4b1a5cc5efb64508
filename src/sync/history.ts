import { ConfigurationError } from '../errors.ts';
import {
  describeValue,
  nonBlankStrings,
  numberAtLeast,
  objectArgument,
  oneOf,
  refuseUnknownNames,
} from '../internal/arguments.ts';
import type { HistoryFields, HistoryRow, JsonValue, SyncRef, SyncStore } from './store.ts';
import { isItemized } from './tables/facts.ts';
import type { ColumnKind } from './tables/kind.ts';
import { SYNCED_TYPES, type SyncedType } from './tables/names.ts';
import { describeTables } from './tables/table.ts';
import { isoText } from './tables/time.ts';

/** The history of chosen fields: see {@link SyncOptions.history}. */
export interface SyncHistory {
  /**
   * The fields, by record type: columns of the table of that type. A type that is left out has no history. The views
   * `eta_slips`, `holds_over_time`, `dwell` and `on_time` need the default fields.
   * @default estimates, deadlines, holds, fees, the status and the vessel
   */
  fields?: HistoryFields | undefined;
  /**
   * Number of days for which a past value is kept. After these days, the next reconciliation removes it. A current
   * value is never removed.
   * @default unlimited
   */
  keepDays?: number | undefined;
}

/** The values that the fields of a record had at a time. */
export interface RecordAt extends SyncRef {
  /**
   * The keys are the names of the fields. The values are as in the record; times are in ISO 8601 (UTC). Holds are an
   * object: its keys are the names of the holds, and its values are the statuses of the holds. Fees are an object: its
   * keys are the types of the fees, and its values are texts with the amount and the currency. A field without a value
   * is missing.
   */
  fields: { [field: string]: JsonValue };
}

/** The state of the account at a given time, if the history of the account is stored. */
export interface StatusAt {
  /** The time of this status, in ms since 1970. */
  at: number;
  /** The records that the service had at that time and for which a value was known, sorted by type and id. */
  records: RecordAt[];
}

/** The option `history` with its defaults. */
export interface History {
  fields: HistoryFields;
  /** `undefined` for an unlimited time. */
  keepDays: number | undefined;
}

const DEFAULT_FIELDS: HistoryFields = {
  shipment: ['pol_etd_at', 'pod_eta_at', 'destination_eta_at', 'pod_vessel_name'],
  container: [
    ...['current_status', 'ind_eta_at', 'pickup_lfd', 'ind_facility_lfd_on', 'last_free_day'],
    ...['holds_at_pod_terminal', 'fees_at_pod_terminal'],
  ],
  tracking_request: ['status'],
};

/** A store, and the options of the history in it. */
interface Kept {
  readonly store: SyncStore;
  readonly history: History | undefined;
}

const DAY = 86_400_000;
/**
 * Time in ms for which facts without a change are kept. If a delivery is late by less than this time, its exact
 * position among the facts is still known.
 */
const LATE_MS = 7 * DAY;
const TRIMMED_AT_ONCE = 500;

/** @throws {ConfigurationError} for an option that is unknown or out of range, and for a store without a history. */
export function historyOf(
  given: boolean | SyncHistory | undefined,
  types: ReadonlySet<SyncedType>,
  store: SyncStore,
): History | undefined {
  if (given === undefined || given === false) return undefined;
  const options = given === true ? {} : objectArgument('history', given, '{ keepDays: 365 }');
  refuseUnknownNames('history', options, ['fields', 'keepDays']);
  const { fields, keepDays } = options;
  if (!store.historyAt || !store.trimHistory) {
    throw new ConfigurationError(`The store (${store.description}) keeps no history; leave history out.`);
  }
  if (keepDays !== undefined) numberAtLeast(1, 'history.keepDays', keepDays);
  return { fields: fields === undefined ? defaultsFor(types) : checkedFields(fields, types), keepDays };
}

function defaultsFor(types: ReadonlySet<SyncedType>): HistoryFields {
  return Object.fromEntries(Object.entries(DEFAULT_FIELDS).filter(([type]) => types.has(type as SyncedType)));
}

function checkedFields(fields: HistoryFields, types: ReadonlySet<SyncedType>): HistoryFields {
  const entries = Object.entries(objectArgument('history.fields', fields, "{ container: ['current_status'] }"));
  if (entries.length === 0)
    throw new ConfigurationError('history.fields is empty; leave it out for the default fields.');
  const columns = columnKinds();
  for (const [type, names] of entries) {
    oneOf('A type in history.fields', type, SYNCED_TYPES);
    if (!types.has(type as SyncedType)) {
      throw new ConfigurationError(`history.fields has ${type}, which is not among tables.`);
    }
    for (const name of nonBlankStrings(`history.fields.${type}`, names)) {
      if (columns.has(`${type} ${name}`)) continue;
      throw new ConfigurationError(
        `history.fields.${type} has ${describeValue(name)}, which is not a column of its table.`,
      );
    }
  }
  return Object.fromEntries(entries.map(([type, names]) => [type, [...new Set(names)]]));
}

function columnKinds(): Map<string, ColumnKind> {
  return new Map(
    describeTables().flatMap(({ type, columns }) => columns.map(({ name, kind }) => [`${type} ${name}`, kind])),
  );
}

/** @throws {ConfigurationError} if there is no history, and for an argument that is not a valid date. */
export async function statusAt({ store, history }: Kept, date: Date): Promise<StatusAt> {
  if (!history || !store.historyAt) {
    throw new ConfigurationError('There is no history: use createSync({ history: true }).');
  }
  const at = date instanceof Date ? date.getTime() : Number.NaN;
  if (isoText(at) === undefined) {
    throw new ConfigurationError(`The argument of statusAt() is ${describeValue(date)}; it must be a Date.`);
  }
  return { at, records: recordsOf(await store.historyAt(at)) };
}

function recordsOf(rows: readonly HistoryRow[]): RecordAt[] {
  const kinds = columnKinds();
  const records = new Map<string, RecordAt>();
  for (const { type, id, field, item, value } of rows) {
    const record = records.get(`${type} ${id}`) ?? { type, id, fields: {} };
    records.set(`${type} ${id}`, record);
    if (isItemized(field) && item !== '') record.fields[field] = { ...(record.fields[field] as object), [item]: value };
    else record.fields[field] = fromText(kinds.get(`${type} ${field}`), value);
  }
  return [...records.values()];
}

function fromText(kind: ColumnKind | undefined, text: string): JsonValue {
  return kind === 'json' || kind === 'number' || kind === 'boolean' ? JSON.parse(text) : text;
}

/** Removes values that ended too long ago, by the clock of the service. The removal uses small transactions. */
export async function trimHistory({ store, history }: Kept, now: number, signal: AbortSignal): Promise<void> {
  if (!history || !store.trimHistory) return;
  const endedBefore = history.keepDays === undefined ? undefined : Math.max(0, now - history.keepDays * DAY);
  do signal.throwIfAborted();
  while ((await store.trimHistory({ endedBefore, seenBefore: now - LATE_MS, limit: TRIMMED_AT_ONCE })) > 0);
}
