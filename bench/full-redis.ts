import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { redisInbox } from '../src/webhooks/inbox/redis-inbox.ts';
import { createRouter, createWorker } from '../src/webhooks/index.ts';
import { startRedis } from '../support/redis.ts';

/** A Redis that is full of notifications and refuses to write. The worker must empty it. */
export async function fullRedis(count: number): Promise<Record<string, unknown>[]> {
  return [await drain(count, false), await drain(count, true)];
}

async function drain(count: number, isFull: boolean): Promise<Record<string, unknown>> {
  const redis = await startRedis();
  const client = await createClient({ url: redis.url }).connect();
  const inbox = redisInbox({ client });
  const put = (n: number) => {
    const id = `n${n}`;
    const notification = { data: { id, type: 'webhook_notification', attributes: { event: 'container.updated' } } };
    const body = new TextEncoder().encode(JSON.stringify(notification));
    const group = `container ${n % 500}`;
    return inbox.put({ id, event: 'container.updated', group, order: '', body, receivedAt: Date.now() });
  };
  await Promise.all(Array.from({ length: count }, (_, n) => put(n)));
  if (isFull) await client.configSet('maxmemory', '1');
  const refused = await put(count).then(
    () => false,
    () => true,
  );
  const handled = new Set<string>();
  const router = createRouter().otherwise(({ id }) => handled.add(id));
  const startedAt = performance.now();
  const worker = createWorker({ inbox, router, pollMs: 10, logger: false }).start();
  const stored = count + (refused ? 0 : 1);
  while (handled.size < stored && performance.now() - startedAt < 60_000) await sleep(10);
  const seconds = Math.round((performance.now() - startedAt) / 10) / 100;
  await worker.stop();
  const left = (await inbox.stats?.())?.open;
  client.destroy();
  await redis.stop();
  return { redis: isFull ? 'full, refuses to write' : 'not full', stored, handled: handled.size, left, seconds };
}
