import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RedisClient } from '../../src/internal/redis.ts';
import { redisLimiter } from '../../src/rate-limit/redis/redis-limiter.ts';
import { redisInbox } from '../../src/webhooks/inbox/redis-inbox.ts';
import { createRouter, createWorker, type InboxEntry } from '../../src/webhooks/index.ts';
import { hasProgram } from '../../support/needs.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';

let server: RedisServer;
const hasRedis = hasProgram('redis-server');
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const connect = {
  async redis() {
    const client = await createClient({ url: server.url }).connect();
    closers.push(() => client.destroy());
    return client as RedisClient;
  },
  async ioredis() {
    const client = new Redis(server.port, '127.0.0.1');
    closers.push(() => client.disconnect());
    return client as RedisClient;
  },
};

async function setUp(kind: keyof typeof connect) {
  const key = crypto.randomUUID();
  const warn = vi.fn();
  const inbox = redisInbox({ client: await connect[kind](), key, warn });
  const direct = await createClient({ url: server.url }).connect();
  closers.push(() => direct.destroy());
  const base = `container-tracking-sdk:{inbox:${key}}`;
  const send = (command: string, name: string, ...args: string[]) =>
    direct.sendCommand([command, `${base}:${name}`, ...args]);
  const configure = (name: string, value: string) => direct.sendCommand(['CONFIG', 'SET', name, value]);
  return { inbox, key, warn, send, configure };
}

/** The same client, with scripts that use this time instead of the clock of Redis. */
function onClock(client: RedisClient, time: { now: number }): RedisClient {
  return changing(client, script => {
    const reply = `{ '${Math.floor(time.now / 1000)}', '${(time.now % 1000) * 1000}' }`;
    return script.replaceAll("redis.call('TIME')", reply);
  });
}

/** The same client. Keeps a list of the scripts that it runs. */
function recording(client: RedisClient, scripts: string[]): RedisClient {
  return changing(client, script => {
    scripts.push(script);
    return script;
  });
}

/** The same client, but it changes each script. Redis therefore has none of the scripts in its cache. */
function changing(client: RedisClient, change: (script: string) => string): RedisClient {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === 'evalSha' || name === 'evalsha')
        return () => Promise.reject(new Error('NOSCRIPT No matching script.'));
      if (name !== 'eval') return typeof value === 'function' ? value.bind(target) : value;
      return (script: string, ...args: unknown[]) => Reflect.apply(value, target, [change(script), ...args]);
    },
  });
}

function entry(id: string, over: Partial<InboxEntry> = {}): InboxEntry {
  const notification = { data: { id, type: 'webhook_notification', attributes: { event: 'container.updated' } } };
  const body = new TextEncoder().encode(JSON.stringify(notification));
  return { id, event: 'container.updated', group: `container ${id}`, order: '', body, receivedAt: 1, ...over };
}

const entryClaim = { attempt: 1, lease: 'of nobody', fence: 1 };

