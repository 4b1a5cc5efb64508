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

/**
 * The history: a row for each value that a field had, with the time from which and until which it held.
 *
 * Each fact changes only the time between itself and the next fact of its record. So the same facts give the same rows
 * in any order, and any number of times. The times of the facts that changed nothing are needed for this: they have a
 * narrow table of their own. The times of the record are written before, so these lock it.
 */
const TABLE = 'history';
const TIMES = 'sync_history';

/** Makes the tables and the views, unless they are there. */
export function* historyTables(dialect: Dialect): Work<void> {
  const { name, types, idType, hasTable } = dialect;
  const [found] = yield hasTable(TABLE);
  if (found?.found) return;
  yield {
    sql: `CREATE TABLE ${name(TABLE)} (record_type ${types.text} NOT NULL, record_id ${idType}, field ${types.text} NOT NULL, item ${types.text} NOT NULL, value ${types.text} NOT NULL, valid_from ${types.timestamp} NOT NULL, valid_until ${types.timestamp})`,
  };
  yield { sql: `CREATE INDEX history_record ON ${name(TABLE)} (record_id, record_type)` };
  yield { sql: `CREATE INDEX history_field ON ${name(TABLE)} (field)` };
  yield {
    sql: `CREATE TABLE ${name(TIMES)} (type ${types.text} NOT NULL, id ${idType}, at ${types.timestamp} NOT NULL, PRIMARY KEY (id, type, at))`,
  };
  for (const sql of historyViews(dialect)) yield { sql };
}

/** @throws {StoreError} unless {@link historyTables} has made them. */
export function* requireHistory({ hasTable }: Dialect, store: string): Work<void> {
  const [found] = yield hasTable(TABLE);
  if (found?.found) return;
  throw new StoreError(`The store (${store}) has no history yet: call migrate({ history: true }) first.`, {
    code: 'store_outdated',
  });
}

/** Adds facts. Called after the times of their records were written. */
export function* addFacts(dialect: Dialect, facts: readonly Fact[]): Work<void> {
  for (const round of rounds(facts)) yield* addRound(dialect, round);
}

/** The facts of one record come one after another. */
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
  const known = facts.map((): Rows[number][] => []);
  for (const row of yield select(dialect, facts)) known[Number(row.place)]?.push(row);
  const [times, ended, begun]: [Input[], Input[], Input[]] = [[], [], []];
  for (const [index, fact] of facts.entries()) {
    const found = known[index] ?? [];
    const rows = found.filter(({ value }) => value !== null).map(periodOf);
    const next = [timeOf(found[0]?.next), ...rows.flatMap(({ from, until }) => [from, until])]
      .filter(time => time != null && time >= fact.at)
      .sort()[0];
    // A second fact of the same time changes nothing.
    if (next === fact.at) continue;
    const { type, id, at } = fact;
    times.push({ type, id, at });
    for (const change of changesOf(fact, next ?? null, rows)) {
      const { before, key, value, from, until } = change;
      const [field, item] = fieldAndItem(key);
      if (before === undefined) begun.push({ type, id, field, item, value, from, until });
      else ended.push({ type, id, field, item, before, from, until });
    }
  }
  if (times.length > 0) yield insertTimes(dialect, times);
  if (ended.length > 0) yield update(dialect, ended);
  if (begun.length > 0) yield insert(dialect, begun);
}

/** A value of a field, and the time in which it held. */
interface Period {
  key: string;
  value: string;
  from: string;
  until: string | null;
}

/** A new period, or an existing one with other bounds. */
interface Change extends Period {
  /** The beginning that an existing one had. */
  before?: string;
}

/** The value holds from the fact to the next one, whose values stay. */
function changesOf({ at, values }: Fact, next: string | null, periods: readonly Period[]): Change[] {
  const changes: Change[] = [];
  const holding = (key: string, time: string) =>
    periods.find(period => period.key === key && period.from <= time && (period.until === null || period.until > time));
  for (const key of new Set([...values.keys(), ...periods.map(period => period.key)])) {
    const value = values.get(key);
    const earlier = holding(key, at);
    if (earlier?.value === value) continue;
    const later = next === null ? undefined : holding(key, next);
    if (earlier) changes.push({ ...earlier, before: earlier.from, until: at });
    if (earlier && earlier === later) changes.push({ ...later, from: next as string });
    if (value === undefined) continue;
    if (later && later !== earlier && later.value === value) changes.push({ ...later, before: later.from, from: at });
    else changes.push({ key, value, from: at, until: next });
  }
  return changes;
}

