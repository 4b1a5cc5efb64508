import { TimeoutError } from '../errors.ts';
import { abortable, Scope, sleep } from '../internal/signal.ts';
import type { RequestOptions } from '../options.ts';
import type { ListOptions } from '../pagination/options.ts';
import { isErrorOfListOnly, isForeign, isTemporary } from './read-errors.ts';

/** The records that a poller waits for, with the functions that read them. */
export interface PollSubject<T extends { id: string }> {
  /** The name in messages. */
  name: string;
  get(id: string, options: RequestOptions): PromiseLike<T>;
  /** Reads the pages of the list that contains the records. `known` has the records that were read before. */
  pages(known: (T | undefined)[], options: ListOptions): AsyncIterable<{ data: T[] }>;
  /** True if the change from one state to the next is reported to `onProgress`. */
  changed(before: T, after: T): boolean;
  /**
   * Reads facts that the records themselves do not have. Runs before each poll. Resolves to the number of HTTP requests that
   * it sent.
   */
  prepare?(known: (T | undefined)[], options: RequestOptions): Promise<number>;
}

/** The options of one caller that waits. */
export interface Waiting<T> {
  waitTimeout: number;
  signal: AbortSignal | undefined;
  /** Called with each state. If it returns a promise, the promise is awaited. */
  onProgress(state: T, elapsedMs: number): unknown;
  /** True if the wait is over. Throws if the outcome is a failure. */
  isDone(state: T): boolean;
  /** Returns the error for a wait that ended without an outcome. */
  pending(state: T, cause: unknown): unknown;
}

/** The usual rate limit, of which polls may use only a part. */
export interface RequestBudget {
  /** Length of the window, in ms. */
  windowMs: number;
  /** Requests in a window. */
  limit: number;
}

/** Upper bound for the part of the budget that all polls use together. */
const MAX_SHARE = 1 / 4;
/**
 * Up to this number of records, it takes fewer requests to read each record separately than to read a page of the list.
 */
const MAX_SINGLE_READS = 2;
/**
 * Upper bound in ms for a poll. If a poll takes longer, waiters ignore it: in Cloudflare Workers, the request that
 * began the poll may have ended.
 */
const MAX_POLL_MS = 120_000;
const RECHECK = Symbol('look again');

interface Poll {
  startedAt: number;
  done: Promise<void>;
  abort: () => void;
}

interface Watched<T> {
  waiters: number;
  latest: T | undefined;
  readAt: number;
  /** Time at which the record was last read separately. */
  askedAt: number;
  /** Reason why the state cannot be read. A later poll would fail too. */
  error?: unknown;
  /** Reason why the last poll failed, if the next poll may succeed. */
  lastError?: unknown;
  /** Resolves at the next state or error, and is then replaced by a new promise. */
  news: Promise<void>;
  announce: () => void;
}

/**
 * Waits for states of records, such as the outcome of a tracking request. All waiters share their polls. If a waiter
 * wakes up and the last poll is too old, this waiter makes the next poll for all waiters. There is no background loop,
 * which could run longer than the waiters. Each waiter wakes itself, because Cloudflare Workers require that.
 */
export class Poller<T extends { id: string }> {
  readonly #subject: PollSubject<T>;
  readonly #pace: RequestBudget;
  readonly #waiting = new Map<string, Watched<T>>();
  #poll: Poll | undefined;
  #nextPollAt = 0;

  constructor(subject: PollSubject<T>, pace: RequestBudget) {
    this.#subject = subject;
    this.#pace = pace;
  }

  /** @param known the record in its last known state. */
  async wait(id: string, known: T | undefined, how: Waiting<T>): Promise<T> {
    const { signal, waitTimeout } = how;
    const startedAt = performance.now();
    const waiting = this.#enter(id, known);
    const scope = new Scope().follow(signal).limit(waitTimeout, () => this.#pendingError(id, waiting, how));
    let reported: T | undefined;
    try {
      for (;;) {
        signal?.throwIfAborted();
        const elapsedMs = performance.now() - startedAt;
        const { latest } = waiting;
        if (waiting.error !== undefined) throw waiting.error;
        if (latest && latest !== reported) {
          const isNews = !reported || this.#subject.changed(reported, latest);
          const told = isNews && how.onProgress(latest, elapsedMs);
          if (told) await abortable(Promise.resolve(told), scope.signal);
          reported = latest;
          if (how.isDone(latest)) return latest;
        }
        try {
          scope.signal.throwIfAborted();
          if (latest) await sleep(this.#interval(elapsedMs), scope.signal);
          if (latest === waiting.latest) await this.#refresh(waiting, scope.signal);
        } catch (reason) {
          // Another waiter may have read a newer state in the meantime, even if the time is over now.
          if (latest === waiting.latest) throw reason;
        }
      }
    } finally {
      scope.dispose();
      this.#leave(id, waiting);
    }
  }

  #enter(id: string, known: T | undefined): Watched<T> {
    const waiting: Watched<T> = this.#waiting.get(id) ?? {
      waiters: 0,
      latest: undefined,
      readAt: 0,
      askedAt: 0,
      ...announcement(),
    };
    if (known && !waiting.latest) Object.assign(waiting, { latest: known, readAt: performance.now() });
    waiting.waiters += 1;
    this.#waiting.set(id, waiting);
    return waiting;
  }