describe.skipIf(!hasRedis).each(['redis', 'ioredis'] as const)('redisInbox with the package %s', kind => {
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  const take = async (inbox: Awaited<ReturnType<typeof setUp>>['inbox'], leaseMs = 10_000) => {
    const [claim] = await inbox.claim({ limit: 1, leaseMs });
    if (!claim) throw new Error('The inbox gave nothing.');
    return claim;
  };

  test('settles claims that are ended at the same time, even if Redis refuses one of them', async () => {
    const { inbox, send } = await setUp(kind);
    for (const id of ['a', 'b', 'c']) await inbox.put(entry(id));
    const claims = await inbox.claim({ limit: 3, leaseMs: 10_000 });
    await send('SET', 'group:container b', 'not a sorted set');
    const results = await Promise.allSettled(claims.map(claim => inbox.done(claim)));
    const refused = { status: 'rejected', reason: { message: expect.stringContaining('WRONGTYPE') } };
    expect(results).toMatchObject([{ value: true }, refused, { value: true }]);
  });

  test('refuses new entries when Redis is full, but a worker can still handle the stored entries', async () => {
    const { inbox, configure } = await setUp(kind);
    const ids = Array.from({ length: 20 }, (_, n) => `n${n}`);
    for (const id of ids) await inbox.put(entry(id, { group: `group ${id.at(-1)}` }));
    await configure('maxmemory-policy', 'noeviction');
    await configure('maxmemory', '1');
    closers.push(() => configure('maxmemory', '0'));
    await expect(inbox.put(entry('late'))).rejects.toThrow(/OOM/);

    const handled = new Set<string>();
    const failing = new Set(['n3', 'n7']);
    const dead: string[] = [];
    const router = createRouter().otherwise(notification => {
      if (failing.has(notification.id)) throw new Error('no');
      handled.add(notification.id);
    });
    const worker = createWorker({
      inbox,
      router,
      maxAttempts: 2,
      minDelay: 1,
      pollMs: 5,
      logger: false,
      onDead: death => dead.push(death.id),
    }).start();
    closers.push(() => worker.stop());
    await vi.waitFor(() => expect([handled.size, dead.sort()]).toEqual([18, ['n3', 'n7']]));
    expect(await inbox.deadLetters()).toHaveLength(2);
    // Claims and renewals also write, so some of them must succeed although Redis is full.
    await worker.stop();
    expect(await inbox.revive('n3')).toBe(true);
    const claim = await vi.waitFor(() => take(inbox));
    expect(await inbox.renew(claim, { leaseMs: 1000 })).toBe(true);
  });

  test('rebuilds a lost group from its entries, in their order, and reports the loss', async () => {
    const { inbox, warn, send } = await setUp(kind);
    for (const id of ['c', 'a', 'b']) await inbox.put(entry(id, { group: 'lost', order: id }));
    await inbox.put(entry('dead', { group: 'lost', poison: 'no' }));
    await inbox.put(entry('other'));
    await send('DEL', 'group:lost');
    const handled: string[] = [];
    await vi.waitFor(async () => {
      for (const claim of await inbox.claim({ limit: 10, leaseMs: 10_000 })) {
        handled.push(claim.entry.id);
        await inbox.done(claim);
      }
      expect(handled).toHaveLength(4);
    });
    expect(handled.filter(id => id !== 'other')).toEqual(['a', 'b', 'c']);
    expect(warn.mock.calls.flat()).toEqual([expect.stringContaining('"lost"')]);
    expect(await inbox.stats?.()).toEqual({ open: 0, dead: 1 });
    expect(await send('ZCOUNT', 'groups', '-inf', '(inf')).toBe(0);
  });

  test.each(['a put', 'the end of a claim'])('rebuilds a group that is lost before %s', async when => {
    const { inbox, send } = await setUp(kind);
    for (const id of ['a', 'b', 'c']) await inbox.put(entry(id, { group: 'lost', order: id }));
    const claim = await take(inbox);
    await send('DEL', 'group:lost');
    if (when === 'a put') await inbox.put(entry('d', { group: 'lost', order: 'd' }));
    expect(await inbox.done(claim)).toBe(true);
    const handled: string[] = [];
    await vi.waitFor(async () => {
      for (const next of await inbox.claim({ limit: 10, leaseMs: 10_000 })) {
        handled.push(next.entry.id);
        await inbox.done(next);
      }
      expect(handled).toHaveLength(when === 'a put' ? 3 : 2);
    });
    expect(new Set(handled)).toEqual(new Set(when === 'a put' ? ['b', 'c', 'd'] : ['b', 'c']));
  });

  test('removes a group without entries', async () => {
    const { inbox, warn, send } = await setUp(kind);
    await inbox.put(entry('a', { group: 'lost' }));
    await send('DEL', 'group:lost');
    await send('DEL', 'entry:a');
    await vi.waitFor(async () => {
      expect(await inbox.claim({ limit: 10, leaseMs: 1000 })).toEqual([]);
      expect(await send('ZCOUNT', 'groups', '-inf', '(inf')).toBe(0);
    });
    expect(warn).toHaveBeenCalledTimes(1);
  });

  describe('after the list of groups is lost', () => {
    async function handleAll(inbox: Awaited<ReturnType<typeof setUp>>['inbox'], count: number) {
      const handled: string[] = [];
      await vi.waitFor(async () => {
        for (const claim of await inbox.claim({ limit: 10, leaseMs: 10_000 })) {
          handled.push(claim.entry.id);
          await inbox.done(claim);
        }
        expect(handled).toHaveLength(count);
      });
      return handled;
    }

    test.each([
      ['a running process', true, false],
      ['a new process', false, false],
      ['a running process that stores another notification', true, true],
      ['a new process that stores another notification', false, true],
    ])('%s finds the groups again, in order, and reports the loss once', async (_, runs, isLate) => {
      const { inbox, key, warn, send } = await setUp(kind);
      for (const id of ['c', 'a', 'b']) await inbox.put(entry(id, { group: 'one', order: id }));
      await inbox.put(entry('other'));
      await inbox.put(entry('dead', { group: 'one', poison: 'no' }));
      if (runs) await inbox.claim({ limit: 1, leaseMs: 1, except: ['one', 'container other'] });
      await send('DEL', 'groups');
      if (isLate) await inbox.put(entry('late'));
      const worker = runs ? inbox : redisInbox({ client: await connect[kind](), key, warn });
      const handled = await handleAll(worker, isLate ? 5 : 4);
      expect(handled.filter(id => id.length === 1)).toEqual(['a', 'b', 'c']);
      expect(warn.mock.calls).toEqual([[expect.stringMatching(/^Redis has lost the list of the groups.*: 2\.$/)]]);
      expect(await inbox.stats?.()).toEqual({ open: 0, dead: 1 });
    });

    test('the inbox does not return a claimed group a second time', async () => {
      const { inbox, send } = await setUp(kind);
      for (const id of ['one', 'two', 'free']) await inbox.put(entry(id));
      const claims = await inbox.claim({ limit: 2, leaseMs: 10_000, except: ['container free'] });
      await send('DEL', 'groups');
      const found: string[] = [];
      await vi.waitFor(async () => {
        for (const claim of await inbox.claim({ limit: 10, leaseMs: 60_000 })) found.push(claim.entry.id);
        expect(found).toEqual(['free']);
        expect(await inbox.stats?.()).toEqual({ open: 3, dead: 0 });
      });
      expect(await inbox.claim({ limit: 10, leaseMs: 60_000 })).toEqual([]);
      for (const claim of claims) expect(await inbox.done(claim)).toBe(true);
      expect(await inbox.stats?.()).toEqual({ open: 1, dead: 0 });
    });

    test('the inbox also rebuilds a group that was lost with the list, in the order of its entries', async () => {
      const { inbox, send } = await setUp(kind);
      for (const id of ['c', 'a', 'b']) await inbox.put(entry(id, { group: 'one', order: id }));
      await send('DEL', 'groups');
      await send('DEL', 'group:one');
      expect(await handleAll(inbox, 3)).toEqual(['a', 'b', 'c']);
    });

    test('the inbox lists the keys of Redis in several steps, and only if a list is lost', async () => {
      const { key, warn, send } = await setUp(kind);
      const scripts: string[] = [];
      const inbox = redisInbox({ client: recording(await connect[kind](), scripts), key, warn });
      const scans = () => scripts.filter(script => script.includes("'SCAN'")).length;
      for (let turn = 0; turn < 3; turn++) await inbox.claim({ limit: 1, leaseMs: 10_000 });
      const ids = Array.from({ length: 2500 }, (_, n) => `n${n}`);
      await Promise.all(ids.map(id => inbox.put(entry(id))));
      const claims = await inbox.claim({ limit: 2500, leaseMs: 10_000 });
      await Promise.all(claims.map(claim => inbox.fail(claim, { error: 'no', retryInMs: 0 })));
      expect(scans()).toBe(0);
      await send('DEL', 'groups');
      await inbox.claim({ limit: 1, leaseMs: 10_000 });
      await vi.waitFor(() => expect(warn.mock.calls).toEqual([[expect.stringContaining(': 2500.')]]));
      expect(scans()).toBeGreaterThan(2);
      const before = scans();
      expect(await inbox.claim({ limit: 2500, leaseMs: 10_000 })).toHaveLength(2500);
      expect(scans()).toBe(before);
    });
  });

  test('finds dead letters again if their list is lost, with errors and times, and can revive them', async () => {
    const { inbox, warn, send } = await setUp(kind);
    await inbox.put(entry('poison', { poison: 'not JSON' }));
    for (const id of ['a', 'b', 'open']) await inbox.put(entry(id));
    for (const claim of await inbox.claim({ limit: 10, leaseMs: 10_000 })) {
      await inbox.fail(claim, { error: `no ${claim.entry.id}`, retryInMs: claim.entry.id === 'open' ? 0 : undefined });
    }
    const before = await inbox.deadLetters();
    expect(before.map(({ error }) => error).sort()).toEqual(['no a', 'no b', 'not JSON']);
    expect(await inbox.revive('b')).toBe(true);
    await send('DEL', 'dead');
    await inbox.claim({ limit: 1, leaseMs: 10_000, except: ['container open', 'container b'] });
    await vi.waitFor(() =>
      expect(warn.mock.calls).toEqual([
        [expect.stringMatching(/^Redis has lost the list of the dead letters.*: 2\.$/)],
      ]),
    );
    expect(await inbox.deadLetters()).toEqual(before.filter(({ id }) => id !== 'b'));
    expect(await inbox.stats?.()).toEqual({ open: 2, dead: 2 });
    expect(await inbox.revive('a')).toBe(true);
    const again = await inbox.claim({ limit: 10, leaseMs: 10_000 });
    expect(again.map(claim => claim.entry.id).sort()).toEqual(['a', 'b', 'open']);
  });

  test('converts an inbox of an earlier version, which has no marks, and does not report a loss', async () => {
    const { inbox, warn, send } = await setUp(kind);
    await inbox.put(entry('poison', { poison: 'not JSON' }));
    for (const id of ['a', 'b']) await inbox.put(entry(id));
    const before = [await inbox.deadLetters(), await inbox.stats?.()];
    await send('ZREMRANGEBYSCORE', 'groups', 'inf', 'inf');
    await send('ZREMRANGEBYSCORE', 'dead', 'inf', 'inf');
    await send('HDEL', 'entry:poison', 'diedAt');
    const taken: string[] = [];
    await vi.waitFor(async () => {
      for (const claim of await inbox.claim({ limit: 1, leaseMs: 10_000 })) taken.push(claim.entry.id);
      expect(await send('ZCOUNT', 'groups', 'inf', 'inf')).toBe(1);
    });
    expect([await inbox.deadLetters(), await inbox.stats?.()]).toEqual(before);
    expect(warn).not.toHaveBeenCalled();
    await send('DEL', 'dead');
    await vi.waitFor(async () => {
      for (const claim of await inbox.claim({ limit: 2, leaseMs: 10_000 })) taken.push(claim.entry.id);
      expect(await inbox.deadLetters()).toEqual(before[0]);
    });
    expect(new Set(taken).size).toBe(taken.length);
  });

  test('turns an entry whose content is lost into a dead letter, and continues with its group', async () => {
    const { inbox, warn, send } = await setUp(kind);
    for (const id of ['a', 'b']) await inbox.put(entry(id, { group: 'one', order: id }));
    await send('DEL', 'entry:a');
    const handled: string[] = [];
    const dead: string[] = [];
    const router = createRouter().otherwise(({ id }) => handled.push(id));
    const worker = createWorker({ inbox, router, pollMs: 5, logger: false, onDead: ({ id }) => dead.push(id) }).start();
    await vi.waitFor(() => expect([handled, dead]).toEqual([['b'], ['a']]));
    await worker.stop();
    const [letter] = await inbox.deadLetters();
    expect(letter).toMatchObject({ id: 'a', event: '', error: expect.stringContaining('has lost the content') });
    expect(letter?.body).toHaveLength(0);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('"a"')]]);
    // The id counts as unknown, so that recover() reads the notification again, and a repeated delivery is accepted.
    expect(await inbox.has('a')).toBe(false);
    expect(await inbox.put(entry('a', { group: 'two' }))).toBe('stored');
    expect(await inbox.deadLetters()).toEqual([]);
    expect((await take(inbox)).entry).toMatchObject({ id: 'a', group: 'two' });
  });

  describe('an entry that was lost and delivered again', () => {
    test.each(['works', 'fails'])('is handled once, or is one dead letter (its handler %s)', async how => {
      const { inbox, warn, send } = await setUp(kind);
      const some = { group: 'one', order: '1' };
      await inbox.put(entry('a', some));
      await send('DEL', 'entry:a');
      expect(await inbox.put(entry('a', some))).toBe('stored');
      await inbox.put(entry('b', { group: 'one', order: '2' }));
      const handled: string[] = [];
      const dead: string[] = [];
      const router = createRouter().otherwise(({ id }) => {
        handled.push(id);
        if (how === 'fails' && id === 'a') throw new Error('no');
      });
      const onDead = ({ id }: { id: string }) => dead.push(id);
      const settings = { inbox, router, maxAttempts: 2, minDelay: 1, pollMs: 5, logger: false, onDead } as const;
      const worker = createWorker(settings).start();
      await vi.waitFor(() => expect(handled).toContain('b'));
      await vi.waitFor(async () => expect((await inbox.stats?.())?.open).toBe(0));
      await worker.stop();
      expect(handled).toEqual(how === 'fails' ? ['a', 'a', 'b'] : ['a', 'b']);
      expect(dead).toEqual(how === 'fails' ? ['a'] : []);
      expect(await inbox.deadLetters()).toMatchObject(
        dead.map(id => ({ id, error: expect.stringContaining('no'), attempts: 2 })),
      );
      expect(warn).not.toHaveBeenCalled();
      expect(await send('EXISTS', 'group:one')).toBe(0);
      expect(await send('EXISTS', 'lost')).toBe(0);
    });

    test.each(['done', 'done, and its mark is lost too', 'dead'])(
      'is settled once if it was being handled: %s',
      async how => {
        const { inbox, warn, send } = await setUp(kind);
        await inbox.put(entry('a'));
        const claim = await take(inbox);
        await send('DEL', 'entry:a');
        expect(await inbox.put(entry('a'))).toBe('stored');
        if (how === 'dead') await inbox.fail(claim, { error: 'no', retryInMs: undefined });
        else await inbox.done(claim);
        if (how.includes('lost')) await send('DEL', 'done:a');
        expect(await inbox.claim({ limit: 10, leaseMs: 10_000 })).toEqual([]);
        expect(await inbox.stats?.()).toEqual({ open: 0, dead: how === 'dead' ? 1 : 0 });
        expect(await inbox.deadLetters()).toMatchObject(how === 'dead' ? [{ id: 'a', body: entry('a').body }] : []);
        expect(warn).not.toHaveBeenCalled();
      },
    );

    test('is returned again with its content if a worker has received it without its content', async () => {
      const { inbox, send } = await setUp(kind);
      await inbox.put(entry('a'));
      await send('DEL', 'entry:a');
      const empty = await take(inbox);
      expect(empty.entry.body).toHaveLength(0);
      expect(await inbox.has('a')).toBe(false);
      expect(await inbox.put(entry('a'))).toBe('stored');
      expect(await inbox.fail(empty, { error: 'no content', retryInMs: undefined })).toBe(false);
      const again = await take(inbox);
      expect(again.entry).toEqual(entry('a'));
      expect(await inbox.done(again)).toBe(true);
      expect(await inbox.claim({ limit: 10, leaseMs: 10_000 })).toEqual([]);
      expect(await inbox.stats?.()).toEqual({ open: 0, dead: 0 });
    });

    test('is stored again if it was waiting for its next attempt', async () => {
      const { inbox, send } = await setUp(kind);
      await inbox.put(entry('a'));
      const failed = await take(inbox);
      await send('DEL', 'entry:a');
      await inbox.fail(failed, { error: 'no', retryInMs: 0 });
      expect(await inbox.put(entry('a'))).toBe('stored');
      expect((await take(inbox)).entry).toEqual(entry('a'));
      expect(await inbox.stats?.()).toEqual({ open: 1, dead: 0 });
    });

    test('is only in the new group if its new delivery has another group', async () => {
      const { inbox, send } = await setUp(kind);
      await inbox.put(entry('a', { group: 'one' }));
      await send('DEL', 'entry:a');
      await inbox.put(entry('a', { group: 'two' }));
      const claims = await inbox.claim({ limit: 10, leaseMs: 10_000 });
      expect(claims.map(claim => claim.entry)).toEqual([entry('a', { group: 'two' })]);
      expect(await inbox.stats?.()).toEqual({ open: 1, dead: 0 });
    });
  });

  test('refuses an inbox of a newer version without changing it, and accepts an inbox without a mark', async () => {
    const { inbox, send } = await setUp(kind);
    await inbox.put(entry('a'));
    expect(await send('HGET', 'clock', 'format')).toBe('1');
    await send('HDEL', 'clock', 'format');
    expect(await inbox.put(entry('b'))).toBe('stored');
    await send('HSET', 'clock', 'format', '2');
    const claim = { ...entryClaim, entry: entry('a') };
    const calls = {
      put: () => inbox.put(entry('c')),
      claim: () => inbox.claim({ limit: 1, leaseMs: 1 }),
      renew: () => inbox.renew(claim, { leaseMs: 1 }),
      done: () => inbox.done(claim),
      fail: () => inbox.fail(claim, { error: 'no', retryInMs: 1 }),
      has: () => inbox.has('a'),
      deadLetters: () => inbox.deadLetters(),
      revive: () => inbox.revive('a'),
      stats: async () => inbox.stats?.(),
    };
    const message = expect.stringContaining(
      'have the format 2, and this version of container-tracking-sdk knows only 1',
    );
    for (const call of Object.values(calls)) {
      await expect(call()).rejects.toMatchObject({ name: 'ConfigurationError', message });
    }
    expect(await send('EXISTS', 'entry:c')).toBe(0);
    expect(await send('EXISTS', 'leases')).toBe(0);
  });

  test('reports losses through the logger of the worker if the inbox has no `warn`', async () => {
    const { send, key } = await setUp(kind);
    const inbox = redisInbox({ client: await connect[kind](), key });
    await inbox.put(entry('a'));
    await send('DEL', 'entry:a');
    const logger = { warn: vi.fn(), error: vi.fn() };
    const worker = createWorker({ inbox, router: createRouter(), pollMs: 5, logger }).start();
    await vi.waitFor(async () => expect(await inbox.deadLetters()).toHaveLength(1));
    await worker.stop();
    expect(logger.warn.mock.calls).toEqual([[expect.stringMatching(/^The inbox: Redis has lost .*"a"/)]]);
  });

  test('settles an entry whose content is lost during its handling, as done or as a dead letter', async () => {
    const { inbox, send } = await setUp(kind);
    await inbox.put(entry('a'));
    const done = await take(inbox);
    await send('DEL', 'entry:a');
    expect(await inbox.done(done)).toBe(true);
    expect(await inbox.has('a')).toBe(true);
    expect(await inbox.claim({ limit: 1, leaseMs: 1000 })).toEqual([]);

    for (const [id, retryInMs] of [
      ['b', undefined],
      ['c', 0],
    ] as const) {
      await inbox.put(entry(id));
      const failed = await take(inbox);
      await send('DEL', `entry:${id}`);
      expect(await inbox.fail(failed, { error: 'no', retryInMs })).toBe(true);
      for (const again of await inbox.claim({ limit: 1, leaseMs: 1000 })) {
        expect(again.entry).toMatchObject({ id: 'c', body: new Uint8Array() });
        await inbox.fail(again, { error: 'no', retryInMs: undefined });
      }
      expect(await inbox.deadLetters()).toContainEqual(expect.objectContaining({ id, body: new Uint8Array() }));
    }
  });

  test.each([
    ['was lost while it was handled', false],
    ['was lost afterwards', true],
  ])('allows a new delivery of a dead letter after revive() if its content %s', async (_, isLate) => {
    const { inbox, send } = await setUp(kind);
    await inbox.put(entry('b'));
    const failed = await take(inbox);
    if (!isLate) await send('DEL', 'entry:b');
    expect(await inbox.fail(failed, { error: 'no', retryInMs: undefined })).toBe(true);
    if (isLate) await send('DEL', 'entry:b');
    expect(await inbox.revive('b')).toBe(false);
    expect(await inbox.deadLetters()).toEqual([]);
    expect(await send('EXISTS', 'entry:b')).toBe(0);
    expect(await inbox.has('b')).toBe(false);
    expect(await inbox.put(entry('b'))).toBe('stored');
    expect((await take(inbox)).entry).toMatchObject({ id: 'b', body: entry('b').body });
  });

  test('does not delay ready groups if the clock of Redis is set back, and delays other groups by at most their original wait', async () => {
    const { key } = await setUp(kind);
    const time = { now: 1_800_000_000_000 };
    const inbox = redisInbox({ client: onClock(await connect[kind](), time), key });
    const claimed = async (limit = 10) => {
      const claims = await inbox.claim({ limit, leaseMs: 10_000 });
      return Object.fromEntries(claims.map(claim => [claim.entry.id, claim]));
    };
    for (const id of ['held', 'ready', 'waits']) {
      await inbox.put(entry(id));
      time.now += 1;
    }
    const { held, waits, ready } = await claimed();
    if (!held || !waits || !ready) throw new Error('not claimed');
    await inbox.fail(waits, { error: 'no', retryInMs: 300 });
    await inbox.fail(ready, { error: 'no', retryInMs: 0 });

    time.now -= 3_600_000;
    // The lease is renewed before the next claim, so that it has its full length.
    expect(await inbox.renew(held, { leaseMs: 10_000 })).toBe(true);
    const { ready: again, ...others } = await claimed();
    expect(others).toEqual({});
    expect(again && (await inbox.fail(again, { error: 'no', retryInMs: undefined }))).toBe(true);
    expect(await inbox.deadLetters()).toMatchObject([{ id: 'ready', diedAt: time.now }]);
    await inbox.put(entry('new'));
    expect(Object.keys(await claimed())).toEqual(['new']);
    time.now += 299;
    expect(await claimed()).toEqual({});
    time.now += 1;
    expect(Object.keys(await claimed())).toEqual(['waits']);

    // Sets the clock back again, while no group is ready.
    time.now -= 3_600_000;
    expect(await claimed()).toEqual({});
    time.now += 10_000;
    expect(Object.keys(await claimed()).sort()).toEqual(['held', 'new', 'waits']);
  });

  test('gives each new claim a higher number, even if Redis has lost its counter', async () => {
    const { inbox, send } = await setUp(kind);
    await inbox.put(entry('a'));
    await inbox.put(entry('b'));
    const fences: number[] = [];
    for (let n = 0; n < 4; n++) {
      if (n === 2) await send('DEL', 'fence');
      const claims = await inbox.claim({ limit: 2, leaseMs: 10_000 });
      for (const claim of claims) {
        fences.push(Number(claim.fence));
        await inbox.fail(claim, { error: 'no', retryInMs: 0 });
      }
    }
    expect(fences).toHaveLength(8);
    expect(fences.every(Number.isSafeInteger)).toBe(true);
    expect(fences.every((fence, n) => n === 0 || fence > (fences[n - 1] ?? 0))).toBe(true);
  });

  test('warns once about a Redis that may evict keys', async () => {
    const { inbox, warn, configure } = await setUp(kind);
    await inbox.has('a');
    expect(warn).not.toHaveBeenCalled();
    await configure('maxmemory-policy', 'allkeys-lru');
    closers.push(() => configure('maxmemory-policy', 'noeviction'));
    const { inbox: other, warn: told } = await setUp(kind);
    await other.has('a');
    await other.has('b');
    await vi.waitFor(() => expect(told.mock.calls).toEqual([[expect.stringContaining('allkeys-lru')]]));
    const limited = vi.fn();
    const limiter = redisLimiter({ client: await connect[kind](), key: crypto.randomUUID(), warn: limited });
    for (let n = 0; n < 2; n++) (await limiter.acquire({ bucket: 'default', priority: 'interactive' })).release();
    await vi.waitFor(() => expect(limited.mock.calls).toEqual([[expect.stringContaining('allkeys-lru')]]));
  });

  test('works without the permission to list keys, and warns once', async () => {
    const { inbox, warn, send } = await setUp(kind);
    await inbox.put(entry('a'));
    await send('DEL', 'groups');
    const acl = await createClient({ url: server.url }).connect();
    closers.push(() => acl.destroy());
    await acl.sendCommand(['ACL', 'SETUSER', 'default', '-scan']);
    closers.push(() => acl.sendCommand(['ACL', 'SETUSER', 'default', '+scan']));
    for (let turn = 0; turn < 5; turn++) {
      await inbox.put(entry(`b${turn}`));
      expect(await inbox.claim({ limit: 5, leaseMs: 10_000 })).toHaveLength(1);
      await vi.waitFor(() => expect(warn).toHaveBeenCalled());
    }
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^Redis could not be searched for .*: ./)]]);
    await acl.sendCommand(['ACL', 'SETUSER', 'default', '+scan']);
    await vi.waitFor(async () => expect((await take(inbox)).entry.id).toBe('a'));
  });

  test('works if Redis does not report its policy', async () => {
    const client = await connect[kind]();
    const acl = await createClient({ url: server.url }).connect();
    closers.push(() => acl.destroy());
    await acl.sendCommand(['ACL', 'SETUSER', 'default', '-info']);
    closers.push(() => acl.sendCommand(['ACL', 'SETUSER', 'default', '+info']));
    const warn = vi.fn();
    const inbox = redisInbox({ client, key: crypto.randomUUID(), warn });
    expect(await inbox.put(entry('a'))).toBe('stored');
    expect(await inbox.has('a')).toBe(true);
    expect(warn).not.toHaveBeenCalled();
  });

  test.each(['done', 'fail for ever', 'fail', 'renew'])('changes nothing if the lease was lost (%s)', async what => {
    const { inbox, send } = await setUp(kind);
    await inbox.put(entry('a'));
    const stale = await take(inbox, 1);
    const current = await vi.waitFor(() => take(inbox));
    expect(current.attempt).toBe(2);
    const state = async () => [
      await send('HGETALL', 'entry:a'),
      await send('ZRANGE', 'groups', '0', '-1', 'WITHSCORES'),
      await send('HGETALL', 'leases'),
      await send('ZRANGE', 'dead', '0', '-1'),
    ];
    const before = await state();
    const end = {
      done: () => inbox.done(stale),
      fail: () => inbox.fail(stale, { error: 'late', retryInMs: 1 }),
      'fail for ever': () => inbox.fail(stale, { error: 'late', retryInMs: undefined }),
      renew: () => inbox.renew(stale, { leaseMs: 1 }),
    }[what];
    expect(await end?.()).toBe(false);
    expect(await state()).toEqual(before);
    expect(await inbox.done(current)).toBe(true);
  });
});
