import { expect, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { createSync, type SyncOptions } from '../../src/sync/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { frontOf } from '../../support/sync-front.ts';
import { memoryStore } from './memory-store.ts';

async function made(options: object = {}) {
  const front = await frontOf(stillSandbox());
  const make = () =>
    createSync({ client: front.client(), store: memoryStore(), logger: false, ...options } as SyncOptions);
  return { front, make };
}

function withoutHistory() {
  const { historyAt, trimHistory, ...store } = memoryStore();
  return store;
}

test.each<[string, object, string]>([
  ['a webhook that is not an address', { webhook: { url: 'my-host' } }, 'webhook.url is "my-host"'],
  ['an empty secret', { webhook: { url: 'https://my-host.example/', secret: '' } }, 'webhook.secret is blank'],
  [
    'events that are not a list',
    { webhook: { url: 'https://my-host.example/', events: 'all' } },
    'webhook.events is "all"',
  ],
  ['an empty list of events', { webhook: { url: 'https://my-host.example/', events: [] } }, 'webhook.events is empty'],
  [
    'a misspelt option of the webhook',
    { webhook: { url: 'https://my-host.example/', event: [] } },
    'webhook has no event',
  ],
  ['a logger without methods', { logger: {} }, 'logger has no method warn'],
  ['no client', { client: undefined }, 'client is missing; pass a TrackingClient.'],
  ['no store', { store: undefined }, 'store is missing; pass a store, such as sqliteStore'],
  ['a client without methods', { client: {} }, 'client has no method request'],
  ['a store without a method', { store: { ...memoryStore(), due: undefined } }, 'store has no method due'],
  ['a share above 1', { share: 1.5 }, 'share is 1.5'],
  ['a window that is not a duration', { windowMs: 0 }, 'windowMs is 0'],
  ['a misspelt interval', { every: { recconcile: 1 } }, 'every has no recconcile'],
  ['a history that is neither true nor settings', { history: 'yes' }, 'history is "yes"'],
  ['a misspelt setting of the history', { history: { keepdays: 1 } }, 'history has no keepdays'],
  ['a history of less than a day', { history: { keepDays: 0 } }, 'history.keepDays is 0'],
  ['a history without fields', { history: { fields: {} } }, 'history.fields is empty'],
  ['a history of an unknown type', { history: { fields: { box: ['number'] } } }, 'A type in history.fields is "box"'],
  [
    'a history of a field that is not a column',
    { history: { fields: { container: ['eta'] } } },
    'history.fields.container has "eta", which is not a column of its table',
  ],
  [
    'a history of records that are not stored',
    { tables: ['shipment'], history: { fields: { container: ['current_status'] } } },
    'history.fields has container, which is not among tables',
  ],
  [
    'a history in a store that cannot keep a history',
    { store: withoutHistory(), history: true },
    'The store (memory) keeps no history',
  ],
  ['an empty list of tables', { tables: [] }, 'tables must be an array of record types'],
])('createSync() refuses %s before it sends a request', async (_, options, message) => {
  const { front, make } = await made(options);
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow(message);
  expect(front.paths).toEqual([]);
});

test.each(['migrate', 'backfill', 'once', 'follow', 'reconcile', 'run'] as const)(
  '%s() refuses an argument whose signal it would ignore',
  async method => {
    const { front, make } = await made();
    const sync = make();
    const { signal } = new AbortController();
    await expect(sync[method](signal as never)).rejects.toThrow('The argument is a AbortSignal');
    await expect(sync[method]({ singal: signal } as never)).rejects.toThrow('The argument has no singal');
    await expect(sync[method]({ signal: {} } as never)).rejects.toThrow('signal is an object');
    expect(front.paths).toEqual([]);
  },
);

test('on() refuses a type of event that does not exist, and a value that is not a function', async () => {
  const { make } = await made();
  const sync = make();
  expect(() => sync.on('progres' as never, () => {})).toThrow(
    'The type of the event is "progres"; use one of: migrated',
  );
  expect(() => sync.on('progress', 'x' as never)).toThrow('The listener is "x"; it must be a function.');
});
