import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreError } from '../../src/internal/store-error.ts';
import { migration } from '../../src/sync/sql/migration.ts';
import { perform } from '../../src/sync/sql/state.ts';
import type { SyncRow } from '../../src/sync/store.ts';
import { canonical } from '../../src/sync/tables/canonical.ts';
import { describeTables, type Table } from '../../src/sync/tables/table.ts';
import { storePlaces } from '../../support/sync-places.ts';
import type { StorePlace } from '../../support/sync-stores.ts';

const places = storePlaces();

const T = Date.UTC(2026, 2, 9);

function container(id: string, seconds = 0): SyncRow {
  const record = {
    id,
    type: 'container',
    number: 'MSCU1234565',
    seal_number: `seal of ${id}`,
    weight_in_lbs: 40_000.5,
  };
  return { type: 'container', id, asOf: T + seconds * 1000, record };
}

/** The record as it is in the table. */
function stored(id: string): string {
  return JSON.stringify(canonical(container(id).record as object, new Set()));
}

/** The tables as an earlier version of the package described them. */
const EARLIER: readonly Table[] = describeTables().map(table =>
  table.type === 'container'
    ? { ...table, columns: table.columns.filter(({ name }) => !['seal_number', 'weight_in_lbs'].includes(name)) }
    : table,
);

