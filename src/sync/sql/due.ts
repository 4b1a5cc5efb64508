import type { Rows } from '../../internal/sql.ts';
import type { DueRead, StoreStatus } from '../store.ts';
import type { Dialect, Statement, Work } from './dialect.ts';

const TABLE = 'sync_due';

/** The reads that are due, in the order of their `position`. */
export function* dueTable({ name, types, idType }: Dialect): Work<void> {
  yield {
    sql: `CREATE TABLE ${name(TABLE)} (type ${types.text} NOT NULL, id ${idType}, since bigint NOT NULL, token ${types.text} NOT NULL, position bigint NOT NULL, PRIMARY KEY (type, id))`,
  };
  yield { sql: `CREATE INDEX sync_due_position ON ${name(TABLE)} (position)` };
}

/** The changes of a batch. All processes make them in the same order, so that they do not block each other. */
export function dueChanges(
  { name, parameter }: Dialect,
  { settled = [], due = [] }: { settled?: readonly DueRead[] | undefined; due?: readonly DueRead[] | undefined },
  hasTies: boolean,
): Statement[] {
  const [p1, p2, p3, p4] = [1, 2, 3, 4].map(parameter);
  const table = name(TABLE);
  const settle = `DELETE FROM ${table} WHERE type = ${p1} AND id = ${p2} AND token = ${p3}`;
  const add = `INSERT INTO ${table} AS kept (type, id, since, token, position)
VALUES (${p1}, ${p2}, ${p3}, ${p4}, (SELECT coalesce(max(position), 0) + 1 FROM ${table}))
ON CONFLICT (type, id) DO UPDATE SET token = excluded.token,
  since = CASE WHEN excluded.since > kept.since THEN excluded.since ELSE kept.since END`;
  return [
    ...inOrder(hasTies ? [] : settled).map(({ type, id, token }) => ({ sql: settle, values: [type, id, token] })),
    ...inOrder(due).map(({ type, id, since, token }) => ({ sql: add, values: [type, id, since, token] })),
  ];
}

export function selectDue({ name, parameter }: Dialect, limit: number): Statement {
  const sql = `SELECT type, id, since, token FROM ${name(TABLE)} ORDER BY position, type, id LIMIT ${parameter(1)}`;
  return { sql, values: [limit] };
}

export function countDue({ name }: Dialect): Statement {
  return { sql: `SELECT count(*) AS due, min(since) AS oldest FROM ${name(TABLE)}` };
}

export function dueStatus([row]: Rows): Pick<StoreStatus, 'due' | 'oldestDue'> {
  return { due: Number(row?.due), oldestDue: row?.oldest == null ? undefined : Number(row.oldest) };
}

export function dueFrom(rows: Rows): DueRead[] {
  return rows.map(({ type, id, since, token }) => ({
    type: String(type) as DueRead['type'],
    id: String(id),
    since: Number(since),
    token: String(token),
  }));
}

function inOrder(reads: readonly DueRead[]): DueRead[] {
  const key = ({ type, id }: DueRead) => `${type} ${id}`;
  return reads.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
