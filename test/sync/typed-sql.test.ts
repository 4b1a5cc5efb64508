import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import { drizzle as drizzleSqlite } from 'drizzle-orm/sqlite-proxy';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { postgresStore } from '../../src/postgres.ts';
import { postgresTables, type SqliteTables, sqliteTables } from '../../src/sync/drizzle/index.ts';
import { createSync } from '../../src/sync/index.ts';
import type { PostgresDatabase, SqliteDatabase } from '../../src/sync/kysely.ts';
import { historyViews } from '../../src/sync/sql/history-views.ts';
import { views } from '../../src/sync/sql/views.ts';
import { sqliteDialect } from '../../src/sync/sqlite/dialect.ts';
import { sqliteStore } from '../../src/sync/sqlite/sqlite-store.ts';
import type { SyncStore } from '../../src/sync/store.ts';
import type { ColumnKind } from '../../src/sync/tables/kind.ts';
import { describeTables } from '../../src/sync/tables/table.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { DRIZZLE } from './questions-drizzle.ts';
import { KYSELY } from './questions-kysely.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/guides/sql.md'), 'utf8');
const QUESTIONS = Array.from(PAGE.matchAll(/^### (.*)\n[^#]*?```sql\n([^`]*)```/gm), ([, question = '', sql = '']) => ({
  question,
  sql,
}));
const KINDS = ['SQLite', ...(hasPostgres ? ['PostgreSQL'] : [])] as const;
const SCHEMA = 'My "tracking"';
/** The present time of the queries. In America, it is the same day as in UTC. */
const NOW = '2026-03-12T18:00:00Z';

/** A filled database for queries in SQL, Kysely and Drizzle. The tests use the SQLite types for both databases. */
interface Place {
  sql(text: string): Promise<object[]>;
  kysely: Kysely<SqliteDatabase>;
  drizzle: BaseSQLiteDatabase<'async', unknown, SqliteTables>;
  tables: SqliteTables;
}

const directory = mkdtempSync(join(tmpdir(), 'typed-sql-'));
const path = join(directory, 'tracking.db');
const sandbox = stillSandbox({ shipments: 60 });
let server: PostgresServer | undefined;
let pool: Pool;
let reader: DatabaseSync;
const places: Record<string, Place> = {};

beforeAll(async () => {
  const { baseUrl, close } = await sandbox.listen();
  const client = new TrackingClient({ baseUrl, apiKey: 'sandbox', rateLimit: false, logger: false });
  const stores: SyncStore[] = [sqliteStore(path)];
  if (hasPostgres) {
    server = await startPostgres();
    pool = new Pool({ ...server.connection, max: 4 });
    stores.push(postgresStore({ pool, schema: SCHEMA }));
  }
  for (const days of [2, 2, 2, 0]) {
    for (const store of stores) await createSync({ client, store, history: true, logger: false }).once();
    sandbox.advance({ days });
  }
  for (const store of stores) await store.close();
  reader = new DatabaseSync(path, { readOnly: true });
  reader.function('today', _zone => NOW.slice(0, 10));
  places.SQLite = sqlitePlace();
  if (hasPostgres) places.PostgreSQL = postgresPlace();
  client.close();
  await close();
}, 180_000);

afterAll(async () => {
  reader?.close();
  rmSync(directory, { recursive: true });
  await pool?.end();
  await server?.stop();
});

function sqlitePlace(): Place {
  const all = (sql: string, values: readonly unknown[]) => reader.prepare(sql).all(...(values as SQLInputValue[]));
  const tables = sqliteTables();
  return {
    sql: async text => all(formFor('SQLite', text), []),
    kysely: new Kysely({
      dialect: new SqliteDialect({
        database: {
          close: () => {},
          prepare: sql => ({
            reader: true,
            all: values => all(sql, values),
            run: () => ({ changes: 0, lastInsertRowid: 0 }),
            iterate: values => all(sql, values)[Symbol.iterator](),
          }),
        },
      }),
    }),
    drizzle: drizzleSqlite(
      async (sql, values, method) => {
        // The rows are arrays and not objects, because two columns of a row may have the same name.
        const statement = reader.prepare(sql);
        statement.setReturnArrays(true);
        return { rows: method === 'get' ? Object.values(statement.get(...values) ?? []) : statement.all(...values) };
      },
      { schema: tables },
    ) as Place['drizzle'],
    tables,
  };
}

