/**
 * A process with several of the limiters that share one key. Each limiter always has some calls to make. The process
 * has its own link to Redis.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { redisLimiter } from '../src/rate-limit/redis/redis-limiter.ts';
import { startProxy } from '../support/tcp-proxy.ts';

const [port, url = '', windowMs, limit, count, callers, delayMs, durationMs] = process.argv.slice(2);
const link = await startProxy(Number(port), Number(delayMs));
const limiters = await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const client = createClient({ url: `redis://127.0.0.1:${link.port}` });
    client.on('error', () => {});
    await client.connect();
    const limits = { default: Number(limit) };
    return redisLimiter({ client, key: 'shared', windowMs: Number(windowMs), limits, storeTimeoutMs: 5000 });
  }),
);
await (await fetch(`${url}/warm-up`)).text();
process.stdout.write('ready');
await once(process.stdin, 'data');
const ending = AbortSignal.timeout(Number(durationMs));
const answered = limiters.map(() => 0);
await Promise.all(
  limiters.flatMap((limiter, n) =>
    Array.from({ length: Number(callers) }, async () => {
      while (!ending.aborted) {
        const request = { bucket: 'default', priority: 'interactive', signal: ending } as const;
        const slot = await limiter.acquire(request).catch(() => undefined);
        if (!slot) return;
        const response = await fetch(`${url}/default`);
        await response.text();
        slot.release({ limited: response.status === 429 });
        answered[n] = (answered[n] ?? 0) + 1;
      }
    }),
  ),
);
process.stdout.write(JSON.stringify(answered));
await sleep(100);
process.exit();
