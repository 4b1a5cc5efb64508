import { AuthenticationError, ConfigurationError, RateLimitError, TrackingError } from '../errors.ts';
import { retryDelay } from '../internal/retry-policy.ts';
import { Scope, sleep } from '../internal/signal.ts';
import { QueueError } from '../rate-limit/errors.ts';
import type { RateLimiter, Slot } from '../rate-limit/limiter.ts';
import { RollingWindowLimiter } from '../rate-limit/rolling-window.ts';
import { APIPromise } from './api-promise.ts';
import { attempt } from './attempt.ts';
import { type Call, type CallIdentity, deadlineError, type Exchange, eventFields, newCall, timeLeft } from './call.ts';
import { Decoder } from './decode.ts';
import type { InvalidCall, ResolvedEndpoint } from './endpoint.ts';
import { Observer } from './observer.ts';
import type { Settings } from './settings.ts';

/** Turns an answer into the value of its call. */
export type Decode<T> = (exchange: Exchange, decoder: Decoder) => T | Promise<T>;

/** A wait for the rate limit that is at least this long is logged. */
const LONG_WAIT_MS = 5000;

const NOT_STARTED = {
  until: 'body' as const,
  isUnderWay: false,
  exchange: undefined,
  attempts: 0,
  queuedMs: 0,
  id: undefined,
};

/**
 * Makes calls. A call is a loop of attempts. Each attempt takes a slot of the rate limit, then sends. Nothing else is
 * allocated before the first slot is taken, because thousands of calls may wait for a slot.
 */
export class Transport {
  /** The base URL, without a slash at its end. */
  declare readonly baseUrl: string;
  /** The rate limit that its calls share. */
  declare readonly limiter: RateLimiter;
  /** Calls the hooks and the logger. */
  declare readonly observer: Observer;
  /** What the rate limit of most requests allows. */
  declare readonly pace: {
    /** Length of the window, in ms. */
    readonly windowMs: number;
    /** Requests in a window. */
    readonly limit: number;
  };
  /** The settings that also apply to requests to the document storage. */
  declare readonly storage: Pick<Settings, 'fetch' | 'retry' | 'timeout'>;
  readonly #settings: Settings;
  readonly #decoder: Decoder;
  readonly #closing = new AbortController();
  /** The built-in limiter, which gives a free slot without a promise. */
  readonly #window: RollingWindowLimiter | undefined;

  constructor(settings: Settings, limiter: RateLimiter) {
    this.baseUrl = settings.baseUrl;
    this.limiter = limiter;
    this.#window = limiter instanceof RollingWindowLimiter ? limiter : undefined;
    this.observer = new Observer(settings.hooks, settings.logger);
    this.pace = { windowMs: settings.rateLimit.windowMs, limit: settings.rateLimit.limits.default };
    this.storage = { fetch: settings.fetch, retry: settings.retry, timeout: settings.timeout };
    this.#settings = settings;
    this.#decoder = new Decoder(settings.validation, this.observer);
  }

