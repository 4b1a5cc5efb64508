import type { Bucket } from './bucket.ts';
import type { BucketName, Priority, Slot } from './limiter.ts';

/** A call that waits for its slot. There may be a hundred thousand, so it holds no more than it needs. */
export interface Waiter {
  readonly queue: WaiterQueue;
  /** Order of arrival over all queues. */
  readonly arrival: number;
  readonly queuedAt: number;
  readonly expiresAt: number;
  readonly timeoutMs: number | undefined;
  readonly maxClosedMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (slot: Slot) => void;
  readonly reject: (reason: unknown) => void;
  timer: ReturnType<typeof setTimeout> | undefined;
  wakeAt: number;
  isQueued: boolean;
  /** How many had joined the queue before it. */
  place: number;
  previous: Waiter | undefined;
  next: Waiter | undefined;
}

/** First in, first out, and out of the middle at the same cost: a linked list through the waiters. */
export class WaiterQueue {
  readonly name: BucketName;
  readonly bucket: Bucket;
  readonly priority: Priority;
  first: Waiter | undefined;
  size = 0;
  #last: Waiter | undefined;
  #joined = 0;
  #left = 0;

  constructor(name: BucketName, bucket: Bucket, priority: Priority) {
    this.name = name;
    this.bucket = bucket;
    this.priority = priority;
  }

  push(waiter: Waiter): void {
    waiter.place = this.#joined++;
    waiter.previous = this.#last;
    if (this.#last) this.#last.next = waiter;
    else this.first = waiter;
    this.#last = waiter;
    waiter.isQueued = true;
    this.size += 1;
  }

  /** For a waiter that had been taken for dead. */
  putFirst(waiter: Waiter): void {
    waiter.place = 0;
    waiter.next = this.first;
    if (this.first) this.first.previous = waiter;
    else this.#last = waiter;
    this.first = waiter;
    waiter.isQueued = true;
    this.size += 1;
  }

  remove(waiter: Waiter): void {
    if (!waiter.isQueued) return;
    if (waiter.previous) waiter.previous.next = waiter.next;
    else this.first = waiter.next;
    if (waiter.next) waiter.next.previous = waiter.previous;
    else this.#last = waiter.previous;
    waiter.previous = undefined;
    waiter.next = undefined;
    waiter.isQueued = false;
    this.size -= 1;
    this.#left += 1;
  }

  /** At least how many are ahead of this one: exact as long as nobody left from behind it. */
  ahead(waiter: Waiter): number {
    return Math.max(0, waiter.place - this.#left);
  }
}
