import { objectArgument, refuseUnknownNames, wholeNumber, wholeNumberOrInfinity } from '../../internal/arguments.ts';
import type { Bucket } from '../state/changes.ts';

/** The limits of requests in a rolling window. */
export interface RateLimitOptions {
  /**
   * Length of the rolling window in ms of real time.
   * @default 60_000
   */
  windowMs?: number | undefined;
  /** Upper bound of the requests in a window. A whole number, or `Infinity`. */
  limits?:
    | {
        /** Counts all requests that no other limit counts. @default 100 */
        default?: number | undefined;
        /** `trackingRequests.create`. @default 100 */
        createTrackingRequest?: number | undefined;
        /** `trackingRequests.inferNumber`. @default 200 */
        inferNumber?: number | undefined;
        /** `containers.refresh`. @default 10 */
        refreshContainer?: number | undefined;
      }
    | undefined;
}

export interface RateLimit {
  /**
   * Counts a request and returns `null`. If the request is over the limit, it is not counted. The result is then the
   * time in ms until the next request is allowed.
   *
   * @param at The time of the request, in ms.
   */
  count(key: string, bucket: Bucket, at: number): number | null;
  /** The times of the requests in each window, by counter. */
  readonly windows: Map<string, number[]>;
  /** The use of each bucket for a key. */
  fill(key: string, at: number): BucketFill[];
}

/** The use of the rolling window of a rate limit. */
export interface BucketFill {
  /** The limit. */
  bucket: Bucket;
  /** Number of requests in the window. */
  used: number;
  /** Upper bound of the requests in the window. */
  limit: number;
  /** Time in ms until the oldest request leaves the window; `null` if the window is empty. */
  freesInMs: number | null;
}

const LIMITS: Record<Bucket, number> = {
  default: 100,
  createTrackingRequest: 100,
  inferNumber: 200,
  refreshContainer: 10,
};

const BUCKETS = Object.keys(LIMITS) as Bucket[];

/** @throws {ConfigurationError} for an unknown limit, or a value that is out of range. */
export function checkRateLimit(options: RateLimitOptions): void {
  objectArgument('rateLimit', options, '{ windowMs: 1000 }, or false');
  refuseUnknownNames('rateLimit', options, ['windowMs', 'limits']);
  const { windowMs = 60_000, limits = {} } = options;
  wholeNumber('rateLimit.windowMs', windowMs);
  refuseUnknownNames(
    'rateLimit.limits',
    objectArgument('rateLimit.limits', limits, '{ default: 5 }'),
    Object.keys(LIMITS),
  );
  for (const [name, limit = 1] of Object.entries(limits)) wholeNumberOrInfinity(1, `rateLimit.limits.${name}`, limit);
}

export function createRateLimit({ windowMs = 60_000, limits = {} }: RateLimitOptions = {}): RateLimit {
  const counted = new Map<string, number[]>();
  const limitOf = (bucket: Bucket) => limits[bucket] ?? LIMITS[bucket];
  return {
    windows: counted,
    fill: (key, at) =>
      BUCKETS.map(bucket => {
        const window = (counted.get(`${bucket} ${key}`) ?? []).filter(time => time > at - windowMs);
        const freesInMs = window[0] === undefined ? null : window[0] + windowMs - at;
        return { bucket, used: window.length, limit: limitOf(bucket), freesInMs };
      }),
    count(key, bucket, at) {
      const counter = `${bucket} ${key}`;
      const window = (counted.get(counter) ?? []).filter(time => time > at - windowMs);
      counted.set(counter, window);
      const limit = limitOf(bucket);
      if (window.length < limit) {
        window.push(at);
        return null;
      }
      return (window[window.length - limit] ?? at) + windowMs - at;
    },
  };
}
