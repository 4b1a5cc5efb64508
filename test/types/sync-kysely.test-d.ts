import type { Kysely, Selectable } from 'kysely';
import { expectTypeOf, test } from 'vitest';
import type { ContainerState, TerminalHold } from '../../src/index.ts';
import type { Database, PostgresDatabase, PostgresValues, SqliteDatabase } from '../../src/sync/kysely.ts';

declare const postgres: Kysely<PostgresDatabase>;
declare const sqlite: Kysely<SqliteDatabase>;

test('a PostgreSQL row has the types that pg returns, and a SQLite row has the types that SQLite drivers return', () => {
  type OfPostgres = Selectable<PostgresDatabase['containers']>;
  expectTypeOf<OfPostgres['id']>().toEqualTypeOf<string>();
  expectTypeOf<OfPostgres['weight_in_lbs']>().toEqualTypeOf<string | null>();
  expectTypeOf<OfPostgres['last_free_day']>().toEqualTypeOf<Date | null>();
  expectTypeOf<OfPostgres['pod_discharged_at']>().toEqualTypeOf<Date | null>();
  expectTypeOf<OfPostgres['ready_for_pickup']>().toEqualTypeOf<boolean | null>();
  expectTypeOf<OfPostgres['holds_at_pod_terminal']>().toEqualTypeOf<TerminalHold[] | null>();
  expectTypeOf<OfPostgres['transport_events']>().toEqualTypeOf<string[] | null>();
  expectTypeOf<OfPostgres['shipment_id']>().toEqualTypeOf<string | null>();
  type OfSqlite = Selectable<SqliteDatabase['containers']>;
  expectTypeOf<OfSqlite['weight_in_lbs']>().toEqualTypeOf<number | null>();
  expectTypeOf<OfSqlite['last_free_day']>().toEqualTypeOf<string | null>();
  expectTypeOf<OfSqlite['pod_discharged_at']>().toEqualTypeOf<string | null>();
  expectTypeOf<OfSqlite['ready_for_pickup']>().toEqualTypeOf<0 | 1 | null>();
  expectTypeOf<OfSqlite['holds_at_pod_terminal']>().toEqualTypeOf<string | null>();
});

test('a column with a fixed set of values has the union of these values as its type, and a view has the types of its tables', () => {
  expectTypeOf<Selectable<PostgresDatabase['containers']>['stage']>().toEqualTypeOf<ContainerState['stage'] | null>();
  type Pickup = Selectable<PostgresDatabase['pickups']>;
  expectTypeOf<Pickup['stage']>().toEqualTypeOf<ContainerState['stage']>();
  expectTypeOf<Pickup['holds']>().toEqualTypeOf<TerminalHold[] | null>();
  expectTypeOf<Pickup['ref_numbers']>().toEqualTypeOf<string[] | null>();
  expectTypeOf<Selectable<SqliteDatabase['on_time']>['is_on_time']>().toEqualTypeOf<0 | 1>();
  expectTypeOf<Selectable<PostgresDatabase['eta_slips']>['moved_at']>().toEqualTypeOf<Date>();
});

test('the result of a query has the types of the selected columns', () => {
  const rows = postgres
    .selectFrom('containers')
    .leftJoin('shipments', 'shipments.id', 'containers.shipment_id')
    .select(['containers.number', 'shipments.pod_eta_at', 'containers.id'])
    .where('containers.stage', '=', 'at_port')
    .execute();
  expectTypeOf(rows).resolves.toEqualTypeOf<{ number: string | null; pod_eta_at: Date | null; id: string }[]>();
  // @ts-expect-error a column that does not exist
  sqlite.selectFrom('containers').select('weight');
  // @ts-expect-error a table that does not exist
  sqlite.selectFrom('boxes');
  // @ts-expect-error a stage that does not exist
  sqlite.selectFrom('containers').selectAll().where('stage', '=', 'on_moon');
});

test('nothing can be inserted or updated', () => {
  // @ts-expect-error sync alone writes
  sqlite.insertInto('containers').values({ id: 'a' });
  // @ts-expect-error sync alone writes
  postgres.updateTable('containers').set({ number: 'MSCU1234565' });
});

test('a driver with other parsers can have its own type of the database', () => {
  type Days = Database<Omit<PostgresValues, 'date'> & { date: string }>;
  expectTypeOf<Selectable<Days['containers']>['last_free_day']>().toEqualTypeOf<string | null>();
});
