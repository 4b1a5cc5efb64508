import { TimeoutError } from '../errors.ts';
import { requiredText } from '../internal/arguments.ts';
import { abortable, Scope, sleep } from '../internal/signal.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { TrackedRequest } from '../records/tracking-request.ts';
import { TrackingFailedError, TrackingPendingError } from './errors.ts';
import { isErrorOfListOnly, isTemporary } from './read-errors.ts';
import { checkWaiting, DEFAULT_WAIT_MS, type WaitOptions } from './wait-options.ts';

/** How the poller reads tracking requests. */
export interface TrackingRequestReader {
  get(id: string, options: RequestOptions): PromiseLike<TrackedRequest>;
  list(options: ListOptions & { filter: { created_at?: { start: Date; end: Date } } }): List<TrackedRequest>;
}

/** How many requests the rate limit allows. */
export interface RequestBudget {
  /** Length of the window, in ms. */
  windowMs: number;
  /** Requests in a window. */
  limit: number;
}

/** All polls together take this part of the budget at most. */
const MAX_SHARE = 1 / 4;
/** Up to this number, reading each tracking request separately is cheaper than reading a page of the list. */
const MAX_SINGLE_READS = 2;
/** A poll that takes longer is regarded as dead, because its Worker request may have ended. In ms. */
const MAX_POLL_MS = 120_000;
const RECHECK = Symbol('look again');

interface Poll {
  startedAt: number;
  done: Promise<void>;
  abort: () => void;
}

interface WatchedRequest {
  waiters: number;
  latest: TrackedRequest | undefined;
  readAt: number;
  /** When it was last read separately. */
  askedAt: number;
  /** Why its state cannot be read. A later poll would fail too. */
  error?: unknown;
  /** Why the last poll failed, if the next may succeed. */
  lastError?: unknown;
  /** Resolves at the next state or error. A new promise then replaces it. */
  news: Promise<void>;
  announce: () => void;
}

/**
 * Waits for the outcome of tracking requests. All waiters share their polls: a waiter that wakes up and finds the last poll
 * too old makes the next one, for all. There is no background loop, which could run longer than the waiting. Each waiter
 * wakes itself, because Workers require that.
 */
export class Poller {
  readonly #requests: TrackingRequestReader;
  readonly #pace: RequestBudget;
  readonly #waiting = new Map<string, WatchedRequest>();
  #poll: Poll | undefined;
  #nextPollAt = 0;

  constructor(requests: TrackingRequestReader, pace: RequestBudget) {
    this.#requests = requests;
    this.#pace = pace;
  }

  async wait(request: string | TrackedRequest, options?: WaitOptions): Promise<TrackedRequest> {
    const known = typeof request === 'string' ? undefined : request;
    const id = requiredText('The id of the tracking request', known ? known.id : request);
    checkWaiting('waitFor()', options ?? {});
    const { signal, onProgress } = options ?? {};
    const waitTimeout = options?.waitTimeout ?? DEFAULT_WAIT_MS;
    const startedAt = performance.now();
    const waiting = this.#enter(id, known);
    const scope = new Scope().follow(signal).limit(waitTimeout, () => this.#pendingError(id, waiting, waitTimeout));
    let reported: TrackedRequest | undefined;
    try {
      for (;;) {
        scope.signal.throwIfAborted();
        const elapsedMs = performance.now() - startedAt;
        const { latest } = waiting;
        if (waiting.error !== undefined) throw waiting.error;
        if (latest && latest !== reported) {
          if (!reported || changed(reported, latest)) onProgress?.({ trackingRequest: latest, elapsedMs });
          reported = latest;
          if (isDone(latest)) return latest;
        }
        if (latest) await sleep(this.#interval(elapsedMs), scope.signal);
        await this.#refresh(waiting, scope.signal);
      }
    } finally {
      scope.dispose();
      this.#leave(id, waiting);
    }
  }

  #enter(id: string, known: TrackedRequest | undefined): WatchedRequest {
    const waiting = this.#waiting.get(id) ?? {
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

  #leave(id: string, waiting: WatchedRequest): void {
    waiting.waiters -= 1;
    if (waiting.waiters > 0) return;
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#poll?.abort();
  }

  #pendingError(id: string, { latest, lastError }: WatchedRequest, waitTimeout: number): unknown {
    if (latest) return new TrackingPendingError(latest, waitTimeout, lastError);
    const message = `Tracking request ${id}: its state could not be read within the waitTimeout of ${waitTimeout} ms`;
    return lastError ?? new TimeoutError(message, { code: 'deadline', limitMs: waitTimeout });
  }

