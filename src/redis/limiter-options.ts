import { namesOf } from '../arguments.ts';
import type { BucketName } from '../transport/limiter.ts';
import type { RedisClient } from './client.ts';

/** Options of {@link redisLimiter}. */
export interface RedisLimiterOptions {
  /** A connected client of the package `redis` (4 to 6) or `ioredis` (5, 6). */
  client: RedisClient;
  /**
   * What the processes share a budget by: the API key, or any name for it. Redis only sees its hash.
   * @default 'default'
   */
  key?: string | undefined;
  /** Length of the service's rolling window, in ms. @default 60_000 */
  windowMs?: number | undefined;
  /** Requests per window of each bucket, for all processes together. @default as documented by the service */
  limits?: Partial<Record<BucketName, number>> | undefined;
  /** Requests of this process in flight at a time. @default 32 */
  maxInFlight?: number | undefined;
  /** Calls of this process that may wait; further ones are refused. @default 100_000 */
  maxQueue?: number | undefined;
  /**
   * When Redis fails or takes longer than `storeTimeoutMs`: go on alone (`local`), or reject with a `ConnectionError` of
   * code `rate_limit_store` (`reject`). Redis is asked again after a second.
   *
   * Alone, a process sends nothing for three quarters of a window, since the others may be using what it had; then no more
   * than it has in use, and after another window its part: the limit divided by the number of processes. The others leave
   * this part to it for ten windows. A process that is the only one just goes on.
   * @default 'local'
   */
  onStoreFailure?: 'local' | 'reject' | undefined;
  /**
   * How many processes to expect. While Redis is away each takes this part of the limits, or a smaller one if Redis has
   * told of more processes. Set it so that those started meanwhile do not take a whole budget each.
   * @default 1
   */
  processes?: number | undefined;
  /** How long to wait for an answer of Redis, in ms. @default 1_000 */
  storeTimeoutMs?: number | undefined;
  /**
   * How long a request can take, in ms: the slot of a process that died comes back this and one window later. Not
   * below the client's `timeout`.
   * @default 60_000
   */
  leaseMs?: number | undefined;
  /** Told once for each outage of Redis. @default console.warn */
  warn?: ((message: string) => void) | undefined;
}

export const OPTIONS = namesOf<RedisLimiterOptions>({
  client: true,
  key: true,
  windowMs: true,
  limits: true,
  maxInFlight: true,
  maxQueue: true,
  onStoreFailure: true,
  processes: true,
  storeTimeoutMs: true,
  leaseMs: true,
  warn: true,
});