describe.each(places)('in %s', (kind, makePlace) => {
  let place: StorePlace;
  beforeEach(() => {
    place = makePlace();
  });
  afterEach(() => place.remove());

  /** Migrates as another version does. Stops before the statement with the number `endsAt`, like a killed process. */
  async function migrateAs(
    tables: readonly Table[],
    { version, endsAt = Infinity }: { version?: number; endsAt?: number },
  ) {
    const { run, end } = await place.connect();
    let count = 0;
    const work = migration({ dialect: place.dialect, tables, store: 'test', ...(version && { version }) });
    let isOver = false;
    await perform(work, async statement => {
      count += 1;
      if (count > endsAt) isOver = true;
      // A process that is killed sends no ROLLBACK.
      if (isOver) throw new Error('killed');
      return run(statement);
    }).catch(error => {
      if (!isOver) throw error;
    });
    await end();
    return count;
  }

  test('the previous version of the tables is migrated with its rows', async () => {
    await migrateAs(describeTables(), { version: 1 });
    await place.sql(
      `INSERT INTO $.containers (id, record, as_of) VALUES ('a', '${stored('a')}', '2026-03-09T00:00:00.000Z')`,
    );
    await place.sql(`INSERT INTO $.sync_checkpoints (name, value) VALUES ('list', '{"page":7}')`);
    const store = place.open();
    expect(await store.migrate()).toEqual({ from: 1, to: 6 });
    expect(await store.checkpoint('list')).toEqual({ page: 7 });
    expect(await store.write({ rows: [container('a')] })).toMatchObject({ unchanged: 1 });
    expect(await place.sql('SELECT * FROM $.pickups')).toEqual([]);
    await store.close();
  });

  test('views of an earlier version are replaced, a view of the user that uses these views stays, and the new rules apply to all rows', async () => {
    const before = describeTables().map(table => ({
      ...table,
      columns: table.columns.filter(({ name }) => !['stage', 'pickup'].includes(name)),
    }));
    await migrateAs(before, { version: 1 });
    await place.sql(`UPDATE $.sync_schema SET version = 2`);
    // This view begins with the columns of the first version.
    await place.sql(`CREATE VIEW $.pickups AS SELECT c.id AS container_id, c.number FROM $.containers c`);
    if (kind === 'PostgreSQL') await place.sql(`CREATE VIEW $.mine AS SELECT number FROM $.pickups`);
    const gone = { number: 'MSCU1234565', current_status: 'picked_up', available_for_pickup: true };
    for (const [id, fields] of Object.entries({ a: gone, b: { ...gone, current_status: 'available' } })) {
      const text = JSON.stringify(canonical({ id, type: 'container', ...fields }, new Set()));
      await place.sql(`INSERT INTO $.containers (id, record, ready_for_pickup) VALUES ('${id}', '${text}', '1')`);
    }
    const store = place.open();
    expect(await store.migrate()).toEqual({ from: 2, to: 6 });
    expect(await place.sql('SELECT container_id, stage, pickup FROM $.pickups')).toMatchObject([
      { container_id: 'b', stage: 'at_port', pickup: 'yes' },
    ]);
    const [ready] = await place.sql(`SELECT ready_for_pickup AS ready FROM $.containers WHERE id = 'a'`);
    expect(Boolean(ready?.ready)).toBe(false);
    if (kind === 'PostgreSQL') expect(await place.sql('SELECT * FROM $.mine')).toHaveLength(1);
    await store.close();
  });

  test('the last free day in a store of version 3 is replaced by the earliest last free day', async () => {
    const before = describeTables().map(table => ({
      ...table,
      columns: table.columns.filter(({ name }) => !name.startsWith('last_free_day_')),
    }));
    await migrateAs(before, { version: 1 });
    await place.sql(`UPDATE $.sync_schema SET version = 3`);
    const record = {
      id: 'a',
      type: 'container',
      current_status: 'available',
      pod_timezone: 'America/New_York',
      pickup_lfd: '2026-03-14T04:00:00Z',
      import_deadlines: {
        pickup_lfd_line: '2026-03-14T04:00:00Z',
        pickup_lfd_terminal: '2026-03-12T04:00:00Z',
        pickup_lfd_rail: null,
      },
    };
    const text = JSON.stringify(canonical(record, new Set()));
    await place.sql(`INSERT INTO $.containers (id, record, last_free_day) VALUES ('a', '${text}', '2026-03-14')`);
    const store = place.open();
    expect(await store.migrate()).toEqual({ from: 3, to: 6 });
    const [row] = await place.sql(
      `SELECT CAST(last_free_day AS text) AS day, last_free_day_source AS source, last_free_day_timezone AS zone FROM $.pickups`,
    );
    expect(row).toMatchObject({ day: '2026-03-12', source: 'terminal', zone: 'America/New_York' });
    await store.close();
  });

  test('a JSON value of any kind is stored as its JSON text, also in the rows of a store of version 5', async () => {
    await migrateAs(describeTables(), { version: 5 });
    const values = { number: 5, boolean: true, text: '1.0', list: ['x'], missing: null };
    for (const [id, value] of Object.entries(values)) {
      const record = JSON.stringify({ id, type: 'custom_field', value });
      const before = kind === 'SQLite' ? "'5.0'" : `'${JSON.stringify(value)}'`;
      await place.sql(
        `INSERT INTO $.custom_fields (id, record, value) VALUES ('${id}', '${record}', ${value && before})`,
      );
    }
    const store = place.open();
    expect(await store.migrate()).toEqual({ from: 5, to: 6 });
    const rows = Object.entries(values).map(([id, value]): SyncRow => {
      return {
        type: 'custom_field',
        id: `new ${id}`,
        asOf: T,
        record: { id: `new ${id}`, type: 'custom_field', value } as object as SyncRow['record'],
      };
    });
    await store.write({ rows });
    const found = await place.sql('SELECT id, CAST(value AS text) AS value FROM $.custom_fields');
    const texts = { number: '5', boolean: 'true', text: '"1.0"', list: '["x"]', missing: null };
    expect(Object.fromEntries(found.map(({ id, value }) => [id, value]))).toEqual({
      ...texts,
      ...Object.fromEntries(Object.entries(texts).map(([id, text]) => [`new ${id}`, text])),
    });
    await store.close();
  });

  test('columns and tables of a later version are added and filled, and a column that the user has added stays', {
    timeout: 60_000,
  }, async () => {
    await migrateAs(
      EARLIER.filter(({ type }) => type !== 'party'),
      {},
    );
    await place.sql(`ALTER TABLE $.containers ADD COLUMN note text`);
    const ids = Array.from({ length: 1101 }, (_, index) => `c${index}`);
    const rows = ids.map(id => `('${id}', '${stored(id)}', '2026-03-09T00:00:00.000Z', 'note')`);
    await place.sql(`INSERT INTO $.containers (id, record, as_of, note) VALUES ${rows.join(',')}`);
    await place.sql(`INSERT INTO $.containers (id, deleted_at) VALUES ('gone', '2026-03-09T00:00:00.000Z')`);
    const store = place.open();
    // An earlier version of the package gets an error with the remedy.
    await expect(store.write({ rows: [] })).rejects.toMatchObject({ code: 'store_outdated' });
    await store.migrate();
    const filled = await place.sql(`SELECT id, seal_number, weight_in_lbs, note FROM $.containers WHERE id <> 'gone'`);
    expect(filled.length).toBe(1101);
    expect(
      filled.filter(
        ({ id, seal_number, weight_in_lbs, note }) =>
          seal_number !== `seal of ${id}` || Number(weight_in_lbs) !== 40_000.5 || note !== 'note',
      ),
    ).toEqual([]);
    expect(await store.write({ rows: [container('c1', 1), container('new')] })).toMatchObject({
      written: 1,
      unchanged: 1,
    });
    const party = { id: 'p', type: 'party', company_name: 'Acme' };
    expect(await store.write({ rows: [{ type: 'party', id: 'p', asOf: T, record: party }] })).toMatchObject({
      written: 1,
    });
    expect(await place.sql(`SELECT note FROM $.containers WHERE id = 'c1'`)).toMatchObject([{ note: 'note' }]);
    await store.close();
  });

  test('a migration that was interrupted after any statement continues after that statement', {
    timeout: 120_000,
  }, async () => {
    const whole = await migrateAs(describeTables(), {});
    const [columns, version] = [await place.columns('containers'), await place.open().status()];
    const step = kind === 'SQLite' ? 11 : 17;
    for (let endsAt = 1; endsAt < whole; endsAt += step) {
      await place.remove();
      place = makePlace();
      await migrateAs(describeTables(), { endsAt });
      const store = place.open();
      await store.migrate();
      expect(await store.status()).toEqual(version);
      expect(await place.columns('containers')).toEqual(columns);
      expect(await store.write({ rows: [container('a')] })).toMatchObject({ written: 1 });
      await store.close();
    }
  });

  test('an interrupted filling of new columns continues, and rows that were written in between stay', {
    timeout: 60_000,
  }, async () => {
    await migrateAs(EARLIER, {});
    const ids = Array.from({ length: 1100 }, (_, index) => `c${String(index).padStart(4, '0')}`);
    const rows = ids.map(id => `('${id}', '${stored(id)}', '2026-03-09T00:00:00.000Z')`);
    await place.sql(`INSERT INTO $.containers (id, record, as_of) VALUES ${rows.join(',')}`);
    // The migration stops after the first 500 rows or, at the latest, before the last statement.
    let after = '';
    for (let endsAt = 10; after === ''; endsAt += 2) {
      await migrateAs(describeTables(), { endsAt });
      const [state] = await place.sql('SELECT filling FROM $.sync_schema');
      after = JSON.parse(String(state?.filling)).containers?.after ?? '';
    }
    expect(after).toBe('c0499');
    const store = place.open();
    const changed = container('c1050', 1);
    await store.write({
      rows: [{ ...changed, record: Object.assign({}, changed.record, { seal_number: 'another' }) }],
    });
    await store.migrate();
    const wrong = await place.sql(
      `SELECT id, seal_number FROM $.containers WHERE seal_number IS NULL OR seal_number <> 'seal of ' || id`,
    );
    expect(wrong).toEqual([{ id: 'c1050', seal_number: 'another' }]);
    expect(await place.sql('SELECT filling FROM $.sync_schema')).toMatchObject([{ filling: '{}' }]);
    await store.close();
  });

  test('a store of a newer version is refused before anything is written', async () => {
    const store = place.open();
    await store.migrate();
    await store.write({ rows: [container('a')] });
    await place.sql('UPDATE $.sync_schema SET version = 99, revision = revision + 1');
    for (const call of [
      () => store.migrate(),
      () => store.write({ rows: [container('b')] }),
      () => place.open().checkpoint('x'),
    ]) {
      const error: unknown = await call().catch(error => error);
      expect(error).toBeInstanceOf(StoreError);
      expect(error).toMatchObject({ code: 'store_newer', message: expect.stringContaining('version 99') });
    }
    expect(await place.sql('SELECT id FROM $.containers')).toMatchObject([{ id: 'a' }]);
    await store.close();
  });

  test('a running program gets an error at its next write if its store has a new column of a newer version', async () => {
    const store = place.open();
    await store.migrate();
    await store.write({ rows: [container('a')] });
    const later = describeTables().map(table =>
      table.type === 'container'
        ? { ...table, columns: [...table.columns, { name: 'colour', kind: 'text' as const, from: () => 'red' }] }
        : table,
    );
    await migrateAs(later, {});
    const error = await store.write({ rows: [container('b')] }).catch(error => error);
    expect(error).toMatchObject({ code: 'store_newer', message: expect.stringContaining('containers.colour') });
    expect(await place.sql('SELECT id, colour FROM $.containers')).toMatchObject([{ id: 'a', colour: 'red' }]);
    await store.close();
  });

  test('write calls wait during a migration, and do not fail', { timeout: 60_000 }, async () => {
    await migrateAs(EARLIER, {});
    const stores = [place.open(), place.open()];
    await Promise.all(stores.map(store => store.migrate()));
    const later = describeTables().map(table =>
      table.type === 'vessel' ? { ...table, columns: table.columns } : table,
    );
    const writes = Array.from({ length: 20 }, (_, index) =>
      stores[index % 2]?.write({ rows: [container(`w${index}`)] }),
    );
    await Promise.all([...writes, migrateAs(later, {}), ...stores.map(store => store.migrate())]);
    expect((await stores[0]?.status())?.tables.find(({ type }) => type === 'container')?.rows).toBe(20);
    await Promise.all(stores.map(store => store.close()));
  });
});
