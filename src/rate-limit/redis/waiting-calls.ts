import { BUCKET_NAMES, perBucket } from '../buckets.ts';
import { QueueError } from '../errors.ts';
import type { BucketName, Priority, SlotRequest } from '../limiter.ts';
import { tellOnce } from '../tell-once.ts';

export interface WaitingCallsOptions {
  limits: Readonly<Record<BucketName, number>>;
  /** Window and margin, in ms. */
  cycleMs: number;
  maxQueue: number;
}

/** A call that has no slot yet. */
export interface WaitingCall {
  /** Call it when other calls are ahead of this one. `waitMs` is how long this one waits for another reason. */
  queueBehind(waitMs: number): void;
  /** Call it when this call has its slot, or has given up. */
  leave(): void;
}

/** The calls of this process that have no slot yet. Tells each of them once that it has to wait. */
export class WaitingCalls {
  readonly #options: WaitingCallsOptions;
  readonly #counts = perBucket((): Record<Priority, number> => ({ interactive: 0, bulk: 0 }));
  /** The callbacks of calls that do not know yet that they have to wait, in the order of their arrival. */
  readonly #unnotified = perBucket(
    (): Record<Priority, Set<(waitMs: number) => void>> => ({
      interactive: new Set(),
      bulk: new Set(),
    }),
  );
  /** No slot is free before this time, according to the last reply of Redis. */
  readonly #nextFree = perBucket(() => Number.NEGATIVE_INFINITY);
  /** Whether the first call of a bucket waits for a limit of this process. Then the calls behind it wait too. */
  readonly #isHeld = perBucket(() => false);

  constructor(options: WaitingCallsOptions) {
    this.#options = options;
  }

  /** @throws {QueueError} if the queue is full, or if the wait would be longer than the call allows. */
  join(request: SlotRequest): WaitingCall {
    const { bucket, priority, maxWaitMs = Number.POSITIVE_INFINITY } = request;
    const estimatedWaitMs = this.#estimate(bucket, priority);
    const total = BUCKET_NAMES.reduce((sum, name) => sum + this.count(name), 0);
    if (total >= this.#options.maxQueue) {
      const message = `The queue is full: ${total} calls wait for a slot.`;
      throw new QueueError(message, { code: 'queue_full', estimatedWaitMs });
    }
    if (estimatedWaitMs >= maxWaitMs) throw tooLong(estimatedWaitMs);
    const unnotified = this.#unnotified[bucket][priority];
    const notify = tellOnce(request);
    this.#counts[bucket][priority] += 1;
    unnotified.add(notify);
    return {
      queueBehind: waitMs => {
        const longer = Math.max(waitMs, estimatedWaitMs);
        // Otherwise the call ahead only waits for an answer of Redis, which may contain a slot for this call too.
        if (longer > 0 || this.#isHeld[bucket]) notify(longer);
      },
      leave: () => {
        this.#counts[bucket][priority] -= 1;
        unnotified.delete(notify);
      },
    };
  }

  count(bucket: BucketName): number {
    return this.#counts[bucket].interactive + this.#counts[bucket].bulk;
  }

  isAnyWaiting(): boolean {
    return BUCKET_NAMES.some(bucket => this.count(bucket) > 0);
  }

  nextFree(bucket: BucketName): number {
    return this.#nextFree[bucket];
  }

  setNextFree(bucket: BucketName, time: number): void {
    this.#nextFree[bucket] = time;
  }

  /** The first call of the bucket waits for a limit of this process, until {@link endHold}. */
  hold(bucket: BucketName, waitMs: number): void {
    this.#isHeld[bucket] = true;
    this.notify(bucket, waitMs);
  }

  endHold(bucket: BucketName): void {
    this.#isHeld[bucket] = false;
  }

  /** The first call of the bucket has to wait, so all calls behind it have to wait too. */
  notify(bucket: BucketName, waitMs: number): void {
    const { cycleMs, limits } = this.#options;
    const { interactive, bulk } = this.#unnotified[bucket];
    const unnotified = [...interactive, ...bulk];
    interactive.clear();
    bulk.clear();
    for (const [ahead, notify] of unnotified.entries()) notify(waitMs + Math.floor(ahead / limits[bucket]) * cycleMs);
  }

  #estimate(bucket: BucketName, priority: Priority): number {
    const ahead = priority === 'bulk' ? this.count(bucket) : this.#counts[bucket].interactive;
    const rounds = Math.floor(ahead / this.#options.limits[bucket]);
    return Math.max(0, this.#nextFree[bucket] - performance.now()) + rounds * this.#options.cycleMs;
  }
}

export function tooLong(estimatedWaitMs: number): QueueError {
  const wait = Math.max(0, Math.ceil(estimatedWaitMs));
  return new QueueError(`The wait for a slot would be at least ${wait} ms, longer than the call allows.`, {
    code: 'queue_timeout',
    estimatedWaitMs: wait,
  });
}
