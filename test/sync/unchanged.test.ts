import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SyncRow } from '../../src/sync/store.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { postgresPlace, type StorePlace, sqlitePlace } from '../../support/sync-stores.ts';

let postgres: PostgresServer | undefined;

beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});

afterAll(() => postgres?.stop());

const places: Record<string, () => StorePlace> = { SQLite: sqlitePlace };
if (hasPostgres) places.PostgreSQL = () => postgresPlace(postgres as PostgresServer);

const RECORDS = 200;

/** The rows of a pass that begins `seconds` after the first pass. */
function pass(seconds: number): SyncRow[] {
  return Array.from({ length: RECORDS }, (_, index) => {
    const id = `c${String(index).padStart(4, '0')}`;
    const texts = Object.fromEntries(
      Array.from({ length: 40 }, (_, field) => [`field_${field}`, `${id} ${field} `.repeat(5)]),
    );
    return {
      type: 'container' as const,
      id,
      asOf: Date.UTC(2026, 2, 9) + seconds * 1000,
      record: { id, type: 'container', number: 'MSCU1234565', ...texts },
    };
  });
}

function change(row: SyncRow, number: string): SyncRow {
  const record: object = { ...row.record, number };
  return { ...row, record: record as SyncRow['record'] };
}

/** Statements that create triggers. The triggers record the ids of the rows that are written. */
const COUNT_WRITES: Record<StorePlace['kind'], string[]> = {
  sqlite: ['INSERT', 'UPDATE'].map(
    event =>
      `CREATE TRIGGER mine_${event} BEFORE ${event} ON containers BEGIN INSERT INTO mine (id) VALUES (new.id); END`,
  ),
  postgres: [
    `CREATE FUNCTION $.mine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('INSERT INTO %I.mine (id) VALUES ($1)', TG_TABLE_SCHEMA) USING new.id; RETURN new; END $$`,
    'CREATE TRIGGER mine BEFORE INSERT OR UPDATE ON $.containers FOR EACH ROW EXECUTE FUNCTION $.mine()',
  ],
};

describe.each(Object.keys(places))('in %s', kind => {
  let place: StorePlace;
  beforeEach(() => {
    place = (places[kind] as () => StorePlace)();
  });
  afterEach(() => place.remove());

  test('records that are read again without a change fire no trigger of the user', async () => {
    const store = place.open();
    await store.migrate();
    await store.write({ rows: pass(0) });
    await place.sql('CREATE TABLE $.mine (id text)');
    for (const sql of COUNT_WRITES[place.kind]) await place.sql(sql);
    expect(await store.write({ rows: pass(60) })).toMatchObject({ written: 0, unchanged: RECORDS });
    expect(await place.sql('SELECT * FROM $.mine')).toEqual([]);
    // The rows still have the time of the second pass, and changes are written.
    expect(await store.unseen('container', { before: Date.UTC(2026, 2, 9) + 1000, limit: 9 })).toEqual([]);
    const [first] = pass(120) as [SyncRow];
    const changed = change(first, 'TGHU0000000');
    expect(await store.write({ rows: [changed] })).toMatchObject({ written: 1 });
    expect(await place.sql('SELECT DISTINCT id FROM $.mine')).toEqual([{ id: first.id }]);
    await store.close();
  });

  test('rows that a user has removed come back as soon as the records are read at a later time', async () => {
    const store = place.open();
    await store.migrate();
    await store.write({ rows: pass(0) });
    await place.sql('DELETE FROM $.containers');
    expect(await store.write({ rows: pass(0) })).toMatchObject({ written: 0, unchanged: 0 });
    expect(await store.write({ rows: pass(1) })).toMatchObject({ written: RECORDS });
    await store.close();
  });

  test('two processes that write the same records at the same time leave the newest content', async () => {
    const stores = [place.open(), place.open()];
    await stores[0]?.migrate();
    for (let round = 0; round < 10; round += 1) {
      const [older, newer, newest] = [pass(round * 10 + 1), pass(round * 10 + 2), pass(round * 10 + 3)];
      await Promise.all([
        stores[0]?.write({ rows: older.map(row => change(row, 'older')) }),
        stores[1]?.write({ rows: newest.map(row => change(row, `newest ${round}`)) }),
        stores[0]?.write({ rows: newer }),
      ]);
      expect(await place.sql('SELECT DISTINCT number FROM $.containers')).toEqual([{ number: `newest ${round}` }]);
    }
    for (const store of stores) await store.close();
  }, 30_000);
});

test.skipIf(!hasPostgres)('a pass without changes writes less than 1 kB of WAL for each record', async () => {
  const place = postgresPlace(postgres as PostgresServer);
  const store = place.open();
  await store.migrate();
  await store.write({ rows: pass(0) });
  const position = async () => (await place.sql('SELECT pg_current_wal_insert_lsn() AS lsn'))[0]?.lsn;
  const written: number[] = [];
  // The first pass after a checkpoint also writes whole pages.
  for (const [index, sql] of ['CHECKPOINT', 'SELECT 1'].entries()) {
    await place.sql(sql);
    const before = await position();
    await store.write({ rows: pass(60 * (index + 1)) });
    const [row] = await place.sql('SELECT pg_current_wal_insert_lsn() - $1::pg_lsn AS bytes', before);
    written.push(Number(row?.bytes) / RECORDS);
  }
  expect(Math.max(...written)).toBeLessThan(1000);
  await store.close();
  await place.remove();
});
