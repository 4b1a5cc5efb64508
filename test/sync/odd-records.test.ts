import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSync, type SyncEvent } from '../../src/sync/index.ts';
import type { SyncStore } from '../../src/sync/store.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { frontOf } from '../../support/sync-front.ts';
import { postgresPlace, type StorePlace, sqlitePlace } from '../../support/sync-stores.ts';

let postgres: PostgresServer;

beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
}, 30_000);

afterAll(() => postgres?.stop());

/** A long text of random characters, which no compression can shorten. */
const long = (characters: number) =>
  Array.from({ length: characters }, () => String.fromCodePoint(0x1_f300 + Math.floor(Math.random() * 500))).join('');

interface Wire {
  type: string;
  id: string;
  attributes: Record<string, unknown>;
  relationships?: Record<string, unknown>;
}

const container = (id: string, attributes: Record<string, unknown> = {}): Wire => ({
  ...{ type: 'container', id },
  attributes: { number: 'MSCU1234565', ...attributes },
});

/** Syncs a page of containers, as the service might send it, into a store. */
async function sync(store: SyncStore, ...data: Wire[]) {
  const front = await frontOf(stillSandbox());
  const body = JSON.stringify({ data, meta: { total: data.length }, links: {} });
  front.instead = (path, query) => {
    if (path === '/containers' && query.get('page[size]') === '100') return { status: 200, body };
    return path.startsWith('/containers/') ? { status: 404 } : undefined;
  };
  const own = createSync({
    client: front.client(),
    store,
    tables: ['container', 'port'],
    logger: false,
    acceptOtherAccount: true,
  });
  const events: SyncEvent[] = [];
  for (const type of ['misfit', 'skipped'] as const) own.on(type, event => events.push(event));
  await own.migrate();
  await own.backfill();
  return { own, events };
}

function cases(place: () => StorePlace): void {
  function newPlace() {
    const made = place();
    const store = made.open();
    onTestFinished(async () => {
      await store.close();
      await made.remove();
    });
    return { made, store };
  }

  test('a text that is too long for an index is stored in the record, and other records are stored too', async () => {
    const { made, store } = newPlace();
    const number = long(5000);
    const { events } = await sync(store, container('a', { number }), container('b'));
    const rows = await made.sql('SELECT id, number, record FROM $.containers ORDER BY id');
    expect(rows.map(row => row.number)).toEqual([null, 'MSCU1234565']);
    const record = rows[0]?.record;
    expect((typeof record === 'string' ? JSON.parse(record) : record).number).toBe(number);
    const expected = 'text of at most 600 characters';
    expect(events).toMatchObject([{ type: 'misfit', column: 'number', expected, count: 1, example: 'a' }]);
  });

  test('the longest text that an indexed column accepts is stored', async () => {
    const { made, store } = newPlace();
    // Each of these characters has two code units, and four bytes.
    const number = long(300);
    await sync(store, container('a', { number }));
    expect(await made.sql('SELECT number FROM $.containers')).toEqual([{ number }]);
  });

  test('an id that no store accepts is reported, and other records are stored', async () => {
    const { made, store } = newPlace();
    const ids = ['a\0b', '\uD83D', long(1000), ''];
    const { events } = await sync(store, ...ids.map(id => container(id)), container('b'));
    expect(await made.sql('SELECT id FROM $.containers')).toEqual([{ id: 'b' }]);
    expect(events.map(event => event.type === 'skipped' && event.record?.id)).toEqual(ids);
  });

  test('a value causes no read if it looks like a reference to an id that no store accepts', async () => {
    const { made, store } = newPlace();
    const odd = ['\0', '\uDC00', long(1000)].map(id => ({ type: 'port', id }));
    await sync(store, container('a', { odd, one: odd[0] }));
    expect(await made.sql('SELECT id FROM $.containers')).toEqual([{ id: 'a' }]);
    expect((await store.status()).due).toBe(0);
  });

  test('SQL in texts, names of fields and ids is never executed', async () => {
    const { made, store } = newPlace();
    const sql = `'; DROP TABLE containers; --"\\'$1\${x}%s?`;
    await sync(store, container(sql, { number: sql, [sql]: { [sql]: sql } }));
    const [row] = await made.sql('SELECT id, number FROM $.containers');
    expect(row).toEqual({ id: sql, number: sql });
  });

  test('records with times of any year, numbers of any size or deeply nested values are stored', async () => {
    const { made, store } = newPlace();
    let deep: unknown = 1;
    for (let level = 0; level < 500; level += 1) deep = [deep];
    const times = ['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '+123456-01-01T00:00:00Z'];
    const records = [
      ...times.map((pickup_lfd, index) => container(`t${index}`, { pickup_lfd })),
      ...[1e308, -1e-308, 2 ** 63, '1e5', '9'.repeat(400)].map((weight_in_lbs, index) =>
        container(`w${index}`, { weight_in_lbs }),
      ),
      container('deep', { deep }),
      container('wide', { text: 'x'.repeat(3_000_000), __proto__: { polluted: true } }),
      container('nulls', { text: 'a\0b\uD83Dc', '\0': '\0' }),
    ];
    const { own } = await sync(store, ...records);
    expect(await made.sql('SELECT count(*) AS rows FROM $.containers')).toEqual([
      { rows: expect.toSatisfy(rows => Number(rows) === records.length) },
    ]);
    // A second reading changes nothing, so the stored rows are correct.
    expect(await own.reconcile()).toMatchObject({ written: 0, deleted: 0 });
  });
}

describe('the store in SQLite', () => cases(sqlitePlace));
describe.skipIf(!hasPostgres)('the store in PostgreSQL', () => cases(() => postgresPlace(postgres)));