  /** The time between polls: short at first, longer after minutes. */
  #interval(elapsedMs: number): number {
    const { windowMs } = this.#pace;
    return Math.min(windowMs / 4, Math.max(windowMs / 30, elapsedMs / 10));
  }

  /** Resolves when there is a newer state, or when a poll has ended. */
  async #refresh(waiting: WatchedRequest, signal: AbortSignal): Promise<void> {
    const { readAt } = waiting;
    if (!this.#running()) await sleep(Math.max(0, this.#nextPollAt - performance.now()), signal);
    if (waiting.readAt > readAt) return;
    const poll = this.#running() ?? this.#start();
    // Checks again from time to time: in Workers, the poll of another request may never settle in this one.
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

  /** Reads all watched tracking requests. Resolves to the number of HTTP requests that this took. */
  async #read(signal: AbortSignal): Promise<number> {
    const missing = new Set(this.#waiting.keys());
    const pages = missing.size > MAX_SINGLE_READS ? await this.#readList(missing, signal) : 0;
    const singles = this.#longestUnasked(missing);
    await Promise.all(singles.map(id => this.#readOne(id, signal)));
    return pages + singles.length;
  }

  /** Reads the list. Removes the ids that it finds from `missing`. Resolves to the number of HTTP requests that this took. */
  async #readList(missing: Set<string>, signal: AbortSignal): Promise<number> {
    let sent = 0;
    try {
      const pages = this.#requests.list({ filter: this.#span(), pageSize: 100, priority: 'bulk', signal }).pages();
      for await (const page of pages) {
        sent += 1;
        for (const trackingRequest of page.data) {
          if (missing.delete(trackingRequest.id)) this.#learn(trackingRequest.id, { latest: trackingRequest });
        }
        // Reading the others separately is now cheaper than reading more pages.
        if (missing.size <= Math.max(MAX_SINGLE_READS, sent)) break;
      }
    } catch (error) {
      sent += 1;
      // This error tells nothing about one request: one invalid record makes a page fail, and an empty list may be a 404.
      if (signal.aborted || isErrorOfListOnly(error)) return sent;
      for (const id of missing) this.#learnError(id, error);
      missing.clear();
    }
    return sent;
  }

  /** The ids that were not read for the longest time, limited so that polls stay within their part of the budget. */
  #longestUnasked(ids: ReadonlySet<string>): string[] {
    const most = Math.max(MAX_SINGLE_READS, Math.ceil((this.#pace.limit * MAX_SHARE) / 4));
    const askedAt = (id: string) => this.#waiting.get(id)?.askedAt ?? 0;
    return [...ids].sort((a, b) => askedAt(a) - askedAt(b)).slice(0, most);
  }

  /** Never rejects, because an error of one tracking request must not affect the others. */
  async #readOne(id: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting) waiting.askedAt = performance.now();
    try {
      this.#learn(id, { latest: await this.#requests.get(id, { priority: 'bulk', signal }) });
    } catch (error) {
      if (!signal.aborted) this.#learnError(id, error);
    }
  }

  #learnError(id: string, error: unknown): void {
    this.#learn(id, isTemporary(error) ? { lastError: error } : { error });
  }

  #learn(id: string, news: Pick<WatchedRequest, 'latest'> | { error: unknown } | { lastError: unknown }): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    const { announce } = waiting;
    const readAt = 'lastError' in news ? waiting.readAt : performance.now();
    Object.assign(waiting, { lastError: undefined, readAt }, news, announcement());
    announce();
  }

  /** A filter for the time in which the watched requests were created. Empty if that time is not known for all of them. */
  #span(): { created_at?: { start: Date; end: Date } } {
    const times = Array.from(this.#waiting.values(), ({ latest }) => Date.parse(latest?.created_at ?? ''));
    if (times.some(Number.isNaN)) return {};
    // The service may exclude the limits themselves, and it may round times to seconds.
    return { created_at: { start: new Date(Math.min(...times) - 1000), end: new Date(Math.max(...times) + 1000) } };
  }
}

function announcement(): Pick<WatchedRequest, 'news' | 'announce'> {
  let announce = () => {};
  const news = new Promise<void>(resolve => {
    announce = resolve;
  });
  return { news, announce };
}

function changed(before: TrackedRequest, after: TrackedRequest): boolean {
  return (['status', 'failed_reason', 'retry_count', 'scac'] as const).some(name => before[name] !== after[name]);
}

/** A tracking request with the status `created` is done only when its shipment is linked. */
function isDone(request: TrackedRequest): boolean {
  if (request.status === 'failed') throw new TrackingFailedError(request);
  return (request.status === 'created' || request.status === 'tracking_stopped') && Boolean(request.tracked_object);
}
