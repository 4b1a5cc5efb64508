import { optionNames } from '../internal/arguments.ts';
import type { BucketName } from '../rate-limit/limiter.ts';
import type { RedisClient } from './client.ts';

/** Options of {@link redisLimiter}. */
export interface RedisLimiterOptions {
  /** A connected client of the package `redis` (4 to 6) or `ioredis` (5, 6). */
  client: RedisClient;
  /**
   * The name of the budget: the API key, or any text. Processes with the same name share one budget. Redis only gets a hash.
   * @default 'default'
   */
  key?: string | undefined;
  /** Length of the service's rolling window, in ms. @default 60_000 */
  windowMs?: number | undefined;
  /** Requests per window of each bucket, for all processes together. @default the limits that the service documents */
  limits?: Partial<Record<BucketName, number>> | undefined;
  /** How many requests of this process may be in flight at the same time. @default 32 */
  maxInFlight?: number | undefined;
  /** How many calls of this process may wait. Further calls are refused with a `QueueError`. @default 100_000 */
  maxQueue?: number | undefined;
  /**
   * What to do when Redis fails, or takes longer than `storeTimeoutMs`. `local`: continue without Redis. `reject`: calls fail
   * with a `ConnectionError` of code `rate_limit_store`. Redis is asked again after a second.
   *
   * Without Redis, a process sends nothing for three quarters of a window, because other processes may use its part of the
   * budget. Then it sends only as much as it had in use, and after one more window its whole part: the limit divided by the
   * number of processes. The others leave this part unused for ten windows. A process that is the only one does not pause.
   * @default 'local'
   */
  onStoreFailure?: 'local' | 'reject' | undefined;
  /**
   * How many processes share the budget. Without Redis each uses the limits divided by this number, or by the number that
   * Redis knew if that is higher. Without it, each process that starts during an outage would use the whole budget.
   * @default 1
   */
  processes?: number | undefined;
  /** How long to wait for an answer from Redis, in ms. @default 1_000 */
  storeTimeoutMs?: number | undefined;
  /**
   * How long a request can take, in ms; at least the `timeout` of the client. The slots of a process that died become free
   * after this time and one window.
   * @default 60_000
   */
  leaseMs?: number | undefined;
  /** Called once for each outage of Redis, and if Redis may drop keys when it is full. @default console.warn */
  warn?: ((message: string) => void) | undefined;
}

export const OPTIONS = optionNames<RedisLimiterOptions>({
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