  /** Starts a call in the next microtask. */
  call<T>(endpoint: ResolvedEndpoint | InvalidCall, decode: Decode<T>): APIPromise<T> {
    try {
      if ('error' in endpoint) throw endpoint.error;
      const call = newCall(endpoint, this.#settings);
      return new APIPromise(call, this.#run(call, decode));
    } catch (error) {
      const call = { ...NOT_STARTED, endpoint, startedAt: performance.now() };
      this.#settled(call, error);
      return new APIPromise(call, Promise.reject(error));
    }
  }

  /** Aborts calls that wait for a slot or for another attempt, and refuses new calls. */
  close(): void {
    this.#closing.abort(new TrackingError('The client was closed while the call was waiting.', { code: 'closed' }));
  }

  async #run<T>(call: Call, decode: Decode<T>): Promise<T> {
    // `asResponse()` can be called until here.
    await undefined;
    call.isUnderWay = true;
    // Closing the client ends the waiting, but not a request that was sent already.
    const scope = call.signal && new Scope().follow(call.signal).follow(this.#closing.signal);
    const waiting = scope?.signal ?? this.#closing.signal;
    let failure: unknown;
    try {
      if (this.#closing.signal.aborted) throw new ConfigurationError('The client is closed. Make a new one.');
      const { endpoint } = call;
      if (endpoint.select) await endpoint.select();
      call.url = this.baseUrl + endpoint.path + endpoint.query;
      let exchange: Exchange | undefined;
      for (let tries = 1; !exchange; tries += 1) {
        waiting.throwIfAborted();
        const slot = this.#window?.tryAcquire(call.bucket, call.timeout) ?? (await this.#slot(call, waiting, failure));
        try {
          exchange = await attempt(call, slot, this.#settings, this.observer);
        } catch (error) {
          failure = error;
          if (!(await this.#mayTryAgain(call, tries, error, waiting))) throw error;
        }
      }
      call.exchange = exchange;
      const value = call.until === 'headers' ? (undefined as T) : await decode(exchange, this.#decoder);
      this.#settled(call, undefined);
      return value;
    } catch (error) {
      this.#settled(call, error);
      throw error;
    } finally {
      scope?.dispose();
    }
  }

  /**
   * Waits for a slot.
   *
   * @param failure of the previous attempt. The call rejects with it if the queue refuses the next attempt.
   */
  async #slot(call: Call, waiting: AbortSignal, failure: unknown): Promise<Slot> {
    const queuedAt = performance.now();
    try {
      return await this.limiter.acquire({
        bucket: call.bucket,
        priority: call.priority,
        signal: waiting,
        maxWaitMs: call.deadline === Number.POSITIVE_INFINITY ? undefined : timeLeft(call),
        maxClosedMs: call.retry.maxRetryAfter,
        timeoutMs: call.timeout,
        onQueued: estimatedWaitMs => this.#queued(call, estimatedWaitMs),
      });
    } catch (error) {
      throw error instanceof QueueError ? this.#notSent(call, error, failure) : error;
    } finally {
      call.queuedMs += performance.now() - queuedAt;
    }
  }

  #queued(call: Call, estimatedWaitMs: number): void {
    const { bucket, attempts } = call;
    if (this.observer.hasHook('onQueued')) {
      this.observer.emit('onQueued', { ...eventFields(call), attempt: attempts + 1, bucket, estimatedWaitMs });
    }
    if (estimatedWaitMs < LONG_WAIT_MS) return;
    const seconds = Math.round(estimatedWaitMs / 1000);
    this.observer.logOnce(
      'warn',
      `waiting for ${bucket}`,
      `Calls wait for the rate limit (${bucket}), now for ${seconds} s.`,
    );
  }

  #notSent(call: Call, refusal: QueueError, failure: unknown): unknown {
    const { endpoint, bucket, attempts } = call;
    const { code, closedUntil, estimatedWaitMs } = refusal;
    if (code === 'queue_timeout') return deadlineError(call, { estimatedWaitMs, cause: refusal });
    if (closedUntil !== undefined)
      this.observer.logOnce('warn', `${bucket} closed until ${Math.round(closedUntil / 10_000)}`, refusal.message);
    if (failure !== undefined || code === 'queue_full') return failure ?? refusal;
    const { method, path } = endpoint;
    return new RateLimitError({
      status: 429,
      errors: [],
      method,
      path,
      requestId: undefined,
      retryAfterMs: estimatedWaitMs,
      attempts,
      body: undefined,
      message: `${method} ${path}: not sent. ${refusal.message}`,
    });
  }

  /**
   * Whether to make another attempt. If so, waits for the back-off first.
   *
   * @param tries includes those that ended before anything was sent, which do not count as attempts.
   */
  async #mayTryAgain(call: Call, tries: number, error: unknown, waiting: AbortSignal): Promise<boolean> {
    // The reason of an abort may be an error of this package, for example the error of another call.
    if (waiting.aborted) return false;
    if (error instanceof AuthenticationError && this.#settings.credentials.renewable && !call.isRenewed) {
      call.isRenewed = true;
      return true;
    }
    const retries = call.isRenewed ? tries - 1 : tries;
    const delayMs = retryDelay(error, retries, call.retry, call.endpoint.repeatable);
    if (delayMs === undefined) return false;
    if (delayMs > timeLeft(call)) throw deadlineError(call, { cause: error });

    this.#announceRetry(call, error, delayMs);
    await sleep(delayMs, waiting);
    return true;
  }

  #announceRetry(call: Call, error: unknown, delayMs: number): void {
    const { attempts } = call;
    if (this.observer.hasHook('onRetry')) {
      this.observer.emit('onRetry', { ...eventFields(call), attempt: attempts, delayMs, error });
    }
    const reason = error instanceof TrackingError ? error.message : String(error);
    this.observer.log('info', `${reason}; attempt ${attempts + 1} in ${Math.round(delayMs)} ms`);
  }

  #settled(call: CallIdentity & Pick<Call, 'attempts' | 'queuedMs' | 'startedAt'>, error: unknown): void {
    if (!this.observer.hasHook('onSettled')) return;
    const { attempts, queuedMs, startedAt } = call;
    const durationMs = performance.now() - startedAt;
    this.observer.emit('onSettled', { ...eventFields(call), error, attempts, queuedMs, durationMs });
  }
}
