import { AbortFanout } from '../internal/signal.ts';
import {
  BUCKET_NAMES,
  type BucketName,
  type Priority,
  perBucket,
  QueueError,
  type Slot,
  type SlotRequest,
} from './limiter.ts';

/** The part of a bucket that its queue needs. */
interface AwaitedBucket {
  room(now: number): number;
  turn(ahead: number, now: number): number;
}

/** A call that waits for its slot. There may be a hundred thousand waiters, so they have only the necessary fields. */
export interface Waiter {
  readonly queue: WaiterQueue;
  /** Sequence number of the arrival, over all queues. */
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
  /** Number of calls that joined the queue before this call. */
  place: number;
  previous: Waiter | undefined;
  next: Waiter | undefined;
}

/**
 * A first-in, first-out queue. It is a linked list, so that removing a waiter from the middle takes constant time too.
 */
export class WaiterQueue {
  readonly name: BucketName;
  readonly bucket: AwaitedBucket;
  readonly priority: Priority;
  first: Waiter | undefined;
  size = 0;
  #last: Waiter | undefined;
  #joined = 0;
  #left = 0;
  /** Counts the waiters of all queues. */
  readonly #all: { total: number };

  constructor(name: BucketName, bucket: AwaitedBucket, priority: Priority, all: { total: number }) {
    this.#all = all;
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
    this.#all.total += 1;
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
    this.#all.total += 1;
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
    this.#all.total -= 1;
    this.#left += 1;
  }

  /**
   * The minimum number of waiters ahead of this waiter. The number is exact if no waiter behind this waiter has left
   * the queue.
   */
  ahead(waiter: Waiter): number {
    return Math.max(0, waiter.place - this.#left);
  }
}

/**
 * Time in ms between two checks of a call that waits only for responses. With hand-over, the check is only a fallback.
 */
const POLL_MS = { handOver: 1000, alone: 10 };
/**
 * Longest time in ms until the next check. A timer lasts 24 days at most. Without hand-over, a waiting call is not
 * notified when calls ahead of it give up.
 */
const LONGEST_SLEEP_MS = { handOver: 86_400_000, alone: 1000 };
/**
 * If a call wakes up more than this time in ms after its planned time, the call is regarded as dead, and the next calls
 * go first.
 */
const GRACE_MS = 1000;

/** The window whose slots the calls wait for. */
export interface AwaitedWindow {
  readonly buckets: Readonly<Record<BucketName, AwaitedBucket>>;
  /** Upper bound for requests in flight at the same time, over all buckets. */
  readonly maxInFlight: number;
  /** Number of further requests that may be in flight now. */
  spare(now: number): number;
  take(name: BucketName, now: number, timeoutMs: number | undefined): Slot;
  now(): number;
}

/** The calls that wait for a slot. Each call has a timer for the time at which it may get a slot. */
export class Waiters {
  readonly #window: AwaitedWindow;
  readonly #handOver: boolean;
  readonly #queues: Record<BucketName, { interactive: WaiterQueue; bulk: WaiterQueue }>;
  readonly #aborts = new AbortFanout<Waiter>(waiters => this.#abort(waiters));
  readonly #pollMs: number;
  readonly #longestSleepMs: number;
  #arrivals = 0;
  /** Calls that wait, over all buckets. */
  total = 0;

