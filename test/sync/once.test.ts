import { describe, expect, onTestFinished, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { createSync } from '../../src/sync/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { frontOf } from '../../support/sync-front.ts';
import { storePlaces } from '../../support/sync-places.ts';
import type { StorePlace } from '../../support/sync-stores.ts';

async function set(place: StorePlace) {
  onTestFinished(() => place.remove());
  const sandbox = stillSandbox({ shipments: 4 });
  return async () => {
    const front = await frontOf(sandbox);
    const store = place.open();
    onTestFinished(() => store.close());
    // The timeouts are the long defaults, because the machine may be busy.
    const service = { baseUrl: front.baseUrl, apiKey: 'sandbox', rateLimit: false, logger: false } as const;
    const client = new TrackingClient({ ...service, retry: { limit: 0 } });
    const sync = createSync({ client, store, logger: false });
    const phases: string[] = [];
    sync.on('started', ({ phase }) => phases.push(phase));
    return { front, sync, phases };
  };
}

const places = storePlaces();

describe.each(places)('once(), with a store in %s,', (_, place) => {
  test('fills an empty store with a back-fill, and reconciles a store that was filled before', async () => {
    const start = await set(place());
    const first = await start();
    expect(await first.sync.once()).toMatchObject({ resumed: false, deleted: 0 });
    const second = await start();
    await second.sync.once();
    expect([first.phases, second.phases]).toEqual([['backfill'], ['reconcile']]);
  });

  test('rejects immediately if another process reads into the store, and sends no request', async () => {
    const start = await set(place());
    const [reader, late] = [await start(), await start()];
    let refusal: unknown;
    reader.front.instead = async path => {
      if (path === '/documents') refusal ??= await late.sync.once().catch(error => error);
      return undefined;
    };
    await reader.sync.once();
    const message = expect.stringContaining('Another process reads into the store (');
    expect(refusal).toMatchObject({ name: 'StoreError', code: 'store_busy', message });
    expect([reader.phases, late.phases, late.front.paths]).toEqual([['backfill'], [], []]);
    // The store is free when the first call has ended.
    await late.sync.once();
    expect(late.phases).toEqual(['reconcile']);
  });

  test('reads again the lists that an interrupted call had read, since the lists may have changed', async () => {
    const start = await set(place());
    const first = await start();
    const controller = new AbortController();
    const reason = new Error('The job was stopped.');
    first.front.instead = path => {
      if (path !== '/documents' || first.phases.length === 0) return undefined;
      controller.abort(reason);
      return 'hang';
    };
    await expect(first.sync.once({ signal: controller.signal })).rejects.toBe(reason);
    const second = await start();
    expect(await second.sync.once()).toMatchObject({ resumed: false });
    expect(second.phases).toEqual(['backfill', 'reconcile']);
  });
});
