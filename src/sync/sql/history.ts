import { wholeNumber } from '../../internal/arguments.ts';
import type { Rows } from '../../internal/sql.ts';
import { StoreError } from '../../internal/store-error.ts';
import type { HistoryRow, SyncStore } from '../store.ts';
import { type Fact, fieldAndItem, slot } from '../tables/facts.ts';
import type { ColumnKind } from '../tables/kind.ts';
import type { SyncedType } from '../tables/names.ts';
import { isoText, timeText } from '../tables/time.ts';
import type { Dialect, Statement, Work } from './dialect.ts';
import { historyViews } from './history-views.ts';
import { makeView } from './views.ts';

/**
 * The history has a row for each value of a field, with the first and the last time of the value.
 *
 * Each fact changes only the period between itself and the next fact of its record. Therefore the same facts result in
 * the same rows, in any order and any number of times. For this purpose, the times of facts without a change must be
 * known too. Therefore each fact also adds a row without a field. The two times of this row are equal. Before facts are
 * added, the times of their records are written to `sync_seen`. This locks the records.
 */
const TABLE = 'sync_history';
const COLUMNS = 'record_type, record_id, field, item, value, valid_from, valid_until';
const KEY = 'record_id, record_type, field, item, valid_from';

/** Creates the table and the views, unless they exist. */
export function* historyTables(dialect: Dialect): Work<void> {
  const { name, types, idType, hasTable, clustered } = dialect;
  const [found] = yield hasTable(TABLE);
  if (found?.found) return;
  yield {
    sql: `CREATE TABLE ${name(TABLE)} (record_type ${types.text} NOT NULL, record_id ${idType}, field ${types.text} NOT NULL, item ${types.text} NOT NULL, value ${types.text} NOT NULL, valid_from ${types.timestamp} NOT NULL, valid_until ${types.timestamp}, PRIMARY KEY (${KEY}))${clustered}`,
  };
  for (const sql of historyViews(dialect).flatMap(view => makeView(dialect, view))) yield { sql };
}

/** @throws {StoreError} unless {@link historyTables} has created the tables. */
export function* requireHistory({ hasTable }: Dialect, store: string): Work<void> {
  const [found] = yield hasTable(TABLE);
  if (found?.found) return;
  throw new StoreError(`The store (${store}) has no history yet: call migrate({ history: true }) first.`, {
    code: 'store_outdated',
  });
}

/** Adds facts. Call this after the times of the facts' records were written. */
export function* addFacts(dialect: Dialect, facts: readonly Fact[]): Work<void> {
  for (const round of rounds(facts)) yield* addRound(dialect, round);
}

/** Divides the facts into rounds: the facts of one record are in different rounds. */
function rounds(facts: readonly Fact[]): Fact[][] {
  const counts = new Map<string, number>();
  const found: Fact[][] = [];
  for (const fact of facts) {
    const key = `${fact.type} ${fact.id}`;
    const index = counts.get(key) ?? 0;
    counts.set(key, index + 1);
    if (index === found.length) found.push([]);
    found[index]?.push(fact);
  }
  return found;
}

function* addRound(dialect: Dialect, facts: readonly Fact[]): Work<void> {
  const known = facts.map((): Period[] => []);
  for (const row of yield select(dialect, facts)) known[Number(row.place)]?.push(periodOf(row));
  const [written, removed]: [Input[], Input[]] = [[], []];
  for (const [index, fact] of facts.entries()) {
    const periods = known[index] ?? [];
    const next = periods
      .flatMap(({ from, until }) => [from, until])
      .filter(time => time !== null && time >= fact.at)
      .sort()[0];
    // A second fact with the same time changes nothing.
    if (next === fact.at) continue;
    const changes = changesOf(fact, next ?? null, periods);
    written.push(...[{ ...SEEN, from: fact.at, until: fact.at }, ...changes.written].map(each => inputOf(fact, each)));
    removed.push(...changes.removed.map(each => inputOf(fact, each)));
  }
  if (removed.length > 0) yield remove(dialect, removed);
  if (written.length > 0) yield write(dialect, written);
}

/** A value of a field, with the period in which the field had this value. */
interface Period {
  key: string;
  value: string;
  from: string;
  until: string | null;
}

/** The row without a field, which has the time of a fact. */
const SEEN = { key: slot('', ''), value: '' };

/**
 * Returns the changes that a fact causes. The values of the fact apply until the next fact. They do not change the
 * values of the next fact.
 */
function changesOf(
  { at, values }: Fact,
  next: string | null,
  periods: readonly Period[],
): { written: Period[]; removed: Period[] } {
  const [written, removed]: [Period[], Period[]] = [[], []];
  const holding = (key: string, time: string) =>
    periods.find(period => period.key === key && period.from <= time && (period.until === null || period.until > time));
  for (const key of new Set([...values.keys(), ...periods.map(period => period.key)])) {
    const value = values.get(key);
    const earlier = holding(key, at);
    if (earlier?.value === value) continue;
    const later = next === null ? undefined : holding(key, next);
    const isSplit = earlier !== undefined && earlier === later;
    if (earlier) written.push({ ...earlier, until: at });
    if (isSplit) written.push({ ...later, from: next as string });
    if (value === undefined) continue;
    if (later && !isSplit && later.value === value) {
      removed.push(later);
      written.push({ ...later, from: at });
    } else written.push({ key, value, from: at, until: next });
  }
  return { written, removed };
}