function postgresPlace(): Place {
  const tables = postgresTables({ schema: SCHEMA });
  return {
    async sql(text) {
      const connection = await pool.connect();
      try {
        await connection.query(`SET search_path = "${SCHEMA.replaceAll('"', '""')}"`);
        const form = formFor('PostgreSQL', text).replaceAll('now()', `TIMESTAMPTZ '${NOW}'`);
        return (await connection.query(form)).rows;
      } finally {
        connection.release(true);
      }
    },
    kysely: new Kysely<PostgresDatabase>({ dialect: new PostgresDialect({ pool }) }).withSchema(
      SCHEMA,
    ) as unknown as Place['kysely'],
    drizzle: drizzlePostgres(pool, { schema: tables }) as unknown as Place['drizzle'],
    tables: tables as unknown as SqliteTables,
  };
}

/** Rows without the differences between databases and drivers: times, days, numbers and booleans in one form. */
function comparable(rows: readonly object[]): Record<string, unknown>[] {
  return rows.map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value, name)])));
}

function plain(value: unknown, name: string): unknown {
  // For a day, pg returns the midnight of that day in the time zone of the process.
  const isDay = name === 'last_free_day' || name === 'earliest';
  if (value instanceof Date) {
    if (!isDay) return plain(value.toISOString(), name);
    return new Date(value.getTime() - value.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  }
  if (typeof value === 'boolean') return Number(value);
  // The two databases are filled one after the other, and their rows may differ by a second.
  if (name === 'valid_from') return `${Math.round(Date.parse(String(value)) / 60_000)} min`;
  return typeof value !== 'object' && value !== '' && Number.isFinite(Number(value))
    ? Math.round(Number(value) * 1e6) / 1e6
    : value;
}

describe('the page of questions', () => {
  test('has eighteen questions, and at least ten of them for Kysely and for Drizzle', () => {
    expect(QUESTIONS).toHaveLength(18);
    for (const ours of [KYSELY, DRIZZLE]) {
      expect(Object.keys(ours).length).toBeGreaterThanOrEqual(10);
      const unknown = Object.keys(ours).filter(name => !QUESTIONS.some(({ question }) => question.startsWith(name)));
      expect(unknown).toEqual([]);
    }
  });

  describe.each(QUESTIONS)('$question', ({ question, sql }) => {
    const inTypeScript = <T>(questions: Record<string, T>) =>
      Object.entries(questions).find(([name]) => question.startsWith(name))?.[1];

    test.each(KINDS)('has rows in %s', async kind => {
      expect(await place(kind).sql(sql)).not.toEqual([]);
    });

    test.runIf(hasPostgres)('has the same rows in both databases', async () => {
      const [one, other] = await Promise.all(KINDS.map(kind => place(kind).sql(sql)));
      // The databases sort texts in different orders.
      expect(sorted(comparable(one ?? []))).toEqual(sorted(comparable(other ?? [])));
    });

    test.each(inTypeScript(KYSELY) ? KINDS : [])('has the same rows with Kysely in %s', async kind => {
      const rows = await inTypeScript(KYSELY)?.(place(kind).kysely);
      expect(comparable(rows ?? [])).toEqual(comparable(await place(kind).sql(sql)));
    });

    test.each(inTypeScript(DRIZZLE) ? KINDS : [])('has the same rows with Drizzle in %s', async kind => {
      const { drizzle, tables, sql: plainSql } = place(kind);
      const rows = await inTypeScript(DRIZZLE)?.(drizzle, tables);
      expect(comparable(rows ?? [])).toEqual(comparable(await plainSql(sql)));
    });
  });
});

describe('a last free day in the evening of America, when the day in UTC is over', () => {
  const zone = 'America/Chicago';

  test.runIf(hasPostgres)('has not passed in PostgreSQL', async () => {
    const [, today = ''] = /last_free_day\s+< (.*);/.exec(PAGE) ?? [];
    const at = today.replace('now()', "TIMESTAMPTZ '2026-03-13T01:54Z'").replace('last_free_day_timezone', `'${zone}'`);
    expect(await place('PostgreSQL').sql(`SELECT CAST(${at} AS text) AS today`)).toEqual([{ today: '2026-03-12' }]);
  });

  test('has not passed in SQLite', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-13T01:54Z') });
    onTestFinished(() => void vi.useRealTimers());
    const [, today = ''] = /file\.function\('today', (zone =>[^;]*),\n\);/.exec(PAGE) ?? [];
    const dayIn = new Function(`return ${today}`)() as (zone: string) => string;
    expect(dayIn(zone)).toBe('2026-03-12');
  });
});

