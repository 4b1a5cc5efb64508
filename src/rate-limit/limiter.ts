import { TrackingError } from '../errors.ts';
import { objectArgument, refuseUnknownNames, wholeNumberOrInfinity } from '../internal/arguments.ts';

/** The service counts the requests of each bucket separately (docs/service/rate-limits.md#buckets). */
export type BucketName = 'default' | 'createTrackingRequest' | 'inferNumber' | 'refreshContainer';

/**
 * Calls with the priority `interactive` go before calls with the priority `bulk`, such as the iteration of a list.
 * Calls of the same priority go in the order of their arrival.
 */
export type Priority = 'interactive' | 'bulk';

/** A call's request for a slot. */
export interface SlotRequest {
  /** The bucket in which the service counts the call. */
  bucket: BucketName;
  /** The priority of the call in the queue. */
  priority: Priority;
  /** Removes the call from the queue. `acquire` then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Upper bound in ms for the wait of the call. If the wait is known to be longer, `acquire` rejects immediately.
   * @default no limit
   */
  maxWaitMs?: number | undefined;
  /**
   * Upper bound in ms for the wait for a bucket that a 429 has closed. If the bucket is closed for longer, new calls and
   * waiting calls reject with a `QueueError` of code `bucket_closed`.
   * @default no limit
   */
  maxClosedMs?: number | undefined;
  /** Call it once if the call has to wait. Its argument is the minimum wait in ms. */
  onQueued?: ((estimatedWaitMs: number) => void) | undefined;
  /**
   * Upper bound in ms for the request. If a slot is not released within this time, the call that acquired it no longer
   * exists.
   */
  timeoutMs?: number | undefined;
}

/** The end of a request, in terms of the rate limit. */
export interface SlotOutcome {
  /** The service responded with 429. */
  limited?: boolean | undefined;
  /** From `Retry-After`, in ms; absent if the header cannot be read. */
  retryAfterMs?: number | undefined;
  /** The caller gave up before the response came. The service may still count the request later. */
  unanswered?: boolean | undefined;
  /** Nothing was sent, so another call can use the slot immediately. */
  unsent?: boolean | undefined;
}

/** The right to send one request. */
export interface Slot {
  /** Call it after the whole response, including its body, or after the failure. A second call does nothing. */
  release(outcome?: SlotOutcome): void;
}

/** The state of one bucket at one moment. */
export interface BucketSnapshot {
  /** Requests per window. */
  limit: number;
  /** Length of the window, in ms. Absent: a minute. */
  windowMs?: number | undefined;
  /** Slots that are not free: requests in flight, and requests whose response came less than a window ago. */
  used: number;
  /** Calls that wait for a slot. */
  queued: number;
  /**
   * The earliest time at which a slot can be free, in ms since the epoch; the present or an earlier time if a slot is
   * free.
   */
  nextFreeAt: number;
  /** After a 429: time at which the bucket opens again, in ms since the epoch; `null` while it is open. */
  closedUntil: number | null;
}

/**
 * Decides when a request may be sent. Pass your own limiter as `rateLimit.limiter`, for example to share a budget
 * between processes.
 *
 * @example
 * const oneAtATime: RateLimiter = {
 *   async acquire({ signal }) {
 *     await mutex.lock({ signal });
 *     return { release: () => mutex.unlock() };
 *   },
 * };
 */
export interface RateLimiter {
  /**
   * Resolves when one request may be sent. Every attempt of a call acquires a slot.
   *
   * @throws the signal's reason after an abort; `QueueError` if the queue is full, the wait would be too long, or the bucket is
   * closed for too long.
   */
  acquire(request: SlotRequest): Promise<Slot>;
  /** For `client.rateLimit.snapshot()`. */
  snapshot?(): Record<BucketName, BucketSnapshot>;
}

/** Requests per window of each bucket (docs/service/rate-limits.md#buckets). */
export const DEFAULT_LIMITS: Readonly<Record<BucketName, number>> = {
  default: 100,
  createTrackingRequest: 100,
  inferNumber: 200,
  refreshContainer: 10,
};

export const BUCKET_NAMES = Object.keys(DEFAULT_LIMITS) as readonly BucketName[];

/**
 * Checks the limits in an option, and adds the default limits of the other buckets.
 *
 * @throws {ConfigurationError} for an unknown bucket, or a number below 1.
 */
export function checkLimits(
  name: string,
  limits: Partial<Record<BucketName, number | undefined>> = {},
): Record<BucketName, number> {
  refuseUnknownNames(name, objectArgument(name, limits, '{ default: 100 }'), BUCKET_NAMES);
  return perBucket(bucket => wholeNumberOrInfinity(1, `${name}.${bucket}`, limits[bucket] ?? DEFAULT_LIMITS[bucket]));
}

export function perBucket<T>(make: (name: BucketName) => T): Record<BucketName, T> {
  return Object.fromEntries(BUCKET_NAMES.map(name => [name, make(name)])) as Record<BucketName, T>;
}

/**
 * The client's own queue rejected the call, because the queue is full, the bucket is closed, or the wait would be
 * longer than the call allows. Nothing was sent.
 */
export class QueueError extends TrackingError {
  static override readonly brand: string = 'QueueError';
  /** The call would have to wait for at least this time, in ms. */
  declare readonly estimatedWaitMs: number;
  /**
   * Only with the code `bucket_closed`, after a 429: the time at which requests may be sent again, in ms since the epoch.
   */
  declare readonly closedUntil: number | undefined;

  constructor(
    message: string,
    options: {
      code: 'queue_full' | 'queue_timeout' | 'bucket_closed';
      estimatedWaitMs: number;
      closedUntil?: number | undefined;
    },
  ) {
    super(message, options);
    this.estimatedWaitMs = options.estimatedWaitMs;
    this.closedUntil = options.closedUntil;
  }
}

/** Returns an `onQueued` for a limiter that combines several limiters. Only its first call has an effect. */
export function tellOnce({ onQueued }: Pick<SlotRequest, 'onQueued'>): (estimatedWaitMs: number) => void {
  let isTold = false;
  return estimatedWaitMs => {
    if (isTold) return;
    isTold = true;
    onQueued?.(Math.max(0, Math.ceil(estimatedWaitMs)));
  };
}
