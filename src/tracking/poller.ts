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

/** What the rate limit allows. */
export interface RequestBudget {
  /** Length of its window, in ms. */
  windowMs: number;
  /** Requests in a window. */
  limit: number;
}

/** All polls together take this part of the budget at most. */
const MAX_BUDGET_SHARE = 1 / 4;
/** Up to here, asking for each request by itself is cheaper than reading a page of the list. */
const MAX_SINGLE_READS = 2;
/** A poll that runs longer is taken for dead: the Worker request that it ran in may have ended. */
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
  /** When it was last asked for by itself. */
  askedAt: number;
  /** Why its state cannot be read, now and later. */
  error?: unknown;
  /** Why the last read failed, if the next may not. */
  lastError?: unknown;
  /** Settles with the next state or error, and is another then. */
  news: Promise<void>;
  announce: () => void;
}

/**
 * Waits for the outcome of tracking requests. Those that wait at the same time share their polls: whoever wakes up and
 * finds the last one too old makes the next, for all. There is no loop of its own that could outlive the waiting, and
 * each waiter wakes itself, as a Worker demands.
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
      ...newAnnouncement(),
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

  /** Often at first, seldom after minutes. */
  #interval(elapsedMs: number): number {
    const { windowMs } = this.#pace;
    return Math.min(windowMs / 4, Math.max(windowMs / 30, elapsedMs / 10));
  }

  /** Returns once there is a newer state than the one at the start, or a poll has ended. */
  async #refresh(waiting: WatchedRequest, signal: AbortSignal): Promise<void> {
    const { readAt } = waiting;
    if (!this.#running()) await sleep(Math.max(0, this.#nextPollAt - performance.now()), signal);
    if (waiting.readAt > readAt) return;
    const poll = this.#running() ?? this.#start();
    // Looks again by itself from time to time: in a Worker, another request's poll may never settle here.
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
            performance.now() + (Math.max(1, sent) * this.#pace.windowMs) / this.#pace.limit / MAX_BUDGET_SHARE;
        })
        .finally(() => {
          if (this.#poll === poll) this.#poll = undefined;
        }),
    };
    this.#poll = poll;
    return poll;
  }

  /** Reads the requests that are waited for. Resolves to the number of requests that this took. */
  async #read(signal: AbortSignal): Promise<number> {
    const missing = new Set(this.#waiting.keys());
    const pages = missing.size > MAX_SINGLE_READS ? await this.#readList(missing, signal) : 0;
    const singles = this.#longestUnasked(missing);
    await Promise.all(singles.map(id => this.#readOne(id, signal)));
    return pages + singles.length;
  }

  /** Takes those out of `missing` of which it learns. Resolves to the number of requests that this took. */
  async #readList(missing: Set<string>, signal: AbortSignal): Promise<number> {
    let sent = 0;
    try {
      const pages = this.#requests.list({ filter: this.#span(), pageSize: 100, priority: 'bulk', signal }).pages();
      for await (const page of pages) {
        sent += 1;
        for (const trackingRequest of page.data) {
          if (missing.delete(trackingRequest.id)) this.#learn(trackingRequest.id, { latest: trackingRequest });
        }
        // From here on, each of the others by itself is cheaper than more pages.
        if (missing.size <= Math.max(MAX_SINGLE_READS, sent)) break;
      }
    } catch (error) {
      sent += 1;
      // An error of the list says nothing of a request: one odd record spoils a page, and a list without a match may be a 404.
      if (signal.aborted || isErrorOfListOnly(error)) return sent;
      for (const id of missing) this.#learnError(id, error);
      missing.clear();
    }
    return sent;
  }

  /** As many as a poll may take, so that no failure of the list makes polls larger than their share. */
  #longestUnasked(ids: ReadonlySet<string>): string[] {
    const most = Math.max(MAX_SINGLE_READS, Math.ceil((this.#pace.limit * MAX_BUDGET_SHARE) / 4));
    const askedAt = (id: string) => this.#waiting.get(id)?.askedAt ?? 0;
    return [...ids].sort((a, b) => askedAt(a) - askedAt(b)).slice(0, most);
  }

  /** Never rejects: what befalls one of them is not the others' affair. */
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
    Object.assign(waiting, { lastError: undefined, readAt }, news, newAnnouncement());
    announce();
  }

  /** The time in which the requests were created that are waited for, if it is known of all. */
  #span(): { created_at?: { start: Date; end: Date } } {
    const times = Array.from(this.#waiting.values(), ({ latest }) => Date.parse(latest?.created_at ?? ''));
    if (times.some(Number.isNaN)) return {};
    // The bounds may be exclusive, and times may be rounded to seconds.
    return { created_at: { start: new Date(Math.min(...times) - 1000), end: new Date(Math.max(...times) + 1000) } };
  }
}

function newAnnouncement(): Pick<WatchedRequest, 'news' | 'announce'> {
  let announce = () => {};
  const news = new Promise<void>(resolve => {
    announce = resolve;
  });
  return { news, announce };
}

function changed(before: TrackedRequest, after: TrackedRequest): boolean {
  return (['status', 'failed_reason', 'retry_count', 'scac'] as const).some(name => before[name] !== after[name]);
}

/** A request that is `created` counts once its shipment is linked. */
function isDone(request: TrackedRequest): boolean {
  if (request.status === 'failed') throw new TrackingFailedError(request);
  return (request.status === 'created' || request.status === 'tracking_stopped') && Boolean(request.tracked_object);
}
