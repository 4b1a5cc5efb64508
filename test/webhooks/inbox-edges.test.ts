import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import type { RedisClient } from '../../src/internal/redis.ts';
import { postgresInbox } from '../../src/postgres.ts';
import { createSync } from '../../src/sync/index.ts';
import { redisInbox } from '../../src/webhooks/inbox/redis-inbox.ts';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import {
  createRouter,
  createWorker,
  fromQueue,
  type Inbox,
  type InboxEntry,
  memoryInbox,
} from '../../src/webhooks/index.ts';
import { clientOn } from '../../support/client.ts';
import { hasProgram } from '../../support/needs.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';
import { memoryStore } from '../sync/memory-store.ts';

const hasRedis = hasProgram('redis-server');
let server: RedisServer | undefined;
let postgres: PostgresServer | undefined;
let pool: Pool | undefined;
let directory = '';

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'inbox-'));
  if (hasRedis) server = await startRedis();
  if (!hasPostgres) return;
  postgres = await startPostgres();
  pool = new Pool(postgres.connection);
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await server?.stop();
  await pool?.end();
  await postgres?.stop();
});

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
  vi.useRealTimers();
});

const file = () => join(directory, `${crypto.randomUUID()}.db`);

function openSqlite(path = file(), options = {}) {
  const inbox = sqliteInbox(path, options);
  closers.push(() => inbox.close());
  return inbox;
}

async function connect(): Promise<RedisClient> {
  const client = await createClient({ url: server?.url ?? '' }).connect();
  closers.push(() => client.destroy());
  return client as RedisClient;
}

const openRedis = async (options = {}) => redisInbox({ client: await connect(), key: crypto.randomUUID(), ...options });

const openPostgres = (options = {}) => postgresInbox({ pool: pool as Pool, schema: crypto.randomUUID(), ...options });

const open: Record<string, (options?: { retentionMs?: number }) => Inbox | Promise<Inbox>> = {
  memory: options => memoryInbox({ ephemeral: true, ...options }),
  sqlite: options => openSqlite(file(), options),
  ...(hasRedis && { redis: openRedis }),
  ...(hasPostgres && { postgres: openPostgres }),
};

function entry(id: string, over: Partial<InboxEntry> = {}): InboxEntry {
  const body = new TextEncoder().encode(id);
  return { id, event: 'container.updated', group: `container ${id}`, order: '', body, receivedAt: 1, ...over };
}

async function take(inbox: Inbox) {
  const [claim] = await inbox.claim({ limit: 1, leaseMs: 10_000 });
  if (!claim) throw new Error('The inbox gave nothing.');
  return claim;
}

describe('the options of an inbox', () => {
  const client = { eval: async () => [], evalSha() {} };
  test.each<[(options: never) => unknown, unknown, string]>([
    [redisInbox, undefined, 'redisInbox is undefined'],
    [redisInbox, {}, 'client is undefined'],
    [redisInbox, client, 'client is undefined'],
    [redisInbox, { client: 'redis://localhost' }, 'client is "redis://localhost"'],
    [redisInbox, { client, retention: 1 }, 'redisInbox has no retention'],
    [memoryInbox, { ephemeral: true, retention: 1 }, 'memoryInbox has no retention'],
    [options => sqliteInbox(':memory:', options), { ephemeral: true, retention: 1 }, 'sqliteInbox has no retention'],
    [options => sqliteInbox(':memory:', options), null, 'sqliteInbox is null'],
    [sqliteInbox, undefined, 'path is undefined'],
    [sqliteInbox, '', 'path is ""'],
    [sqliteInbox, { path: 'inbox.db' }, 'path is an object'],
  ])('%o refuses %o', (open, options, message) => {
    expect(() => open(options as never)).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
    expect(() => open(options as never)).toThrow(message);
  });
});

describe.each(Object.keys(open))('the inbox in %s', name => {
  const openWith = (retentionMs: unknown) => open[name]?.({ retentionMs: retentionMs as number }) as Inbox;

  test.each([0, -1, Number.NaN, '1000', null])('refuses a retention of %j ms', async retentionMs => {
    await expect((async () => openWith(retentionMs))()).rejects.toThrow(ConfigurationError);
  });

  test.each([Number.POSITIVE_INFINITY, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 10_000.5])(
    'accepts a retention of %s ms',
    async retentionMs => {
      const inbox = await openWith(retentionMs);
      await inbox.put(entry('a'));
      expect(await inbox.done(await take(inbox))).toBe(true);
      await sleep(2);
      expect(await inbox.claim({ limit: 1, leaseMs: 1 })).toEqual([]);
      expect(await inbox.put(entry('a'))).toBe('duplicate');
    },
  );

  test.each([Number.POSITIVE_INFINITY, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER])(
    'accepts %s ms for a lease, a renewal and the wait for the next attempt',
    async ms => {
      const inbox = await openWith(undefined);
      await inbox.put(entry('a'));
      const [claim] = await inbox.claim({ limit: 1, leaseMs: ms });
      if (!claim) throw new Error('The inbox gave nothing.');
      expect(await inbox.renew(claim, { leaseMs: ms })).toBe(true);
      expect(await inbox.claim({ limit: 1, leaseMs: 1 })).toEqual([]);
      expect(await inbox.fail(claim, { error: 'no', retryInMs: ms })).toBe(true);
      expect(await inbox.claim({ limit: 1, leaseMs: 1 })).toEqual([]);
      expect(await inbox.has('a')).toBe(true);
    },
  );

  test('returns no dead letters for a limit of 0', async () => {
    const inbox = await openWith(undefined);
    await inbox.put(entry('a', { poison: 'no' }));
    expect(await inbox.deadLetters({ limit: 0 })).toEqual([]);
    expect(await inbox.deadLetters({ limit: 1 })).toHaveLength(1);
  });

  test.each(['x\u0001y', '\u0001', 'x\u00010000000000000001\u0001y'])(
    'accepts any character in an id: %j',
    async id => {
      const inbox = await openWith(undefined);
      await inbox.put(entry(id, { group: 'a' }));
      await inbox.put(entry('next', { group: 'a' }));
      const claim = await take(inbox);
      expect(claim.entry.id).toBe(id);
      expect(new TextDecoder().decode(claim.entry.body)).toBe(id);
      expect(await inbox.done(claim)).toBe(true);
      expect(await inbox.has(id)).toBe(true);
      expect((await take(inbox)).entry.id).toBe('next');
    },
  );
});

