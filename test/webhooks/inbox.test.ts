import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import type { RedisClient } from '../../src/internal/redis.ts';
import { type PostgresClient, postgresInbox } from '../../src/postgres.ts';
import { redisInbox } from '../../src/webhooks/inbox/redis-inbox.ts';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import {
  type Claim,
  createRouter,
  createWorker,
  fakeDelivery,
  fromQueue,
  type Inbox,
  type InboxEntry,
  memoryInbox,
  type Worker,
} from '../../src/webhooks/index.ts';
import { hasProgram } from '../../support/needs.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';

interface Store {
  inbox: Inbox;
  /** Opens the same store again, as another process would. */
  again(): Promise<Inbox>;
  /** Number of groups that the store counts as waiting, if it can report this. */
  groups?(): Promise<number>;
  close(): unknown;
}

const HOUR = 3_600_000;

const stores: Record<string, (retentionMs: number) => Promise<Store>> = {
  async memory(retentionMs) {
    const inbox = memoryInbox({ ephemeral: true, retentionMs });
    return { inbox, again: async () => inbox, close() {} };
  },
  async sqlite(retentionMs) {
    const directory = mkdtempSync(join(tmpdir(), 'inbox-'));
    const opened: ReturnType<typeof sqliteInbox>[] = [];
    const open = () => {
      const inbox = sqliteInbox(join(directory, 'inbox.db'), { retentionMs });
      opened.push(inbox);
      return inbox;
    };
    return {
      inbox: open(),
      again: async () => open(),
      close() {
        for (const inbox of opened) inbox.close();
        rmSync(directory, { recursive: true });
      },
    };
  },
  async redis(retentionMs) {
    const client = await createClient({ url: String(redis?.url) }).connect();
    const key = crypto.randomUUID();
    const open = () => redisInbox({ client: client as RedisClient, key, retentionMs });
    return { inbox: open(), again: async () => open(), close: () => client.destroy() };
  },
  async ioredis(retentionMs) {
    const client = new Redis(String(redis?.url));
    const key = crypto.randomUUID();
    const open = () => redisInbox({ client: client as RedisClient, key, retentionMs });
    return { inbox: open(), again: async () => open(), close: () => client.disconnect() };
  },
  postgres: openPostgres,
  'postgres, whose transactions are serializable': retentionMs => openPostgres(retentionMs, 'serializable'),
};

async function openPostgres(retentionMs: number, isolation?: string): Promise<Store> {
  const schema = crypto.randomUUID();
  const pools: Pool[] = [];
  const open = async () => {
    const pool = new Pool({ ...postgres?.connection, ...withIsolation(isolation) });
    pools.push(pool);
    return postgresInbox({ pool, schema, retentionMs });
  };
  return {
    inbox: await open(),
    again: open,
    groups: async () => Number((await pools[0]?.query(`SELECT count(*) FROM "${schema}".inbox_groups`))?.rows[0].count),
    close: () => Promise.all(pools.map(pool => pool.end())),
  };
}

/** Options for a connection whose transactions have this isolation level by default. */
function withIsolation(isolation: string | undefined) {
  return isolation && { options: `-c default_transaction_isolation=${isolation.replaceAll(' ', '\\ ')}` };
}

let redis: RedisServer | undefined;
let postgres: PostgresServer | undefined;
const hasRedis = hasProgram('redis-server');

beforeAll(async () => {
  if (hasRedis) redis = await startRedis();
  if (hasPostgres) postgres = await startPostgres();
});

afterAll(async () => {
  await redis?.stop();
  await postgres?.stop();
});

let count = 0;
function entry(over: Partial<InboxEntry> = {}): InboxEntry {
  count += 1;
  const id = over.id ?? `n${count}`;
  const body = new TextEncoder().encode(`{"id":"${id}"}`);
  return {
    id,
    event: 'container.updated',
    group: `container ${id}`,
    order: '',
    body,
    receivedAt: 1000 + count,
    ...over,
  };
}

const names = Object.keys(stores).filter(
  name => (hasRedis || !name.includes('redis')) && (hasPostgres || !name.includes('postgres')),
);

