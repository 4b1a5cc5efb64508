import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Pool } from 'pg';
import { createClient } from 'redis';
import { afterEach, expect, test } from 'vitest';
import { postgresInbox } from '../../src/postgres.ts';
import { type RedisClient, redisInbox } from '../../src/redis.ts';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import { fakeDelivery, type Inbox } from '../../src/webhooks/index.ts';
import { hasProgram } from '../../support/needs.ts';
import { hasPostgres, startPostgres } from '../../support/postgres.ts';
import { startRedis } from '../../support/redis.ts';

const NEIGHBOURS = Array.from({ length: 7 }, (_, n) => `neighbour ${n}`);

let directory = '';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(directory, { recursive: true, force: true });
});

/** Opens an inbox, and returns it with its address for a child process. */
const stores: Record<string, () => Promise<[Inbox, where: string]>> = {
  async sqlite() {
    const path = join(directory, 'inbox.db');
    const inbox = sqliteInbox(path);
    closers.push(() => inbox.close());
    return [inbox, path];
  },
  async postgres() {
    const server = await startPostgres();
    const pool = new Pool(server.connection);
    closers.push(server.stop, () => pool.end());
    return [postgresInbox({ pool }), JSON.stringify(server.connection)];
  },
  async redis() {
    const server = await startRedis();
    const client = await createClient({ url: server.url }).connect();
    closers.push(server.stop, () => client.destroy());
    return [redisInbox({ client: client as RedisClient }), server.url];
  },
};

test.for([
  ['sqlite', 'exit'],
  ['sqlite', 'abort'],
  ['sqlite', 'at once'],
  ['postgres', 'exit'],
  ['redis', 'exit'],
] as const)(
  'a handler that ends the process does not turn any other entry into a dead letter: %s, %s',
  async ([store, how], { skip }) => {
    skip((store === 'postgres' && !hasPostgres) || (store === 'redis' && !hasProgram('redis-server')));
    directory = mkdtempSync(join(tmpdir(), 'killed-'));
    const log = join(directory, 'log');
    const [inbox, where] = await (stores[store] as () => Promise<[Inbox, string]>)();
    for (const id of [...NEIGHBOURS.slice(0, 3), 'poison', ...NEIGHBOURS.slice(3)]) {
      const document = fakeDelivery('container.updated');
      document.data.id = id;
      const body = new TextEncoder().encode(JSON.stringify(document));
      await inbox.put({ id, event: 'container.updated', group: id, order: '', body, receivedAt: 0 });
    }
    const script = resolve(import.meta.dirname, 'worker-killed.worker.ts');
    const args = ['--disable-warning=ExperimentalWarning', script, store, where, log, how];
    let code: number | null = null;
    for (let starts = 0; code !== 0; starts += 1) {
      expect(starts).toBeLessThan(10);
      [code] = await once(spawn(process.execPath, args, { cwd: directory, stdio: 'ignore' }), 'exit');
    }
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    const ended = lines.filter(line => line.startsWith('ends')).sort();
    expect(ended).toEqual(NEIGHBOURS.map(id => `ends ${id}`));
    expect(lines).toContain('begins poison 2');
    expect(await inbox.deadLetters()).toMatchObject([{ id: 'poison', attempts: 2 }]);
    expect(await inbox.stats?.()).toEqual({ open: 0, dead: 1 });
  },
);
