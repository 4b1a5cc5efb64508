import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { NodeRedisClient } from '../src/redis/client.ts';
import { type RedisLimiterOptions, redisLimiter } from '../src/redis/limiter.ts';
import { RESERVE } from '../src/redis/window-scripts.ts';
import type { Slot, SlotRequest } from '../src/transport/limiter.ts';

const WINDOW = 1000;
const MARGIN = 2;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What the two scripts do, in a process of its own. `limiter-redis-server.test.ts` runs the scripts themselves. */
class FakeRedis implements NodeRedisClient {
  readonly evalSha = true;
  readonly keys = new Set<string>();
  readonly buckets = new Map<string, { log: Map<string, number>; epoch: string; closedUntil: number }>();
  readonly processes = new Set<string>();
  state: 'up' | 'failing' | 'silent' = 'up';
  calls = 0;

  async eval(script: string, { keys, arguments: args }: { keys: string[]; arguments: string[] }): Promise<unknown> {
    this.calls += 1;
    if (this.state === 'silent') return new Promise(() => {});
    if (this.state === 'failing') throw new Error('connection lost');
    for (const key of keys) this.keys.add(key);
    const name = keys[0] ?? '';
    const now = Date.now();
    return script === RESERVE ? this.#reserve(name, now, args) : this.#settle(name, now, args);
  }

  #bucket(name: string, epoch: string) {
    const bucket = this.buckets.get(name) ?? { log: new Map(), epoch, closedUntil: 0 };
    this.buckets.set(name, bucket);
    return bucket;
  }

  #reserve(name: string, now: number, args: string[]): unknown {
    const [limit = 0, cycle = 0, lease = 0] = args.map(Number);
    const [id = '', process = '', known = '', busy, fresh = ''] = args.slice(3);
    const bucket = this.#bucket(name, fresh);
    if (busy === '1' && known !== '' && known !== bucket.epoch) bucket.closedUntil = now + cycle;
    this.processes.add(process);
    for (const [other, back] of bucket.log) if (back <= now) bucket.log.delete(other);
    let wait = Math.max(0, bucket.closedUntil - now);
    if (wait === 0) {
      const backs = [...bucket.log.values()].sort((a, b) => a - b);
      if (backs.length < limit) bucket.log.set(id, now + lease + cycle);
      else wait = Math.min((backs[backs.length - limit] ?? 0) - now, cycle);
    }
    return [wait, bucket.epoch, this.processes.size, Math.max(0, bucket.closedUntil - now)];
  }

  #settle(name: string, now: number, args: string[]): unknown {
    const [back = 0, , , penalty = 0] = args.map(Number);
    const bucket = this.#bucket(name, '');
    if (back > 0) bucket.log.set(args[2] ?? '', now + back);
    else bucket.log.delete(args[2] ?? '');
    bucket.closedUntil = Math.max(bucket.closedUntil, now + penalty);
    return 1;
  }
}

function setUp(client: NodeRedisClient, options: Partial<RedisLimiterOptions> = {}) {
  const warn = vi.fn();
  const limits = { default: 4, refreshContainer: 1 };
  const limiter = redisLimiter({ client, key: 'secret-key', windowMs: WINDOW, limits, warn, ...options });
  const start = performance.now();
  const granted: string[] = [];
  const refused: Record<string, unknown> = {};
  const slots: Record<string, Slot> = {};

  async function call(name: string, request: Partial<SlotRequest> = {}, latency?: number): Promise<void> {
    try {
      const slot = await limiter.acquire({ bucket: 'default', priority: 'interactive', ...request });
      granted.push(`${name}@${performance.now() - start}`);
      slots[name] = slot;
      if (latency !== undefined) setTimeout(() => slot.release(), latency);
    } catch (error) {
      refused[name] = error;
    }
  }
  const slotOf = (name: string): Slot => {
    const slot = slots[name];
    if (!slot) throw new Error(`${name} has no slot`);
    return slot;
  };
  return { limiter, warn, granted, refused, call, slotOf };
}

const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
/** The key is hashed by WebCrypto, which no fake timer can hurry. */
const settled = async () => {
  for (let i = 0; i < 20; i++) {
    await new Promise(resolve => setImmediate(resolve));
    await tick();
  }
};
