import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { createSync, type SyncOptions } from '../../src/sync/index.ts';
import { fakeNotification } from '../../src/webhooks/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { frontOf } from '../../support/sync-front.ts';
import { storePlaces } from '../../support/sync-places.ts';
import type { StorePlace } from '../../support/sync-stores.ts';

const places = storePlaces();

describe.each(places)('the history, with a store in %s', (_, makePlace) => {
  async function set() {
    const place = makePlace();
    onTestFinished(() => place.remove());
    const store = place.open();
    onTestFinished(() => store.close());
    const sandbox = stillSandbox({ shipments: 6 });
    const front = await frontOf(sandbox);
    const client = new TrackingClient({ baseUrl: front.baseUrl, apiKey: 'sandbox', rateLimit: false, logger: false });
    const sync = (options: Partial<SyncOptions>) => createSync({ client, store, logger: false, ...options });
    return { place, store, sandbox, sync };
  }

  const statuses = async (place: StorePlace) =>
    Object.fromEntries(
      (await place.sql('SELECT id, current_status FROM $.containers')).map(({ id, current_status }) => [
        String(id),
        current_status,
      ]),
    );

  test('statusAt() returns the account as it was at any earlier time', async () => {
    const { place, sandbox, sync } = await set();
    const withHistory = sync({ history: true });
    const days: { at: Date; known: Record<string, unknown> }[] = [];
    for (const day of [0, 4, 8]) {
      await withHistory.once();
      const status = await withHistory.status();
      days.push({ at: new Date(status.readAt ?? 0), known: await statuses(place) });
      if (day < 8) sandbox.advance({ days: 4 });
    }
    expect(days[0]?.known).not.toEqual(days[2]?.known);
    // A minute later, because rows are dated by their requests.
    for (const { at, known } of days) {
      const { records } = await withHistory.statusAt(new Date(at.getTime() + 60_000));
      const found = records.filter(({ type }) => type === 'container');
      expect(Object.fromEntries(found.map(({ id, fields }) => [id, fields.current_status]))).toEqual(known);
    }
    expect((await withHistory.statusAt(new Date('2020-01-01'))).records).toEqual([]);
  });

  test('the fields of statusAt() have the values of the records, and holds are an object of statuses by name', async () => {
    const { store, sync } = await set();
    const fields = { container: ['weight_in_lbs', 'availability_known', 'ref_numbers', 'holds_at_pod_terminal'] };
    const withHistory = sync({ history: { fields } });
    await withHistory.migrate();
    const holds = [
      { name: 'customs', status: 'hold', description: '' },
      { name: 'freight', status: 'pending', description: '' },
    ];
    const values = { weight_in_lbs: 40_000.5, availability_known: false, ref_numbers: ['a'] };
    const record = { id: 'a', type: 'container', ...values, holds_at_pod_terminal: holds };
    await store.write({ rows: [{ type: 'container', id: 'a', asOf: Date.UTC(2026, 2, 9), record }], history: fields });
    expect(await withHistory.statusAt(new Date('2026-03-10'))).toEqual({
      at: Date.UTC(2026, 2, 10),
      records: [
        {
          ...{ type: 'container', id: 'a' },
          fields: { ...values, holds_at_pod_terminal: { customs: 'hold', freight: 'pending' } },
        },
      ],
    });
  });

  test('a pass over all lists removes periods that ended more than keepDays ago', async () => {
    const { place, sandbox, sync } = await set();
    const withHistory = sync({ history: { keepDays: 3 } });
    const ended = async () =>
      Number((await place.sql('SELECT count(*) AS n FROM $.history WHERE valid_until IS NOT NULL'))[0]?.n);
    await withHistory.once();
    sandbox.advance({ days: 4 });
    await withHistory.once();
    expect(await ended()).toBeGreaterThan(0);
    sandbox.advance({ days: 4 });
    const before = await withHistory.statusAt(new Date('2030-01-01'));
    await sync({ history: { keepDays: 1000 } }).once();
    const kept = await ended();
    await withHistory.once();
    expect(await ended()).toBeLessThan(kept);
    expect((await withHistory.statusAt(new Date('2030-01-01'))).records).toHaveLength(before.records.length);
  });

  test('a process without the option warns once that its changes are missing in the history', async () => {
    const { store, sync } = await set();
    const warnings: string[] = [];
    const logger = { warn: (message: string) => void warnings.push(message), error: () => {} };
    await sync({ logger }).once();
    await sync({ history: true, logger }).once();
    await sync({ history: true, logger }).once();
    expect(warnings).toEqual([]);
    const without = sync({ logger });
    const events: string[] = [];
    without.on('history', ({ message }) => events.push(message));
    await without.once();
    await without.once();
    await without.handler(fakeNotification('container.updated'));
    const message = `The store (${store.description}) has a history, but this process does not have the option history, so its changes are missing in the history. Set history to the same value in every process, or to false if this is intended.`;
    expect(events).toEqual([message]);
    expect(warnings).toEqual([`sync: ${message}`]);
  });

  test('a process that only handles notifications warns too', async () => {
    const { sync } = await set();
    await sync({ history: true }).once();
    const warnings: string[] = [];
    const { handler } = sync({ logger: { warn: message => void warnings.push(message), error: () => {} } });
    await handler(fakeNotification('container.updated'));
    await handler(fakeNotification('container.updated'));
    expect(warnings).toEqual([expect.stringContaining('does not have the option history')]);
  });

  test('a process with `history: false` does not warn, but a process with other fields warns', async () => {
    const { sync } = await set();
    const warnings: string[] = [];
    const logger = { warn: (message: string) => void warnings.push(message), error: () => {} };
    await sync({ history: { fields: { container: ['pickup_lfd', 'current_status'] } } }).once();
    await sync({ history: false, logger }).once();
    await sync({ history: { fields: { container: ['current_status', 'pickup_lfd'] } }, logger }).once();
    expect(warnings).toEqual([]);
    await sync({ history: { fields: { container: ['current_status'] } }, logger }).once();
    const fields = 'container.current_status, container.pickup_lfd';
    expect(warnings).toEqual([expect.stringContaining(`had a history of other fields: ${fields}.`)]);
  });

  test('without the option there is no table and no view of the history', async () => {
    const { place, sync } = await set();
    await sync({}).once();
    for (const name of ['history', 'sync_history', 'eta_slips', 'holds_over_time', 'dwell', 'on_time']) {
      await expect(place.sql(`SELECT 1 FROM $.${name}`)).rejects.toThrow();
    }
    await expect(sync({}).statusAt(new Date())).rejects.toThrow('There is no history');
  });

  test('a store that was migrated without the history requires another migration, which keeps its rows', async () => {
    const { place, sync } = await set();
    await sync({}).once();
    const before = await statuses(place);
    const withHistory = sync({ history: true });
    await expect(withHistory.reconcile()).rejects.toMatchObject({ code: 'store_outdated' });
    await expect(withHistory.statusAt(new Date())).rejects.toThrow('call migrate({ history: true }) first');
    await withHistory.migrate();
    await withHistory.migrate();
    await withHistory.reconcile();
    expect(await statuses(place)).toEqual(before);
    expect((await withHistory.statusAt(new Date('2030-01-01'))).records.length).toBeGreaterThan(0);
  });

  test('statusAt() refuses a value that is not a date', async () => {
    const { sync } = await set();
    const withHistory = sync({ history: true });
    await expect(withHistory.statusAt('2026-03-09' as never)).rejects.toThrow(
      'The argument of statusAt() is "2026-03-09"',
    );
    await expect(withHistory.statusAt(new Date(Number.NaN))).rejects.toThrow('it must be a Date');
  });
});