  #leave(id: string, waiting: Watched<T>): void {
    waiting.waiters -= 1;
    if (waiting.waiters > 0) return;
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#poll?.abort();
  }

  #pendingError(id: string, { latest, lastError }: Watched<T>, { waitTimeout, pending }: Waiting<T>): unknown {
    if (latest) return pending(latest, lastError);
    const message = `${this.#subject.name} ${id}: not read within ${waitTimeout} ms`;
    return lastError ?? new TimeoutError(message, { code: 'deadline', limitMs: waitTimeout });
  }

  /** The time between polls: half a second at first, then two seconds, and longer after some minutes. */
  #interval(elapsedMs: number): number {
    const { windowMs } = this.#pace;
    const first = Math.min(windowMs / 30, windowMs / 120 + elapsedMs);
    return Math.min(windowMs / 4, Math.max(first, elapsedMs / 10));
  }

  /** Resolves when a newer state is known, or when a poll has ended. */
  async #refresh(waiting: Watched<T>, signal: AbortSignal): Promise<void> {
    const { readAt } = waiting;
    if (!this.#running()) await sleep(this.#nextPollAt - performance.now(), signal);
    if (waiting.readAt > readAt) return;
    const poll = this.#running() ?? this.#start();
    // A periodic check is needed. In Cloudflare Workers, a poll that belongs to another request may never settle in
    // this request.
    const scope = new Scope().follow(signal).limit(this.#pace.windowMs / 4, () => RECHECK);
    try {
      await abortable(Promise.race([poll.done, waiting.news]), scope.signal);
    } catch (reason) {
      if (reason !== RECHECK) throw reason;
    } finally {
      scope.dispose();
    }
  }

  #running(): Poll | undefined {
    const poll = this.#poll;
    return poll && performance.now() - poll.startedAt < MAX_POLL_MS ? poll : undefined;
  }

  #start(): Poll {
    const stopping = new AbortController();
    const poll = {
      startedAt: performance.now(),
      abort: () => stopping.abort(),
      done: this.#read(stopping.signal)
        .then(sent => {
          this.#nextPollAt =
            performance.now() + (Math.max(1, sent) * this.#pace.windowMs) / this.#pace.limit / MAX_SHARE;
        })
        .finally(() => {
          if (this.#poll === poll) this.#poll = undefined;
        }),
    };
    this.#poll = poll;
    return poll;
  }

  /** Reads all watched records. Resolves to the number of HTTP requests that were sent. */
  async #read(signal: AbortSignal): Promise<number> {
    const prepared = (await this.#subject.prepare?.(this.#known(), { priority: 'bulk', signal })) ?? 0;
    const missing = new Set(this.#waiting.keys());
    const pages = missing.size > MAX_SINGLE_READS ? await this.#readList(missing, signal) : 0;
    const singles = this.#longestUnasked(missing);
    await Promise.all(singles.map(id => this.#readOne(id, signal)));
    return prepared + pages + singles.length;
  }

  /**
   * Reads the list, and removes the ids that it finds from `missing`. Resolves to the number of HTTP requests that were sent.
   */
  async #readList(missing: Set<string>, signal: AbortSignal): Promise<number> {
    let sent = 0;
    try {
      for await (const page of this.#subject.pages(this.#known(), { pageSize: 100, priority: 'bulk', signal })) {
        sent += 1;
        for (const latest of page.data) {
          if (missing.delete(latest.id)) this.#learn(latest.id, { latest });
        }
        // Separate reads of the remaining records now take fewer requests than further pages.
        if (missing.size <= Math.max(MAX_SINGLE_READS, sent)) break;
      }
    } catch (error) {
      sent += 1;
      // The error may come from the list and not from a record: one invalid record makes a page fail, and the service
      // may respond 404 for an empty list.
      if (signal.aborted || isErrorOfListOnly(error)) return sent;
      for (const id of missing) this.#learnError(id, error);
      missing.clear();
    }
    return sent;
  }

  /**
   * The ids of the records whose last separate read is the oldest. Their number is limited, so that polls stay within
   * their part of the budget.
   */
  #longestUnasked(ids: ReadonlySet<string>): string[] {
    const most = Math.max(MAX_SINGLE_READS, Math.ceil((this.#pace.limit * MAX_SHARE) / 4));
    const askedAt = (id: string) => this.#waiting.get(id)?.askedAt ?? 0;
    return [...ids].sort((a, b) => askedAt(a) - askedAt(b)).slice(0, most);
  }

  /** Reads one record. Never rejects, because an error of one record must not affect the other records. */
  async #readOne(id: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting) waiting.askedAt = performance.now();
    try {
      this.#learn(id, { latest: await this.#subject.get(id, { priority: 'bulk', signal }) });
    } catch (error) {
      if (!signal.aborted) this.#learnError(id, error);
    }
  }

  #learnError(id: string, error: unknown): void {
    this.#learn(id, isTemporary(error) || isForeign(error) ? { lastError: error } : { error });
  }

  #learn(id: string, news: Pick<Watched<T>, 'latest'> | { error: unknown } | { lastError: unknown }): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    const { announce } = waiting;
    const readAt = 'lastError' in news ? waiting.readAt : performance.now();
    Object.assign(waiting, { lastError: undefined, readAt }, news, announcement());
    announce();
  }

  #known(): (T | undefined)[] {
    return Array.from(this.#waiting.values(), ({ latest }) => latest);
  }
}

function announcement(): Pick<Watched<unknown>, 'news' | 'announce'> {
  let announce = () => {};
  const news = new Promise<void>(resolve => {
    announce = resolve;
  });
  return { news, announce };
}
