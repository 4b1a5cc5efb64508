import type { Bucket } from './bucket.ts';
import type { BucketName, Priority, Slot } from './limiter.ts';

/** A call that waits for its slot. There may be a hundred thousand, so it contains only what is needed. */
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
  /** How many calls joined the queue before this one. */
  place: number;
  previous: Waiter | undefined;
  next: Waiter | undefined;
}

/** A first-in, first-out queue. It is a linked list, so that removing from the middle takes constant time too. */
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

  /** Puts back a waiter that was removed because it seemed dead. */
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

  /** The minimum number of waiters ahead of this one. It is exact if nobody behind this one has left the queue. */
  ahead(waiter: Waiter): number {
    return Math.max(0, waiter.place - this.#left);
  }
}
