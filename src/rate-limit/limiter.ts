/** The service counts each bucket by itself (docs/service/rate-limits.md#buckets). */
export type BucketName = 'default' | 'createTrackingRequest' | 'inferNumber' | 'refreshContainer';

/** `interactive` calls go before `bulk` ones (list iteration); within a priority it is first come, first served. */
export type Priority = 'interactive' | 'bulk';

/** What a call says when it asks for a slot. */
export interface SlotRequest {
  /** The bucket that the call counts in. */
  bucket: BucketName;
  /** Which calls it goes before. */
  priority: Priority;
  /** Takes the call out of the queue; `acquire` then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How long the call may wait, in ms. A wait that is known to be longer rejects at once. @default no limit */
  maxWaitMs?: number | undefined;
  /**
   * How long the bucket may be closed after a 429, in ms. While it is closed for longer, the call is refused with a
   * `QueueError` of code `bucket_closed`, and so are those that wait when it closes.
   * @default no limit
   */
  maxClosedMs?: number | undefined;
  /** To be called once if the call has to wait, with how long it will wait at least, in ms. */
  onQueued?: ((estimatedWaitMs: number) => void) | undefined;
  /** How long the request may take, in ms: whoever has a slot for longer must be gone. */
  timeoutMs?: number | undefined;
}

/** What the answer told about the budget. */
export interface SlotOutcome {
  /** The service answered 429. */
  limited?: boolean | undefined;
  /** From `Retry-After`, in ms; absent if unreadable. */
  retryAfterMs?: number | undefined;
  /** The caller gave up before the answer came: the service may count the request yet. */
  unanswered?: boolean | undefined;
  /** Nothing was sent, so the slot can go to another call at once. */
  unsent?: boolean | undefined;
}

/** The right to send one request. */
export interface Slot {
  /** Call it once the answer (body included) or the failure is there. A second call does nothing. */
  release(outcome?: SlotOutcome): void;
}

/** The state of one bucket at one moment. */
export interface BucketSnapshot {
  /** Requests per window. */
  limit: number;
  /** Slots that are not free: requests in flight and those answered less than a window ago. */
  used: number;
  /** Calls that wait for a slot. */
  queued: number;
  /** The earliest time at which the next slot can be free, in ms since the epoch; not later than now if one is. */
  nextFreeAt: number;
  /** After a 429: when the bucket opens again, in ms since the epoch; `null` while it is open. */
  closedUntil: number | null;
}

/**
 * Decides when a request may be sent. Bring your own as `rateLimit.limiter`, for example to share a budget between
 * processes.
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
   * Resolves when one request may be sent; every attempt of a call asks again.
   *
   * @throws the signal's reason after an abort; `QueueError` where the queue is full, the wait would be too long, or the bucket
   * is closed for too long.
   */
  acquire(request: SlotRequest): Promise<Slot>;
  /** For `client.rateLimit.snapshot()`. */
  snapshot?(): Record<BucketName, BucketSnapshot>;
}