type Input = Readonly<Record<string, string | null | undefined>>;

/** For each fact the time of the next one, and the periods of its record that end after it. */
function select({ name, input }: Dialect, facts: readonly Fact[]): Statement {
  const sql = `SELECT input.place,
  (SELECT min(at) FROM ${name(TIMES)} AS times WHERE times.type = input.type AND times.id = input.id AND times.at >= input.at) AS next,
  kept.field, kept.item, kept.value, kept.valid_from, kept.valid_until
FROM ${input({ place: 'number', type: 'text', id: 'text', at: 'timestamp' })}
LEFT JOIN ${name(TABLE)} AS kept ON kept.record_type = input.type AND kept.record_id = input.id
  AND (kept.valid_until IS NULL OR kept.valid_until >= input.at)`;
  return { sql, values: [JSON.stringify(facts.map(({ type, id, at }, place) => ({ place, type, id, at })))] };
}

function insertTimes({ name, input }: Dialect, times: readonly Input[]): Statement {
  const rows = `SELECT type, id, at FROM ${input({ type: 'text', id: 'text', at: 'timestamp' })}`;
  return { sql: `INSERT INTO ${name(TIMES)} (type, id, at) ${rows}`, values: [JSON.stringify(times)] };
}

const PERIOD: Readonly<Record<string, ColumnKind>> = {
  ...{ type: 'text', id: 'text', field: 'text', item: 'text', value: 'text', before: 'timestamp' },
  ...{ from: 'timestamp', until: 'timestamp' },
};

function update({ name, input }: Dialect, periods: readonly Input[]): Statement {
  const sql = `UPDATE ${name(TABLE)} AS kept SET valid_from = input."from", valid_until = input."until" FROM ${input(PERIOD)}
WHERE kept.record_type = input.type AND kept.record_id = input.id AND kept.field = input.field AND kept.item = input.item
  AND kept.valid_from = input."before"`;
  return { sql, values: [JSON.stringify(periods)] };
}

function insert({ name, input }: Dialect, periods: readonly Input[]): Statement {
  const sql = `INSERT INTO ${name(TABLE)} (record_type, record_id, field, item, value, valid_from, valid_until)
SELECT type, id, field, item, value, "from", "until" FROM ${input(PERIOD)}`;
  return { sql, values: [JSON.stringify(periods)] };
}

/** The rows that held at a time. */
export function selectAt({ name, parameter }: Dialect, at: string): Statement {
  const sql = `SELECT record_type, record_id, field, item, value, valid_from, valid_until FROM ${name(TABLE)}
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
 * Removes some rows that ended before a time, and some times of facts before another. The last time of a record stays,
 * since it says until when the values are known.
 */
export function trim(
  { name, parameter }: Dialect,
  { endedBefore, seenBefore, limit }: Parameters<NonNullable<SyncStore['trimHistory']>>[0],
): Statement[] {
  const [p1, p2] = [1, 2].map(parameter);
  const later = `SELECT 1 FROM ${name(TIMES)} AS later WHERE later.type = old.type AND later.id = old.id AND later.at > old.at`;
  const old = `SELECT id, type, at FROM ${name(TIMES)} AS old WHERE old.at < ${p1} AND EXISTS (${later}) LIMIT ${p2}`;
  const removeTimes = `DELETE FROM ${name(TIMES)} WHERE (id, type, at) IN (${old}) RETURNING id`;
  const columns = 'record_id, record_type, field, item, valid_from';
  const ended = `SELECT ${columns} FROM ${name(TABLE)} WHERE valid_until < ${p1} LIMIT ${p2}`;
  const removeRows = `DELETE FROM ${name(TABLE)} WHERE (${columns}) IN (${ended}) RETURNING record_id`;
  return [
    { sql: removeTimes, values: [timeText('seenBefore', seenBefore), wholeNumber('limit', limit)] },
    ...(endedBefore === undefined ? [] : [{ sql: removeRows, values: [timeText('endedBefore', endedBefore), limit] }]),
  ];
}

function periodOf({ field, item, value, valid_from, valid_until }: Rows[number]): Period {
  return {
    key: slot(String(field), String(item)),
    value: String(value),
    from: timeOf(valid_from) as string,
    until: timeOf(valid_until) ?? null,
  };
}

/** A time of a row: one driver gives texts, the other dates. */
function timeOf(value: unknown): string | undefined {
  return value == null ? undefined : isoText(new Date(value as string | Date).getTime());
}
