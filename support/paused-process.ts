/** One of several processes that share a budget and always have a request to send. It is stopped again and again. */
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import type { RedisClient } from '../src/internal/redis.ts';
import { redisLimiter } from '../src/rate-limit/redis/redis-limiter.ts';

const [kind, port, url = '', callers, settings = '{}'] = process.argv.slice(2);

async function connect(): Promise<RedisClient> {
  if (kind === 'ioredis') {
    const client = new Redis(Number(port), '127.0.0.1', { retryStrategy: () => 50 });
    client.on('error', () => {});
    return client;
  }
  const client = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: 50 } });
  client.on('error', () => {});
  return (await client.connect()) as RedisClient;
}

const limiter = redisLimiter({ client: await connect(), key: 'shared', warn() {}, ...JSON.parse(settings) });
// Opens the connections now: a process that is stopped while it opens one would send its request later.
await Promise.all(Array.from({ length: Number(callers) }, async () => (await fetch(`${url}/warm-up`)).text()));
process.stdout.write('ready');
process.stdin.once('end', () => process.exit());
process.stdin.resume();
await Promise.all(
  Array.from({ length: Number(callers) }, async () => {
    while (true) {
      const slot = await limiter.acquire({ bucket: 'default', priority: 'interactive' });
      const response = await fetch(url);
      await response.text();
      slot.release({ limited: response.status === 429 });
    }
  }),
);