describe.each(names)('the inbox in %s', name => {
  let store: Store | undefined;
  async function open(retentionMs = HOUR): Promise<Store> {
    store = await (stores[name] as (retentionMs: number) => Promise<Store>)(retentionMs);
    return store;
  }
  afterEach(async () => {
    await store?.close();
    store = undefined;
  });

  async function claim(inbox: Inbox, limit = 10, leaseMs = 10_000) {
    return inbox.claim({ limit, leaseMs });
  }
  /** Ends the lease. Before this call the lease is long, so that it does not end too early on a slow machine. */
  async function letRunOut(inbox: Inbox, taken: Claim) {
    expect(await inbox.renew(taken, { leaseMs: 1 })).toBe(true);
    await sleep(5);
  }
  async function idsOf(inbox: Inbox, limit?: number) {
    return (await claim(inbox, limit)).map(({ entry }) => entry.id);
  }

  test('returns the stored entry unchanged', async () => {
    const { inbox } = await open();
    const body = new Uint8Array([0xef, 0xbb, 0xbf, 0, 1, 0xff, 0xfe, 0x22]);
    const put = entry({ body, group: 'container "1\'', order: '2026-01-01T00:00:00.000Z ü' });
    expect(await inbox.put(put)).toBe('stored');
    const [taken] = await claim(inbox);
    expect(taken).toMatchObject({ attempt: 1, entry: { ...put, body: expect.anything() } });
    expect([...(taken?.entry.body ?? [])]).toEqual([...body]);
  });

  test('stores a notification once, even if several processes receive it several times', async () => {
    const { inbox, again } = await open();
    const other = await again();
    const put = entry();
    const outcomes = await Promise.all([inbox.put(put), other.put(put), inbox.put(put), other.put({ ...put })]);
    expect(outcomes.sort()).toEqual(['duplicate', 'duplicate', 'duplicate', 'stored']);
    expect(await idsOf(inbox)).toEqual([put.id]);
    expect(await idsOf(other)).toEqual([]);
  });

  test('recognises a duplicate of an entry that is being handled, was handled, or is a dead letter', async () => {
    const { inbox } = await open();
    const [handled, dead] = [entry(), entry()];
    await inbox.put(handled);
    await inbox.put(dead);
    const claims = await claim(inbox);
    expect(await inbox.put(handled)).toBe('duplicate');
    for (const one of claims) {
      if (one.entry.id === handled.id) await inbox.done(one);
      else await inbox.fail(one, { error: 'no', retryInMs: undefined });
    }
    expect(await inbox.put(handled)).toBe('duplicate');
    expect(await inbox.put(dead)).toBe('duplicate');
    expect(await idsOf(inbox)).toEqual([]);
  });

  test('finds an entry with has() if the entry waits, was handled, or is a dead letter', async () => {
    const { inbox, again } = await open();
    const [handled, dead, poison] = [entry(), entry(), entry({ poison: 'no' })];
    expect(await inbox.has(handled.id)).toBe(false);
    for (const one of [handled, dead, poison]) await inbox.put(one);
    const other = await again();
    const hasAll = () => Promise.all([handled, dead, poison].map(({ id }) => other.has(id)));
    expect(await hasAll()).toEqual([true, true, true]);
    for (const one of await claim(inbox)) {
      if (one.entry.id === handled.id) await inbox.done(one);
      else await inbox.fail(one, { error: 'no', retryInMs: undefined });
    }
    expect(await hasAll()).toEqual([true, true, true]);
    expect(await other.has('another')).toBe(false);
  });

  test('forgets only handled notifications, when their retention is over', async () => {
    const { inbox } = await open(20);
    const [handled, waiting, dead] = [entry(), entry(), entry({ poison: 'no' })];
    await inbox.put(handled);
    const [first] = await claim(inbox);
    await inbox.put(waiting);
    await inbox.put(dead);
    expect(first && (await inbox.done(first))).toBe(true);
    await sleep(40);
    await claim(inbox, 1, 1);
    expect(await inbox.has(handled.id)).toBe(false);
    expect(await inbox.put(handled)).toBe('stored');
    expect(await inbox.put(waiting)).toBe('duplicate');
    expect(await inbox.put(dead)).toBe('duplicate');
  });

  test('returns one entry of a group at a time, in the byte order of the field `order`', async () => {
    const { inbox } = await open();
    for (const order of ['a', 'B', '1']) await inbox.put(entry({ id: `a${order}-${name}`, group: 'a', order }));
    await inbox.put(entry({ id: `b-${name}`, group: 'b' }));
    const handled: string[] = [];
    for (;;) {
      const claims = await claim(inbox);
      if (claims.length === 0) break;
      expect(new Set(claims.map(({ entry }) => entry.group)).size).toBe(claims.length);
      for (const one of claims) {
        handled.push(one.entry.id);
        await inbox.done(one);
      }
    }
    expect(handled.filter(id => id.startsWith('a'))).toEqual([`a1-${name}`, `aB-${name}`, `aa-${name}`]);
    expect(handled).toContain(`b-${name}`);
  });

  test('returns entries with equal `order` in the order of their arrival', async () => {
    const { inbox } = await open();
    const entries = Array.from({ length: 12 }, () => entry({ group: 'same', order: 'same' }));
    for (const one of entries) await inbox.put(one);
    const handled: string[] = [];
    for (let [one] = await claim(inbox); one; [one] = await claim(inbox)) {
      handled.push(one.entry.id);
      await inbox.done(one);
    }
    expect(handled).toEqual(entries.map(({ id }) => id));
  });

  test('returns no more entries than the limit, and a busy group does not delay other groups', async () => {
    const { inbox } = await open();
    for (let n = 0; n < 3; n++) await inbox.put(entry({ group: 'busy' }));
    await inbox.put(entry({ id: `other-${name}`, group: 'other' }));
    const [busy, ...more] = await claim(inbox, 1);
    expect(more).toEqual([]);
    await sleep(2);
    if (busy) await inbox.done(busy);
    expect(await idsOf(inbox, 1)).toEqual([`other-${name}`]);
  });

  test('returns an entry again when its lease is over, and then ignores the first claim', async () => {
    const { inbox, again } = await open();
    const other = await again();
    await inbox.put(entry());
    const [first] = await claim(inbox, 1);
    if (!first) throw new Error('not claimed');
    expect(await idsOf(other)).toEqual([]);
    await letRunOut(inbox, first);
    const [second] = await claim(other);
    expect(second).toMatchObject({ attempt: 2, entry: { id: first.entry.id } });
    if (!second) throw new Error('not claimed');
    expect(await inbox.done(first)).toBe(false);
    expect(await inbox.renew(first, { leaseMs: 10 })).toBe(false);
    expect(await inbox.fail(first, { error: 'late', retryInMs: 0 })).toBe(false);
    expect(await inbox.fail(first, { error: 'late', retryInMs: undefined })).toBe(false);
    expect(await other.done(second)).toBe(true);
    expect(await other.done(second)).toBe(false);
  });

  test('does not count an unused claim as an attempt, and delays the entry for the requested time', async () => {
    const { inbox, again } = await open();
    await inbox.put(entry());
    for (let n = 0; n < 3; n++) {
      const [taken, ...more] = await claim(inbox, 10);
      expect([taken?.attempt, more]).toEqual([1, []]);
      const unused = { error: 'unused', retryInMs: n === 2 ? 10_000 : 0, isAttempt: false };
      expect(taken && (await inbox.fail(taken, unused))).toBe(true);
      expect(taken && (await inbox.fail(taken, unused))).toBe(false);
    }
    expect(await claim(await again())).toEqual([]);
    await inbox.put(entry());
    const [counted] = await claim(inbox);
    expect(counted && (await inbox.fail(counted, { error: 'no', retryInMs: 0, isAttempt: true }))).toBe(true);
    expect((await claim(inbox))[0]?.attempt).toBe(2);
  });

  test('treats an entry with an unsettled claim as a suspect: its attempts count only if its handler runs alone', async () => {
    const { inbox, again } = await open();
    const other = await again();
    await inbox.put(entry());
    const take = async (one: Inbox) => {
      const [taken] = await one.claim({ limit: 1, leaseMs: 10_000, begins: true });
      if (!taken) throw new Error('not claimed');
      return taken;
    };
    const counts = ({ attempt, begunAlone }: Claim) => [attempt, begunAlone];
    const beside = await take(inbox);
    expect(counts(beside)).toEqual([1, undefined]);
    await letRunOut(inbox, beside);
    const unused = await take(other);
    expect(counts(unused)).toEqual([2, 0]);
    expect(await other.fail(unused, { error: 'unused', retryInMs: 0, isAttempt: false })).toBe(true);
    const notBegun = await take(inbox);
    expect(counts(notBegun)).toEqual([2, 0]);
    await letRunOut(inbox, notBegun);
    const alone = await take(other);
    expect(counts(alone)).toEqual([2, 0]);
    expect(await inbox.begin?.(notBegun)).toBe(false);
    expect(await other.begin?.(alone)).toBe(true);
    expect(await other.begin?.(alone)).toBe(true);
    await letRunOut(other, alone);
    const begun = await take(inbox);
    expect(counts(begun)).toEqual([3, 1]);
    expect(await inbox.fail(begun, { error: 'no', retryInMs: 0 })).toBe(true);
    expect(counts(await take(inbox))).toEqual([3, undefined]);
  });

  test('keeps the number of attempts of a suspect that becomes a dead letter, and resets the number in revive()', async () => {
    const { inbox } = await open();
    const put = entry();
    await inbox.put(put);
    const [beside] = await inbox.claim({ limit: 1, leaseMs: 10_000, begins: true });
    await letRunOut(inbox, beside as Claim);
    const [suspect] = await inbox.claim({ limit: 1, leaseMs: 10_000, begins: true });
    expect(suspect && (await inbox.fail(suspect, { error: 'no', retryInMs: undefined }))).toBe(true);
    expect(await inbox.deadLetters()).toMatchObject([{ id: put.id, attempts: 1 }]);
    expect(await inbox.revive(put.id)).toBe(true);
    const [again] = await inbox.claim({ limit: 1, leaseMs: 10_000, begins: true });
    expect([again?.attempt, again?.begunAlone]).toEqual([1, undefined]);
  });

  test('stores each of several simultaneous entries once, even if other entries fail', async () => {
    const { inbox } = await open();
    const [one, other] = [entry(), entry({ group: 'g', order: '1' })];
    // Every store except `memory` refuses this entry.
    const refused = { ...entry(), body: null as never };
    const puts = [one, refused, other, { ...one }, entry({ group: 'g', order: '2' })].map(put => inbox.put(put));
    const results = await Promise.allSettled(puts);
    const outcomes = results.map(result => (result.status === 'fulfilled' ? result.value : result.status));
    const ofRefused = name === 'memory' ? 'stored' : 'rejected';
    expect(outcomes.toSorted()).toEqual(['duplicate', ofRefused, 'stored', 'stored', 'stored'].toSorted());
    expect(outcomes[1]).toBe(ofRefused);
    const claimed = (await idsOf(inbox)).filter(id => id !== refused.id);
    expect(claimed.toSorted()).toEqual([one.id, other.id].toSorted());
  });

  test('settles claims that are ended at the same time, each with its own result', async () => {
    const { inbox } = await open();
    const ids = ['done', 'again', 'dead', 'lost'];
    for (const id of ids) await inbox.put(entry({ id, group: id }));
    const claims = new Map((await claim(inbox)).map(taken => [taken.entry.id, taken]));
    const taken = (id: string) => claims.get(id) as Claim;
    await letRunOut(inbox, taken('lost'));
    await claim(inbox);
    const results = await Promise.all([
      inbox.done(taken('done')),
      inbox.fail(taken('again'), { error: 'no', retryInMs: 0 }),
      inbox.done(taken('lost')),
      inbox.fail(taken('dead'), { error: 'for ever', retryInMs: undefined }),
    ]);
    expect(results).toEqual([true, true, false, true]);
    expect(await idsOf(inbox)).toEqual(['again']);
    expect(await inbox.deadLetters()).toMatchObject([{ id: 'dead', error: 'for ever' }]);
  });

  describe('ends the long wait of a worker', () => {
    async function working() {
      const opened = await open();
      const handled: string[] = [];
      const router = createRouter().otherwise(({ id }) => handled.push(id));
      const worker = createWorker({ inbox: opened.inbox, router, pollMs: HOUR }).start();
      const next = async (inbox: Inbox, id: string) => {
        const document = fakeDelivery('container.updated');
        document.data.id = id;
        await inbox.put(entry({ id, body: new TextEncoder().encode(JSON.stringify(document)) }));
        await vi.waitFor(() => expect(handled).toContain(id));
      };
      return { ...opened, worker, next };
    }

    test('each time that the same inbox stores an entry', async () => {
      const { inbox, again, worker, next } = await working();
      await next(inbox, 'own');
      const other = await again();
      for (let n = 0; n < 20; n += 1) await next(n % 2 ? inbox : other, `n${n}`);
      await worker.stop();
    });

    test('when the next attempt of a failed handler is due', async () => {
      const { inbox } = await open();
      const attempts: number[] = [];
      const router = createRouter().otherwise((_, { attempt }) => {
        attempts.push(attempt);
        if (attempt < 4) throw new Error('not yet');
      });
      const worker = createWorker({ inbox, router, pollMs: HOUR, minDelay: 20, logger: false }).start();
      const body = new TextEncoder().encode(JSON.stringify(fakeDelivery('container.updated')));
      await inbox.put(entry({ body }));
      await vi.waitFor(() => expect(attempts).toEqual([1, 2, 3, 4]));
      await worker.stop();
    });

    test('when a dead letter is revived', async () => {
      const { inbox, again, worker, next } = await working();
      await next(inbox, 'first');
      await inbox.put(entry({ id: 'dead', poison: 'no' }));
      await (await again()).revive('dead');
      // The entry becomes a dead letter again, because its body is not a notification.
      await vi.waitFor(async () => expect(await inbox.deadLetters()).toMatchObject([{ attempts: 1 }]));
      await worker.stop();
    });
  });

  describe('when a handler ends the process', () => {
    /** Claims the entry and lets the lease end, as if the process had ended. Begins the handler of a suspect. */
    async function crash(inbox: Inbox, times: number) {
      for (let n = 0; n < times; n++) {
        const [taken] = await inbox.claim({ limit: 1, leaseMs: 10_000, begins: true });
        if (!taken) throw new Error('not claimed');
        if (taken.begunAlone !== undefined) expect(await inbox.begin?.(taken)).toBe(true);
        await letRunOut(inbox, taken);
      }
    }
    /** Works until the entry is a dead letter. Resolves to the number of times that its handler was called. */
    async function work(inbox: Inbox, maxAttempts: number) {
      let calls = 0;
      const router = createRouter().otherwise(() => {
        calls += 1;
        throw new Error('no');
      });
      const delays = { pollMs: 5, minDelay: 1, maxDelay: 1 };
      let worker: Worker | undefined;
      await new Promise<unknown>(onDead => {
        worker = createWorker({ inbox, router, maxAttempts, ...delays, onDead, logger: false }).start();
      });
      await worker?.stop();
      return calls;
    }
    const delivered = () => {
      const document = fakeDelivery('container.updated');
      return entry({ id: document.data.id, body: new TextEncoder().encode(JSON.stringify(document)) });
    };

    test.each([1, 2, 3])('an entry that this process had only claimed keeps all its %i attempts', async maxAttempts => {
      const { inbox, again } = await open();
      await inbox.put(delivered());
      await crash(inbox, 1);
      expect(await work(await again(), maxAttempts)).toBe(maxAttempts);
    });

    test('the entry of this handler becomes a dead letter only when every attempt has ended the process', async () => {
      const { inbox, again } = await open();
      const put = delivered();
      await inbox.put(put);
      await crash(inbox, 3);
      expect(await work(await again(), 3)).toBe(0);
      expect(await inbox.deadLetters()).toMatchObject([{ id: put.id, attempts: 3 }]);
      expect(await inbox.revive(put.id)).toBe(true);
      await crash(inbox, 2);
      expect(await work(await again(), 3)).toBe(1);
    });
  });

  test('does not settle an earlier entry with the claim of another entry of its group', async () => {
    const { inbox } = await open();
    await inbox.put(entry({ id: `late-${name}`, group: 'a', order: '2' }));
    const [late] = await claim(inbox, 1);
    if (!late) throw new Error('not claimed');
    await inbox.put(entry({ id: `early-${name}`, group: 'a', order: '1' }));
    expect(await idsOf(inbox)).toEqual([]);
    await letRunOut(inbox, late);
    const [early] = await claim(inbox);
    expect(early?.entry.id).toBe(`early-${name}`);
    expect(await inbox.done(late)).toBe(false);
    expect(early && (await inbox.done(early))).toBe(true);
    expect(await idsOf(inbox)).toEqual([`late-${name}`]);
  });

  test('gives a later claim of any group a higher number', async () => {
    const { inbox, again } = await open();
    for (const group of ['a', 'a', 'b']) await inbox.put(entry({ group }));
    const other = await again();
    const fences: (number | undefined)[] = [];
    for (const one of [inbox, other, inbox]) {
      const [taken] = await claim(one, 1);
      fences.push(taken?.fence);
      if (taken) await one.fail(taken, { error: 'no', retryInMs: 0 });
    }
    expect(fences.every(fence => typeof fence === 'number')).toBe(true);
    expect(fences).toEqual(fences.toSorted((a, b) => Number(a) - Number(b)));
    expect(new Set(fences).size).toBe(3);
  });

  test('does not return groups that its caller excludes, even if their leases are over', async () => {
    const { inbox } = await open();
    await inbox.put(entry({ group: 'a' }));
    const [first] = await claim(inbox, 1, 1);
    await sleep(5);
    const except = [first?.entry.group ?? ''];
    expect(await inbox.claim({ limit: 1, leaseMs: 10_000, except })).toEqual([]);
    await inbox.put(entry({ group: 'b' }));
    const others = await inbox.claim({ limit: 1, leaseMs: 10_000, except });
    expect(others.map(({ entry }) => entry.group)).toEqual(['b']);
    expect(await inbox.claim({ limit: 10, leaseMs: 10_000, except })).toEqual([]);
    expect(first && (await inbox.renew(first, { leaseMs: 10_000 }))).toBe(true);
    expect(await claim(inbox)).toEqual([]);
  });

  test('extends a lease', async () => {
    const { inbox } = await open();
    await inbox.put(entry());
    const [taken] = await claim(inbox, 1, 30);
    expect(taken && (await inbox.renew(taken, { leaseMs: 10_000 }))).toBe(true);
    await sleep(40);
    expect(await idsOf(inbox)).toEqual([]);
    expect(taken && (await inbox.done(taken))).toBe(true);
  });

  test('accepts the result of a claim after the end of its lease if nobody has claimed the entry since then', async () => {
    const { inbox } = await open();
    await inbox.put(entry());
    const [taken] = await claim(inbox, 1, 1);
    await sleep(5);
    expect(taken && (await inbox.done(taken))).toBe(true);
    expect(await idsOf(inbox)).toEqual([]);
  });

  test('delays the whole group after a failure, but no other group', async () => {
    const { inbox } = await open();
    const failing = entry({ group: 'a', order: '1' });
    await inbox.put(failing);
    await inbox.put(entry({ group: 'a', order: '2' }));
    const [taken] = await claim(inbox);
    expect(taken && (await inbox.fail(taken, { error: 'no', retryInMs: 60_000.5 }))).toBe(true);
    const other = entry();
    await inbox.put(other);
    const [one] = await claim(inbox);
    expect(one?.entry.id).toBe(other.id);
    expect(one && (await inbox.fail(one, { error: 'no', retryInMs: 1.5 }))).toBe(true);
    await sleep(10);
    expect(await claim(inbox)).toMatchObject([{ attempt: 2, entry: { id: other.id } }]);
  });

  test('keeps a dead letter that can be read and revived, and that does not block its group', async () => {
    const { inbox } = await open();
    const [dying, next] = [entry({ group: 'a', order: '1' }), entry({ group: 'a', order: '2' })];
    await inbox.put(dying);
    await inbox.put(next);
    const [taken] = await claim(inbox);
    const before = Date.now();
    expect(taken && (await inbox.fail(taken, { error: 'never', retryInMs: undefined }))).toBe(true);
    const after = Date.now();
    expect(await idsOf(inbox)).toEqual([next.id]);

    const [letter, ...more] = await inbox.deadLetters();
    expect(more).toEqual([]);
    expect(letter).toMatchObject({ id: dying.id, event: dying.event, attempts: 1, error: 'never' });
    expect(new TextDecoder().decode(letter?.body)).toBe(`{"id":"${dying.id}"}`);
    expect(letter?.diedAt).toBeGreaterThanOrEqual(before);
    expect(letter?.diedAt).toBeLessThanOrEqual(after);

    expect(await inbox.revive('unknown')).toBe(false);
    expect(await inbox.revive(next.id)).toBe(false);
    expect(await inbox.revive(dying.id)).toBe(true);
    expect(await inbox.revive(dying.id)).toBe(false);
    expect(await inbox.deadLetters()).toEqual([]);
  });

  test('gives a revived entry all its attempts again', async () => {
    const { inbox } = await open();
    const put = entry();
    await inbox.put(put);
    const [taken] = await claim(inbox);
    if (taken) await inbox.fail(taken, { error: 'never', retryInMs: undefined });
    await inbox.revive(put.id);
    const [again] = await claim(inbox);
    expect(again).toMatchObject({ attempt: 1, entry: { id: put.id, group: put.group } });
    expect(again && (await inbox.done(again))).toBe(true);
    expect(await inbox.put(put)).toBe('duplicate');
  });

  test('counts open entries, claimed or not, and dead letters', async () => {
    const { inbox, again } = await open();
    for (const group of ['a', 'a', 'b', 'c']) await inbox.put(entry({ group }));
    await inbox.put(entry({ poison: 'no' }));
    const [first, second] = await claim(inbox);
    expect(await inbox.stats?.()).toEqual({ open: 4, dead: 1 });
    await inbox.done(first as Claim);
    await inbox.fail(second as Claim, { error: 'no', retryInMs: undefined });
    expect(await (await again()).stats?.()).toEqual({ open: 2, dead: 2 });
  });

  test('keeps any character in the error of a dead letter', async () => {
    const { inbox } = await open();
    const error = 'Unexpected "\u2028\0\ud800"';
    await inbox.put(entry({ poison: error }));
    await inbox.put(entry());
    const [taken] = await claim(inbox);
    expect(taken && (await inbox.fail(taken, { error, retryInMs: undefined }))).toBe(true);
    const letters = await inbox.deadLetters();
    expect(letters.map(letter => letter.error.slice(0, 10))).toEqual(['Unexpected', 'Unexpected']);
  });

  test('stores unreadable entries as dead letters, and lists the oldest first, up to the limit', async () => {
    const { inbox } = await open();
    const poisons = [entry({ poison: 'not JSON' }), entry({ poison: 'not UTF-8' }), entry({ poison: '' })];
    for (const one of poisons) {
      expect(await inbox.put(one)).toBe('stored');
      await sleep(2);
    }
    expect(await idsOf(inbox)).toEqual([]);
    const letters = await inbox.deadLetters({ limit: 2 });
    expect(letters.map(({ id, error, attempts }) => [id, error, attempts])).toEqual([
      [poisons[0]?.id, 'not JSON', 0],
      [poisons[1]?.id, 'not UTF-8', 0],
    ]);
    expect((await inbox.deadLetters()).length).toBe(3);
  });

  test('returns each entry once, and one entry of a group at a time, while many callers put, claim and settle entries', async () => {
    const { inbox, again, groups } = await open();
    const inboxes = [inbox, ...(await Promise.all([again(), again(), again()]))];
    const entries = Array.from({ length: 160 }, (_, n) => entry({ group: `g${n % 5}` }));
    const kindOf = new Map(entries.map(({ id }, n) => [id, ['done', 'done', 'fails', 'dies'][n % 4]]));
    const [busy, seen, handled] = [new Set<string>(), new Set<string>(), [] as string[]];

    async function put(one: Inbox, worker: number): Promise<void> {
      const own = entries.filter((_, n) => n % inboxes.length === worker);
      for (const each of own) expect(await one.put(each)).toBe('stored');
    }
    async function work(one: Inbox): Promise<void> {
      for (const until = Date.now() + 50_000; handled.length < entries.length && Date.now() < until; ) {
        const claims = await claim(one, 2, 60_000);
        await Promise.all(claims.map(taken => settle(one, taken)));
        if (claims.length === 0) await sleep(1);
      }
    }
    async function settle(one: Inbox, taken: Claim): Promise<void> {
      const { id, group } = taken.entry;
      expect(busy.has(group)).toBe(false);
      busy.add(group);
      await sleep(1);
      busy.delete(group);
      const kind = seen.has(id) ? 'done' : kindOf.get(id);
      expect(taken.attempt).toBe(seen.has(id) && kindOf.get(id) === 'fails' ? 2 : 1);
      seen.add(id);
      if (kind === 'done') {
        handled.push(id);
        expect(await one.done(taken)).toBe(true);
      } else {
        expect(await one.fail(taken, { error: 'no', retryInMs: kind === 'fails' ? 1 : undefined })).toBe(true);
        if (kind === 'dies') expect(await one.revive(id)).toBe(true);
      }
    }
    await Promise.all(inboxes.flatMap((one, worker) => [put(one, worker), work(one), work(one)]));

    expect(handled.sort()).toEqual(entries.map(({ id }) => id).sort());
    expect(await claim(inbox)).toEqual([]);
    expect(await inbox.deadLetters()).toEqual([]);
    expect((await groups?.()) ?? 0).toBe(0);
    for (const { group } of entries.slice(0, 5)) await inbox.put(entry({ group }));
    expect((await claim(inbox)).length).toBe(5);
  });
});

