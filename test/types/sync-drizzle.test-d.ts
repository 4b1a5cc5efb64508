import { eq, gt } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import { expectTypeOf, test } from 'vitest';
import type { TerminalHold } from '../../src/index.ts';
import { type PostgresTables, postgresTables, type SqliteTables, sqliteTables } from '../../src/sync/drizzle/index.ts';

declare const postgres: NodePgDatabase<PostgresTables>;
declare const sqlite: BaseSQLiteDatabase<'async', unknown, SqliteTables>;

test('the tables of both databases give values of the same types', () => {
  const [one, other] = [postgresTables(), sqliteTables()];
  type Row = typeof one.containers.$inferSelect;
  expectTypeOf<typeof other.containers.$inferSelect>().toEqualTypeOf<Row>();
  expectTypeOf<Row['id']>().toEqualTypeOf<string>();
  expectTypeOf<Row['weight_in_lbs']>().toEqualTypeOf<number | null>();
  expectTypeOf<Row['last_free_day']>().toEqualTypeOf<string | null>();
  expectTypeOf<Row['pod_discharged_at']>().toEqualTypeOf<Date | null>();
  expectTypeOf<Row['ready_for_pickup']>().toEqualTypeOf<boolean | null>();
  expectTypeOf<Row['holds_at_pod_terminal']>().toEqualTypeOf<TerminalHold[] | null>();
  expectTypeOf<Row['transport_event_ids']>().toEqualTypeOf<string[] | null>();
});

test('the result of a query has the types of the selected columns, also with joins and views', () => {
  const { containers, shipments, on_time } = postgresTables({ schema: 'mirror' });
  const rows = postgres
    .select({ number: containers.number, arrival: shipments.pod_eta_at })
    .from(containers)
    .innerJoin(shipments, eq(shipments.id, containers.shipment_id))
    .where(gt(shipments.pod_eta_at, new Date()));
  expectTypeOf(rows).resolves.toEqualTypeOf<{ number: string | null; arrival: Date | null }[]>();
  const late = postgres.select({ days: on_time.days_late, isOnTime: on_time.is_on_time }).from(on_time);
  expectTypeOf(late).resolves.toEqualTypeOf<{ days: number; isOnTime: boolean }[]>();
});

test('a relation returns one row or several rows', async () => {
  const [shipment] = await sqlite.query.shipments.findMany({
    columns: { bill_of_lading_number: true },
    with: { containers: { columns: { number: true } }, pod_terminal: { columns: { name: true } } },
  });
  expectTypeOf(shipment?.containers).toEqualTypeOf<{ number: string | null }[] | undefined>();
  expectTypeOf(shipment?.pod_terminal).toEqualTypeOf<{ name: string | null } | null | undefined>();
  // @ts-expect-error a relation that does not exist
  await sqlite.query.shipments.findMany({ with: { boxes: true } });
});

test('nothing can be inserted or updated', () => {
  const { containers } = sqliteTables();
  // @ts-expect-error sync alone writes
  sqlite.insert(containers).values({ id: 'a', number: 'MSCU1234565' });
  // @ts-expect-error sync alone writes
  sqlite.update(containers).set({ number: 'MSCU1234565' });
});

test('an option with an unknown name is refused', () => {
  // @ts-expect-error a name that does not exist
  postgresTables({ schemas: 'mirror' });
});