  /** @param handOver true if a call that ends may give its slot to a waiting call. */
  constructor(window: AwaitedWindow, handOver: boolean) {
    this.#window = window;
    this.#handOver = handOver;
    this.#queues = perBucket(name => ({
      interactive: new WaiterQueue(name, window.buckets[name], 'interactive', this),
      bulk: new WaiterQueue(name, window.buckets[name], 'bulk', this),
    }));
    this.#pollMs = handOver ? POLL_MS.handOver : POLL_MS.alone;
    this.#longestSleepMs = handOver ? LONGEST_SLEEP_MS.handOver : LONGEST_SLEEP_MS.alone;
  }

  /** Calls that wait for a slot of one bucket. */
  count(name: BucketName): number {
    const { interactive, bulk } = this.#queues[name];
    return interactive.size + bulk.size;
  }

  /** The minimum wait of a new call, in ms. */
  estimate({ bucket, priority }: SlotRequest, now: number): number {
    const ahead = priority === 'bulk' ? this.count(bucket) : this.#queues[bucket].interactive.size;
    return Math.ceil(this.#window.buckets[bucket].turn(ahead, now) - now);
  }

  /** Adds a call to the queue. */
  join(request: SlotRequest, now: number, resolve: (slot: Slot) => void, reject: (reason: unknown) => void): void {
    const waiter: Waiter = {
      queue: this.#queues[request.bucket][request.priority],
      arrival: this.#arrivals++,
      queuedAt: now,
      expiresAt: now + (request.maxWaitMs ?? Infinity),
      timeoutMs: request.timeoutMs,
      maxClosedMs: request.maxClosedMs,
      signal: request.signal,
      resolve,
      reject,
      timer: undefined,
      wakeAt: now,
      isQueued: false,
      place: 0,
      previous: undefined,
      next: undefined,
    };
    waiter.queue.push(waiter);
    if (waiter.signal) this.#aborts.add(waiter.signal, waiter);
    this.#wake(waiter);
  }

  /** Gives all free slots to waiting calls, if hand-over is allowed. */
  grantAll(now: number): void {
    if (!this.#handOver) return;
    for (const waiter of this.#due(now)) this.#grant(waiter, now);
  }

  /** Rejects the calls of a bucket for which `refuse` throws. */
  refuse(name: BucketName, refuse: (waiter: Waiter) => void): void {
    const { interactive, bulk } = this.#queues[name];
    for (const queue of [interactive, bulk]) {
      let waiter = queue.first;
      while (waiter) {
        const next: Waiter | undefined = waiter.next;
        try {
          refuse(waiter);
        } catch (refusal) {
          this.#leave(waiter);
          waiter.reject(refusal);
        }
        waiter = next;
      }
    }
  }

  /** Called when the timer of a waiter fires, and when a waiter arrives. */
  readonly #wake = (waiter: Waiter): void => {
    const now = this.#window.now();
    waiter.timer = undefined;
    if (!waiter.isQueued) waiter.queue.putFirst(waiter);
    if (this.#handOver) this.grantAll(now);
    else if (this.#due(now).includes(waiter)) this.#grant(waiter, now);
    if (!waiter.isQueued) return;
    const turn = waiter.queue.bucket.turn(this.#ahead(waiter), now);
    if (Math.max(turn, now) < waiter.expiresAt) {
      this.#sleep(waiter, now);
      return;
    }
    this.#leave(waiter);
    waiter.reject(tooLong(waiter.queue.name, Math.ceil(turn - waiter.queuedAt), waiter.expiresAt - waiter.queuedAt));
    this.#rescheduleFirst(waiter.queue.name, now);
  };

  #sleep(waiter: Waiter, now: number): void {
    waiter.wakeAt = this.#nextLook(waiter, now);
    clearTimeout(waiter.timer);
    waiter.timer = setTimeout(this.#wake, Math.ceil(waiter.wakeAt - now), waiter);
  }

  #nextLook(waiter: Waiter, now: number): number {
    const ahead = this.#ahead(waiter);
    const turn = waiter.queue.bucket.turn(ahead, now);
    // The time of a response is not known. A call far back in the queue waits for several responses, so it polls less
    // often.
    const poll = now + this.#pollMs * (1 + Math.floor(ahead / this.#window.maxInFlight));
    return Math.min(turn > now ? turn : poll, waiter.expiresAt, now + this.#longestSleepMs);
  }

  #grant(waiter: Waiter, now: number): void {
    this.#leave(waiter);
    waiter.resolve(this.#window.take(waiter.queue.name, now, waiter.timeoutMs));
    this.#rescheduleFirst(waiter.queue.name, now);
  }

  #abort(waiters: Waiter[]): void {
    const now = this.#window.now();
    const touched = new Set<BucketName>();
    for (const waiter of waiters) {
      this.#leave(waiter);
      waiter.reject(waiter.signal?.reason);
      touched.add(waiter.queue.name);
    }
    for (const name of touched) this.#rescheduleFirst(name, now);
  }

  #leave(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    waiter.timer = undefined;
    waiter.queue.remove(waiter);
    if (waiter.signal) this.#aborts.delete(waiter.signal, waiter);
  }

  /** Reschedules the first call of a queue: it may sleep too long if calls ahead of it have given up. */
  #rescheduleFirst(name: BucketName, now: number): void {
    if (!this.#handOver) return;
    const head = this.#queues[name].interactive.first ?? this.#queues[name].bulk.first;
    if (head && head.wakeAt > this.#nextLook(head, now)) this.#sleep(head, now);
  }

  /** The waiters that may take a slot now, in order. */
  #due(now: number): Waiter[] {
    const room = this.#window.spare(now);
    if (room < 1) return [];
    return BUCKET_NAMES.flatMap(name => this.#first(Math.min(room, this.#window.buckets[name].room(now)), name, now))
      .sort(byPriorityAndArrival)
      .slice(0, room);
  }

  /** Up to `count` waiters of a bucket, in order. */
  #first(count: number, name: BucketName, now: number): Waiter[] {
    const first: Waiter[] = [];
    const { interactive, bulk } = this.#queues[name];
    for (const queue of [interactive, bulk]) {
      let waiter = queue.first;
      while (waiter && first.length + 1 <= count) {
        const next: Waiter | undefined = waiter.next;
        if (this.#seemsDead(waiter, now)) queue.remove(waiter);
        else first.push(waiter);
        waiter = next;
      }
    }
    return first;
  }

  /**
   * True if the timer of the waiter is late: its Worker request may have been cancelled. If the timer fires after
   * all, the waiter puts itself back into the queue.
   */
  #seemsDead(waiter: Waiter, now: number): boolean {
    return !this.#handOver && waiter.wakeAt + GRACE_MS < now;
  }

  #ahead(waiter: Waiter): number {
    const { interactive, bulk } = this.#queues[waiter.queue.name];
    return waiter.queue.priority === 'bulk' ? interactive.size + bulk.ahead(waiter) : interactive.ahead(waiter);
  }
}

function byPriorityAndArrival(a: Waiter, b: Waiter): number {
  const bulkLast = Number(a.queue.priority === 'bulk') - Number(b.queue.priority === 'bulk');
  return bulkLast || a.arrival - b.arrival;
}

export function tooLong(bucket: BucketName, estimatedWaitMs: number, allowedMs: number): QueueError {
  const message = `The wait for a slot of the bucket "${bucket}" would be at least ${estimatedWaitMs} ms; the call allows ${Math.floor(allowedMs)} ms.`;
  return new QueueError(message, { code: 'queue_timeout', estimatedWaitMs });
}