type Input = Readonly<Record<string, string | null>>;

function inputOf({ type, id }: Fact, { key, value, from, until }: Period): Input {
  const [field, item] = fieldAndItem(key);
  return { type, id, field, item, value, from, until };
}

/** Selects, for each fact, the periods of its record that end after the fact. */
function select({ name, input, joinByIndex }: Dialect, facts: readonly Fact[]): Statement {
  const sql = `SELECT input.place, kept.field, kept.item, kept.value, kept.valid_from, kept.valid_until
FROM ${input({ place: 'number', type: 'text', id: 'text', at: 'timestamp' })}
${joinByIndex(name(TABLE), 'kept.record_id = input.id AND kept.record_type = input.type AND (kept.valid_until IS NULL OR kept.valid_until >= input.at)')}`;
  return { sql, values: [JSON.stringify(facts.map(({ type, id, at }, place) => ({ place, type, id, at })))] };
}

const PERIOD: Readonly<Record<string, ColumnKind>> = {
  ...{ type: 'text', id: 'text', field: 'text', item: 'text', value: 'text' },
  ...{ from: 'timestamp', until: 'timestamp' },
};

/** Adds periods, or changes the end of existing periods. */
function write({ name, input }: Dialect, periods: readonly Input[]): Statement {
  const sql = `INSERT INTO ${name(TABLE)} (${COLUMNS})
SELECT type, id, field, item, value, "from", "until" FROM ${input(PERIOD)} WHERE true
ON CONFLICT (${KEY}) DO UPDATE SET valid_until = excluded.valid_until`;
  return { sql, values: [JSON.stringify(periods)] };
}

function remove({ name, input }: Dialect, periods: readonly Input[]): Statement {
  const sql = `DELETE FROM ${name(TABLE)} WHERE (${KEY}) IN (SELECT id, type, field, item, "from" FROM ${input(PERIOD)})`;
  return { sql, values: [JSON.stringify(periods)] };
}

/** Selects the rows whose values were valid at the given time. */
export function selectAt({ name, parameter }: Dialect, at: string): Statement {
  const sql = `SELECT ${COLUMNS} FROM ${name(TABLE)}
WHERE valid_from <= ${parameter(1)} AND (valid_until IS NULL OR valid_until > ${parameter(2)})
ORDER BY record_type, record_id, field, item`;
  return { sql, values: [at, at] };
}

export function historyRow(row: Rows[number]): HistoryRow {
  const { key, value, from, until } = periodOf(row);
  const [field, item] = fieldAndItem(key);
  return {
    ...{ type: row.record_type as SyncedType, id: String(row.record_id), field, item, value },
    ...{ from: Date.parse(from), until: until === null ? undefined : Date.parse(until) },
  };
}

/**
 * Removes some rows that ended before `endedBefore`, and some rows without a field whose time is before `seenBefore`.
 * For each record, the last row without a field stays. The values are known up to the time of this row.
 */
export function trim(
  { name, parameter }: Dialect,
  { endedBefore, seenBefore, limit }: Parameters<NonNullable<SyncStore['trimHistory']>>[0],
): Statement[] {
  const rows = `SELECT ${KEY} FROM ${name(TABLE)} AS old WHERE old.valid_until < ${parameter(1)}`;
  const later = `SELECT 1 FROM ${name(TABLE)} AS later WHERE later.record_id = old.record_id AND later.record_type = old.record_type AND later.field = '' AND later.valid_from > old.valid_from`;
  const removal = (where: string, before: string) => ({
    sql: `DELETE FROM ${name(TABLE)} WHERE (${KEY}) IN (${rows} AND ${where} LIMIT ${parameter(2)}) RETURNING record_id`,
    values: [before, wholeNumber('limit', limit)],
  });
  return [
    removal(`old.field = '' AND EXISTS (${later})`, timeText('seenBefore', seenBefore)),
    ...(endedBefore === undefined ? [] : [removal(`old.field <> ''`, timeText('endedBefore', endedBefore))]),
  ];
}

function periodOf({ field, item, value, valid_from, valid_until }: Rows[number]): Period {
  return {
    key: slot(String(field), String(item)),
    value: String(value),
    from: timeOf(valid_from),
    until: valid_until === null ? null : timeOf(valid_until),
  };
}

/** A time of a row as ISO 8601 in UTC. A database without a type for times stores the time in this form. */
function timeOf(value: unknown): string {
  const isText = typeof value === 'string' && value.endsWith('Z');
  return isText ? value : (isoText(new Date(value as string | Date).getTime()) as string);
}