describe('the inbox in SQLite', () => {
  test('still works after a statement has failed, on every version of Node', async () => {
    // Node 22.13 to 22.15 do not report whether a transaction is open.
    class OldDatabase {
      readonly #database: DatabaseSync;
      constructor(path: string) {
        this.#database = new DatabaseSync(path);
      }
      exec(sql: string) {
        this.#database.exec(sql);
      }
      prepare(sql: string) {
        return this.#database.prepare(sql);
      }
      close() {
        this.#database.close();
      }
    }
    const { getBuiltinModule } = process;
    const builtin = vi
      .spyOn(process, 'getBuiltinModule')
      .mockImplementation(((name: string) =>
        name === 'node:sqlite' ? { DatabaseSync: OldDatabase } : getBuiltinModule(name)) as never);
    closers.push(() => builtin.mockRestore());
    const inbox = openSqlite();
    await expect(inbox.put(entry('a', { event: null as unknown as string }))).rejects.toThrow('constraint');
    expect(await inbox.put(entry('b'))).toBe('stored');
    expect((await take(inbox)).entry.id).toBe('b');
  });

  test('waits for another process without blocking its own process', async () => {
    const path = file();
    const inbox = openSqlite(path);
    await inbox.put(entry('before'));
    const hold = `
      const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)});
      database.exec('BEGIN IMMEDIATE');
      console.log('held');
      process.stdin.once('data', () => {
        database.exec('COMMIT');
        process.exit();
      });`;
    const child = spawn(process.execPath, ['-e', hold], { stdio: ['pipe', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');

    const puts = Promise.all(Array.from({ length: 10 }, (_, n) => inbox.put(entry(`n${n}`))));
    const claiming = take(inbox);
    let waiting = true;
    void puts.then(() => {
      waiting = false;
    });
    // The other process releases the file after these turns of the event loop. A blocking call would wait for ever.
    for (let turns = 0; turns < 8; turns++) await sleep(10);
    expect(waiting).toBe(true);
    child.stdin.write('go on');
    const [outcomes, claim] = await Promise.all([puts, claiming]);
    expect(outcomes).toEqual(Array(10).fill('stored'));
    expect(await inbox.renew(claim, { leaseMs: 10 })).toBe(true);
    await exited;
  });
});

describe.skipIf(!hasRedis)('the inbox in Redis', () => {
  test('stores a body of a megabyte unchanged', async () => {
    const inbox = await openRedis();
    const body = Uint8Array.from({ length: 1_048_576 }, (_, index) => (index * 7) % 256);
    expect(await inbox.put(entry('a', { body }))).toBe('stored');
    expect(Buffer.from((await take(inbox)).entry.body).equals(body)).toBe(true);
  });
});

describe('the inbox in memory', () => {
  test('stores many entries of one group, and returns them in their order', async () => {
    const inbox = memoryInbox({ ephemeral: true });
    for (let n = 0; n < 2000; n++) await inbox.put(entry(`n${n}`, { group: 'a', order: String(n).padStart(5, '0') }));
    for (let n = 0; n < 2000; n++) {
      const claim = await take(inbox);
      expect(claim.entry.id === `n${n}` && (await inbox.done(claim))).toBe(true);
    }
  });

  test('keeps the order of the field `order`, even if entries arrive late', async () => {
    const inbox = memoryInbox({ ephemeral: true });
    for (const order of ['b', 'd', 'a', 'c', 'c']) await inbox.put(entry(crypto.randomUUID(), { group: 'a', order }));
    const handled: string[] = [];
    while (handled.length < 5) {
      const claim = await take(inbox);
      handled.push(claim.entry.order);
      await inbox.done(claim);
    }
    expect(handled).toEqual(['a', 'b', 'c', 'c', 'd']);
  });

  test('does not delay an entry if the clock of the machine is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const inbox = memoryInbox({ ephemeral: true });
    await inbox.put(entry('a'));
    vi.setSystemTime(Date.now() - 3_600_000);
    expect((await take(inbox)).entry.id).toBe('a');
  });
});

test('a worker and sync refuse an inbox from fromQueue, and the error names the consumer that a queue needs', () => {
  const inbox = fromQueue(async () => {}, { has: async () => true }) as Inbox;
  const remedy = 'A queue has a consumer of its own: call router.handle() there.';
  expect(() => createWorker({ inbox, router: createRouter() })).toThrow(new ConfigurationError(remedy));
  const client = clientOn(async () => new Response());
  expect(() => createSync({ client, store: memoryStore(), inbox })).toThrow(new ConfigurationError(remedy));
  expect(Object.keys(inbox)).toEqual(['put', 'has']);
});

test('fromQueue refuses a value that is not a function', () => {
  expect(() => fromQueue(undefined as never)).toThrow(ConfigurationError);
  expect(() => fromQueue(async () => {}, { has: true as never })).toThrow('has must be a function.');
  expect(() => fromQueue(async () => {}, { have: async () => true } as never)).toThrow('has');
  expect(() => fromQueue(async () => {}, 'has' as never)).toThrow('it must be an object such as');
});
