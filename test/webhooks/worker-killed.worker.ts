/**
 * `<store> <where> <log> <how>`: handles the open entries, and then exits. The handler of the notification `poison`
 * ends the process: immediately, or when the other handlers have begun.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { createClient } from 'redis';
import { postgresInbox } from '../../src/postgres.ts';
import { type RedisClient, redisInbox } from '../../src/redis.ts';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import { createRouter, createWorker, type Inbox } from '../../src/webhooks/index.ts';

const [store = '', where = '', log = '', how = ''] = process.argv.slice(2);
const note = (line: string) => appendFileSync(log, `${line}\n`);
const stores: Record<string, () => Promise<Inbox>> = {
  sqlite: async () => sqliteInbox(where),
  postgres: async () => postgresInbox({ pool: new Pool(JSON.parse(where)) }),
  redis: async () => redisInbox({ client: (await createClient({ url: where }).connect()) as RedisClient }),
};
const inbox = (await stores[store]?.()) as Inbox;

const router = createRouter().otherwise(async ({ id }, { attempt }) => {
  note(`begins ${id} ${attempt}`);
  if (id === 'poison') {
    if (how !== 'at once') await sleep(50);
    if (how === 'abort') process.abort();
    process.exit(1);
  }
  await sleep(100);
  note(`ends ${id}`);
});
createWorker({ inbox, router, concurrency: 8, leaseMs: 500, pollMs: 10, maxAttempts: 2, logger: false }).start();
while ((await inbox.stats?.())?.open !== 0) await sleep(20);
process.exit(0);