describe.each(KINDS)('the types of the tables, in %s', kind => {
  const fits: Record<string, (value: unknown) => boolean> =
    kind === 'SQLite'
      ? {
          text: value => typeof value === 'string',
          number: value => typeof value === 'number',
          boolean: value => value === 0 || value === 1,
          date: value => /^\d{4}-\d\d-\d\d$/.test(String(value)),
          timestamp: value => /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/.test(String(value)),
          json: value => typeof value === 'string' && JSON.parse(value) !== undefined,
        }
      : {
          text: value => typeof value === 'string',
          number: value => typeof value === 'string' && Number.isFinite(Number(value)),
          boolean: value => typeof value === 'boolean',
          date: value => value instanceof Date,
          timestamp: value => value instanceof Date,
          json: value => value !== undefined,
        };
  const sameValues: Record<string, (value: unknown) => boolean> = {
    text: value => typeof value === 'string',
    number: value => typeof value === 'number',
    boolean: value => typeof value === 'boolean',
    date: value => /^\d{4}-\d\d-\d\d$/.test(String(value)),
    timestamp: value => value instanceof Date,
    json: value => value !== undefined,
  };
  const tables = [
    ...describeTables().map(({ name, columns }) => ({ name, columns: columns.map(({ name, kind }) => [name, kind]) })),
    ...[...views(sqliteDialect), ...historyViews(sqliteDialect)].map(({ name, columns }) => ({
      name,
      columns: Object.entries(columns).map(([name, [kind]]) => [name, kind]),
    })),
  ] as { name: keyof SqliteDatabase; columns: [string, ColumnKind][] }[];

  test('are those of the values that the driver returns', async () => {
    for (const { name, columns } of tables) {
      const rows = await place(kind).kysely.selectFrom(name).selectAll().execute();
      expect(misfits(rows, columns, fits), name).toEqual([]);
    }
  });

  test('are those of the values that Drizzle returns', async () => {
    const { drizzle, tables: ours } = place(kind);
    for (const { name, columns } of tables) {
      const rows = await drizzle.select().from(ours[name] as SqliteTables['containers']);
      const known = columns.filter(([column]) => Object.hasOwn(rows[0] ?? {}, column));
      expect(misfits(rows, known, sameValues), name).toEqual([]);
    }
  });

  test('name every column, and name nothing else', async () => {
    for (const { name, columns } of tables) {
      const [row] = await place(kind).sql(`SELECT * FROM ${name} LIMIT 1`);
      const all = row && Object.keys(row).filter(column => !['id', 'record', 'as_of', 'deleted_at'].includes(column));
      if (all) expect(all.sort(), name).toEqual(columns.map(([column]) => column).sort());
    }
  });

  test('lead from a row to its related rows', async () => {
    const found = await place(kind).drizzle.query.shipments.findMany({
      with: {
        containers: { columns: { id: true, shipment_id: true, ready_for_pickup: true, pod_discharged_at: true } },
        pod_terminal: { with: { port: true } },
      },
    });
    const shipment = found.find(({ containers }) => containers.length > 0);
    expect(shipment?.containers.map(({ id }) => id).sort()).toEqual([...(shipment?.container_ids ?? [])].sort());
    expect(shipment?.containers.every(({ shipment_id }) => shipment_id === shipment.id)).toBe(true);
    const containers = found.flatMap(({ containers }) => containers);
    expect(containers.some(({ pod_discharged_at }) => pod_discharged_at instanceof Date)).toBe(true);
    expect(containers.some(({ ready_for_pickup }) => typeof ready_for_pickup === 'boolean')).toBe(true);
    const terminal = found.find(({ pod_terminal }) => pod_terminal?.port)?.pod_terminal;
    expect(terminal?.port?.id).toBe(terminal?.port_id);
    const [event] = await place(kind).drizzle.query.transport_events.findMany({
      where: (columns, { isNotNull }) => isNotNull(columns.location_id),
      with: { container: true, location_as_port: true },
      limit: 1,
    });
    expect(event?.container?.id).toBe(event?.container_id);
  });
});

function place(kind: string): Place {
  return places[kind] as Place;
}

/** The SQL for a database, if a query has a different form for each database. */
function formFor(kind: string, sql: string): string {
  return (
    sql
      .split(/^-- (?=PostgreSQL|SQLite)/m)
      .find(form => form.startsWith(kind))
      ?.slice(kind.length) ?? sql
  );
}

function sorted(rows: readonly object[]): string[] {
  return rows.map(row => JSON.stringify(Object.entries(row).sort())).sort();
}

function misfits(
  rows: readonly object[],
  columns: readonly (readonly [string, string])[],
  fits: Record<string, (value: unknown) => boolean>,
): unknown[] {
  return columns.flatMap(([name, kind]) => {
    const values = rows.map(row => (row as Record<string, unknown>)[name]);
    const isFit = (value: unknown) =>
      value === null ? !kind.endsWith('not null') : fits[kind.replace(' not null', '')]?.(value);
    return values.filter(value => !isFit(value)).map(value => [name, kind, value]);
  });
}