test.skipIf(!hasPostgres).each(['read committed', 'repeatable read', 'serializable'])(
  'PostgreSQL keeps an entry that is put while the last entry of its group is settled (%s)',
  async isolation => {
    const pool = new Pool({ ...postgres?.connection, ...withIsolation(isolation) });
    const inbox = postgresInbox({ pool });
    const client = await pool.connect();
    const unused = { query: () => Promise.reject(new Error('unused')) };
    const sameTransaction: PostgresClient = {
      query: (text, values) => client.query(text, values),
      release() {},
      on: (event, listener) => client.on(event, listener),
      removeListener: (event, listener) => client.removeListener(event, listener),
    };
    const settlings = [
      (taken: Claim) => inbox.done(taken),
      (taken: Claim) => inbox.fail(taken, { error: 'no', retryInMs: undefined }),
    ];
    for (const settle of settlings) {
      const [first, second] = [entry({ group: 'a' }), entry({ group: 'a' })];
      await inbox.put(first);
      const [taken] = await inbox.claim({ limit: 1, leaseMs: 10_000 });
      if (!taken) throw new Error('not claimed');
      await client.query('BEGIN');
      await postgresInbox({ pool: { ...unused, connect: async () => sameTransaction } }).put(second);
      const settled = settle(taken);
      await vi.waitUntil(async () => (await pool.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rowCount);
      await client.query('COMMIT');
      expect(await settled).toBe(true);
      const [next] = await inbox.claim({ limit: 1, leaseMs: 10_000 });
      expect(next?.entry.id).toBe(second.id);
      if (next) await inbox.done(next);
    }
    client.release();
    await pool.end();
  },
);

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  async function fresh() {
    const pool = new Pool({ ...postgres?.connection, options: '-c search_path=public' });
    const inbox = postgresInbox({ pool, schema: 'public' });
    await inbox.migrate();
    await pool.query('DELETE FROM inbox_entries; DELETE FROM inbox_groups');
    return { pool, inbox };
  }
  const take = (inbox: Inbox, warnings: string[] = [], limit = 1) =>
    inbox.claim({ limit, leaseMs: 10_000, warn: warning => warnings.push(warning) });

  test('removes groups whose entries somebody has deleted, and does not delay other groups', async () => {
    const { pool, inbox } = await fresh();
    for (const group of ['a', 'b', 'c']) await inbox.put(entry({ group }));
    await pool.query(`DELETE FROM inbox_entries WHERE "group" <> 'c'`);
    const warnings: string[] = [];
    const claims = [
      ...(await take(inbox, warnings)),
      ...(await take(inbox, warnings)),
      ...(await take(inbox, warnings)),
    ];
    expect(claims.map(({ entry }) => entry.group)).toEqual(['c']);
    expect(warnings).toEqual(['a had no entry left: removed.', 'b had no entry left: removed.']);
    await inbox.put(entry({ group: 'a' }));
    expect((await take(inbox))[0]?.entry.group).toBe('a');
    await pool.end();
  });

  test('turns an open entry without a body into a dead letter that can be read', async () => {
    const { pool, inbox } = await fresh();
    await inbox.put(entry({ group: 'a' }));
    await pool.query('UPDATE inbox_entries SET body = NULL');
    const [taken] = await take(inbox);
    expect(taken && (await inbox.fail(taken, { error: 'lost', retryInMs: undefined }))).toBe(true);
    expect(await inbox.deadLetters()).toMatchObject([{ error: 'lost', body: Buffer.alloc(0) }]);
    await pool.end();
  });

  test('does not delay ready groups if its clock is set back, and delays other groups by at most their original wait', async () => {
    const { pool, inbox } = await fresh();
    for (const group of ['waits', 'ready']) await inbox.put(entry({ group }));
    const [waits] = await take(inbox);
    if (!waits) throw new Error('not claimed');
    await inbox.fail(waits, { error: 'no', retryInMs: 300 });
    // Moving the times of the rows by an hour has the same effect as setting the clock back.
    await pool.query(`UPDATE inbox_groups SET waits_since = waits_since + interval '1 hour',
      waits_until = waits_until + interval '1 hour'`);
    // A new inbox looks for such times at its first claim. An open inbox looks for them within a second.
    const next = postgresInbox({ pool, schema: 'public' });
    expect((await take(next)).map(({ entry }) => entry.group)).toEqual(['ready']);
    await sleep(320);
    expect((await take(next)).map(({ entry }) => entry.group)).toEqual(['waits']);
    await pool.end();
  });

  test('returns delayed groups and new groups in turn, even to a caller that claims one entry at a time', async () => {
    const { pool, inbox } = await fresh();
    for (const group of ['w1', 'w2', 'w3']) await inbox.put(entry({ group }));
    for (const one of await take(inbox, [], 3)) await inbox.fail(one, { error: 'no', retryInMs: 1 });
    for (const group of ['r1', 'r2', 'r3']) await inbox.put(entry({ group }));
    await sleep(5);
    const groups: unknown[] = [];
    for (let claims = 0; claims < 4; claims += 1) groups.push((await take(inbox))[0]?.entry.group[0]);
    expect(groups.sort()).toEqual(['r', 'r', 'w', 'w']);
    await pool.end();
  });
});

