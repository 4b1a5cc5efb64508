/** One of several processes that share a budget: makes calls and prints the number of responses for each status. */
import { createClient } from 'redis';
import { redisLimiter } from '../../src/rate-limit/redis/redis-limiter.ts';

const [redisPort, serverPort, windowMs = '', limit = '', count = ''] = process.argv.slice(2);
const client = createClient({ url: `redis://127.0.0.1:${redisPort}` });
client.on('error', () => {});
await client.connect();
const limiter = redisLimiter({
  client,
  key: 'shared',
  windowMs: Number(windowMs),
  limits: { default: Number(limit) },
  leaseMs: 1000,
});
// The first `fetch` of a process also loads the HTTP client, so its time does not count.
await (await fetch(`http://127.0.0.1:${serverPort}/warm-up`)).text();
const statuses: Record<number, number> = {};
process.stdout.write('ready\n');
// If the test ends early, this process ends too.
process.stdin.once('end', () => process.exit(1));
await new Promise(resolve => process.stdin.once('data', resolve));
await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const slot = await limiter.acquire({ bucket: 'default', priority: 'interactive' });
    const response = await fetch(`http://127.0.0.1:${serverPort}`);
    await response.text();
    slot.release({ limited: response.status === 429 });
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  }),
);
process.stdout.write(`${JSON.stringify(statuses)}\n`);
await client.close();
process.exit();
