import { describe, expect, onTestFinished, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { createSync, StoreError } from '../../src/sync/index.ts';
import type { DueRead, JsonValue } from '../../src/sync/store.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { frontOf } from '../../support/sync-front.ts';
import { storePlaces } from '../../support/sync-places.ts';

const DAY = 86_400_000;

const places = storePlaces();

describe.each(places)('the status, with a store in %s', (_, place) => {
  async function set() {
    const at = place();
    onTestFinished(() => at.remove());
    const store = at.open();
    onTestFinished(() => store.close());
    const sandbox = stillSandbox({ shipments: 2 });
    const front = await frontOf(sandbox);
    // The timeouts are the long defaults, because the machine may be busy.
    const service = { baseUrl: front.baseUrl, apiKey: 'sandbox', rateLimit: false, logger: false } as const;
    const client = new TrackingClient({ ...service, retry: { limit: 0 } });
    const sync = () => createSync({ client, store, logger: false });
    return { sandbox, front, store, sync };
  }

  test('has the time up to which changes were read, also while the lists are read again', async () => {
    const { sandbox, front, sync } = await set();
    expect(await sync().status()).toMatchObject({ version: 0, readAt: undefined });
    await sync().once();
    const { readAt: first = Number.NaN } = await sync().status();
    expect(first).toBeGreaterThan(0);
    sandbox.advance({ days: 1 });
    front.instead = path => (path === '/documents' ? { status: 500 } : undefined);
    await expect(sync().once()).rejects.toMatchObject({ status: 500 });
    expect(await sync().status()).toMatchObject({ readAt: first });
    front.instead = () => undefined;
    await sync().once();
    // The time of the service is known with an error of at most some seconds.
    const { readAt: second = Number.NaN } = await sync().status();
    expect(Math.abs(second - first - DAY)).toBeLessThan(DAY / 24);
  });

  test('has a later time after each search for missed notifications, unless there is a gap', async () => {
    const { store, sync } = await set();
    await sync().once();
    const { readAt = Number.NaN } = await sync().status();
    const save = (name: string, value: JsonValue) => store.write({ rows: [], checkpoint: { name, value } });
    await save('recovery', { until: '2026-03-09T00:00:00.000Z', accounted: [], at: readAt + DAY });
    expect(await sync().status()).toMatchObject({ readAt: readAt + DAY });
    expect(await sync().readAt()).toBe(readAt + DAY);
    await save('gap', true);
    expect(await sync().status()).toMatchObject({ readAt });
    expect(await sync().readAt()).toBe(readAt);
  });

  test('has the time up to which changes were read only after the store is filled', async () => {
    const { sync } = await set();
    await expect(sync().readAt()).rejects.toThrow(StoreError);
    await sync().migrate();
    expect(await sync().readAt()).toBeUndefined();
  });

  test('has the time at which the oldest due read began to wait', async () => {
    const { store, sync } = await set();
    await sync().migrate();
    expect(await sync().status()).toMatchObject({ due: 0, oldestDue: undefined });
    const due = [5000, 2000, 9000].map(
      (since, id): DueRead => ({ type: 'container', id: `c${id}`, since, token: `t${id}` }),
    );
    await store.write({ rows: [], due });
    expect(await sync().status()).toMatchObject({ due: 3, oldestDue: 2000 });
  });
});