test('SQLite keeps the entries for the next process', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'inbox-'));
  const path = join(directory, 'inbox.db');
  const first = sqliteInbox(path);
  await first.put(entry({ id: 'kept' }));
  await first.claim({ limit: 1, leaseMs: 1 });
  first.close();
  await sleep(5);
  const second = sqliteInbox(path);
  expect(await second.put(entry({ id: 'kept' }))).toBe('duplicate');
  expect(await second.claim({ limit: 1, leaseMs: 1000 })).toMatchObject([{ attempt: 2, entry: { id: 'kept' } }]);
  second.close();
  rmSync(directory, { recursive: true });
});

test('if node:sqlite is missing, sqliteInbox fails, and the error has a remedy', () => {
  const spy = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  expect(() => sqliteInbox('x')).toThrow(ConfigurationError);
  spy.mockRestore();
});

test('memoryInbox requires `ephemeral: true`', () => {
  expect(() => memoryInbox({} as { ephemeral: true })).toThrow(ConfigurationError);
  expect(() => memoryInbox(undefined as unknown as { ephemeral: true })).toThrow(ConfigurationError);
});

test('a queue accepts a delivery when it has stored the entry, and fails otherwise', async () => {
  const sent: InboxEntry[] = [];
  const inbox = fromQueue(async one => sent.push(one));
  const put = entry();
  expect(await inbox.put(put)).toBe('stored');
  expect(sent).toEqual([put]);
  await expect(fromQueue(() => Promise.reject(new Error('full'))).put(put)).rejects.toThrow('full');
});