describe.each(places)('the guide, with a store in %s', (_, makePlace) => {
  const guide = readFileSync(new URL('../../docs/guides/sql.md', import.meta.url), 'utf8');
  const queries = [
    'Which estimates of arrival moved',
    'How long did customs hold',
    'In which status were',
    'How many shipments arrived on time',
  ].map(question => guide.split(`\n### ${question}`)[1]?.match(/```sql\n([^`]*)```/)?.[1] ?? '');

  test('has queries with the expected results from a history', async () => {
    const place = makePlace();
    onTestFinished(() => place.remove());
    const store = place.open();
    onTestFinished(() => store.close());
    const day = (count: number) => Date.UTC(2026, 2, 9) + count * 86_400_000;
    const rowsOf = (count: number) => {
      const eta = new Date(day(4 + count)).toISOString();
      const ata = count === 3 ? { pod_ata_at: eta } : {};
      const holds = count === 1 || count === 2 ? [{ name: 'Customs', status: 'hold', description: '' }] : [];
      return [
        {
          ...{ type: 'shipment' as const, id: 's', asOf: day(count) },
          record: { id: 's', type: 'shipment', shipping_line_name: 'Maersk', pod_eta_at: eta, ...ata },
        },
        {
          ...{ type: 'container' as const, id: 'c', asOf: day(count) },
          record: Object.assign(
            { id: 'c', type: 'container', current_status: 'grounded', holds_at_pod_terminal: holds },
            { shipment: { type: 'shipment', id: 's' } },
          ),
        },
      ];
    };
    await store.migrate({ history: true });
    await store.write({
      rows: [0, 1, 2, 3].flatMap(rowsOf),
      history: { shipment: ['pod_eta_at'], container: ['current_status', 'holds_at_pod_terminal'] },
    });
    const answers: unknown[] = [];
    for (const query of queries) {
      const rows = await place.sql(query.replace(/FROM (\w+)/, 'FROM $.$1').replace(/;\s*$/, ''));
      answers.push(
        rows.map(row => Object.values(row).map(value => (Number.isNaN(Number(value)) ? value : Number(value)))),
      );
    }
    // The arrival is read a day after it happened, and counts as one of the moved estimates.
    expect(answers).toEqual([
      [['Maersk', 0, 3, 1]],
      [['Maersk', 0, 1, 2, 2]],
      [['Maersk', 0, 'grounded', 1]],
      [['Maersk', 0, 1, 0, 3]],
    ]);
  });
});
