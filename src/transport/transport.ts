import { type APIError, AuthenticationError, ConfigurationError, RateLimitError, TrackingError } from '../errors.ts';
import { milliseconds, oneOf, optionalSignal } from '../internal/arguments.ts';
import { inWorkers } from '../internal/runtime.ts';
import {
  abortable,
  abortResponseWith,
  MAX_TIMER_MS,
  onAbort,
  Scope,
  sleep,
  startStopwatch,
} from '../internal/signal.ts';
import type { RateLimiter, Slot, SlotOutcome } from '../rate-limit/limiter.ts';
import { type BucketName, type Priority, QueueError } from '../rate-limit/limiter.ts';
import { RollingWindowLimiter } from '../rate-limit/rolling-window.ts';
import { APIPromise } from './api-promise.ts';
import type { Credential } from './auth.ts';
import { type Call, type CallIdentity, type Exchange, eventFields } from './call.ts';
import type { InvalidCall, Method, ResolvedEndpoint } from './endpoint.ts';
import { connectionError, deadlineError, failureOf, requestIdOf, timeoutError } from './failure.ts';
import { Observer } from './observer.ts';
import { Decoder, discard, isHarmless, readErrorText, readText } from './response.ts';
import { resolveRetry, retryAfterOf, retryDelay } from './retries.ts';
import type { Settings } from './settings.ts';
import { checkHeaders } from './settings.ts';

/** Turns a response into the value of its call. */
export type Decode<T> = (exchange: Exchange, decoder: Decoder) => T | Promise<T>;

/** If a wait for the rate limit has this length in ms, it is logged. */
const LONG_WAIT_MS = 5000;

const PRIORITIES: readonly Priority[] = ['interactive', 'bulk'];

const NOT_STARTED = {
  until: 'body' as const,
  isUnderWay: false,
  exchange: undefined,
  attempts: 0,
  queuedMs: 0,
  id: undefined,
};

/**
 * Makes calls. A call is a loop of attempts. Each attempt takes a slot of the rate limit, and then sends its request.
 * Nothing else is allocated before the first slot is taken, because thousands of calls may wait for a slot.
 */
export class Transport {
  /** The base URL, without a slash at its end. */
  declare readonly baseUrl: string;
  /** The rate limiter that the calls of this transport share. */
  declare readonly limiter: RateLimiter;
  /** Calls the hooks and the logger. */
  declare readonly observer: Observer;
  /** The usual rate limit, which applies to most endpoints. */
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
  /**
   * The scopes of the waiting calls. The calls do not share an `AbortController`: in a Worker, a controller can be used
   * only while the Worker handles the incoming request that created it.
   */
  readonly #waits = new Set<Scope>();
  #closed: TrackingError | undefined;
  /** The built-in limiter, which can grant a free slot without a promise. */
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
    this.#closed ??= new TrackingError('The client was closed while the call was waiting.', { code: 'closed' });
    for (const wait of this.#waits) wait.abort(this.#closed);
  }

  async #run<T>(call: Call, decode: Decode<T>): Promise<T> {
    // `asResponse()` can be called until this point.
    await undefined;
    call.isUnderWay = true;
    let failure: unknown;
    try {
      if (this.#closed) throw new ConfigurationError('The client is closed. Make a new one.');
      const { endpoint } = call;
      if (endpoint.select) await endpoint.select();
      call.url = this.baseUrl + endpoint.path + endpoint.query;
      let exchange: Exchange | undefined;
      for (let tries = 1; !exchange; tries += 1) {
        call.signal?.throwIfAborted();
        if (this.#closed) throw this.#closed;
        const slot = this.#window?.tryAcquire(call.bucket, call.timeout) ?? (await this.#slot(call, failure));
        try {
          exchange = await attempt(call, slot, this.#settings, this.observer);
        } catch (error) {
          failure = error;
          if (!(await this.#mayTryAgain(call, tries, error))) throw error;
        }
      }
      call.exchange = exchange;
      const value = call.until === 'headers' ? (undefined as T) : await decode(exchange, this.#decoder);
      this.#settled(call, undefined);
      return value;
    } catch (error) {
      this.#settled(call, error);
      throw error;
    }
  }

  /** Waits until the wait ends, the signal of the call aborts, or the client is closed. */
  async #wait<T>(call: Call, wait: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const scope = new Scope().follow(call.signal);
    this.#waits.add(scope);
    try {
      return await wait(scope.signal);
    } finally {
      this.#waits.delete(scope);
      scope.dispose();
    }
  }

  /**
   * Waits for a slot.
   *
   * @param failure failure of the previous attempt. The call rejects with this failure if the queue refuses the next
   *   attempt.
   */
  async #slot(call: Call, failure: unknown): Promise<Slot> {
    const queuedAt = performance.now();
    try {
      return await this.#wait(call, signal =>
        this.limiter.acquire({
          bucket: call.bucket,
          priority: call.priority,
          signal,
          maxWaitMs: call.deadline === Infinity ? undefined : timeLeft(call),
          maxClosedMs: call.retry.maxRetryAfter,
          timeoutMs: call.timeout,
          onQueued: estimatedWaitMs => this.#queued(call, estimatedWaitMs),
        }),
      );
    } catch (error) {
      throw error instanceof QueueError ? this.#notSent(call, error, failure) : error;
    } finally {
      call.queuedMs += performance.now() - queuedAt;
    }
  }

  #queued(call: Call, estimatedWaitMs: number): void {
    const { bucket, attempts } = call;
    this.observer.emitOf('onQueued', call, () => ({ attempt: attempts + 1, bucket, estimatedWaitMs }));
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
   * Decides about another attempt, and waits for the back-off before it.
   *
   * @param tries all attempts, including those that ended before anything was sent. Attempts that ended before anything
   *   was sent do not count in `call.attempts`.
   */
  async #mayTryAgain(call: Call, tries: number, error: unknown): Promise<boolean> {
    // The reason of an abort may be an error of this package, for example the error of another call.
    if (call.signal?.aborted || this.#closed) return false;
    if (error instanceof AuthenticationError && this.#settings.credentials.renewable && !call.isRenewed) {
      call.isRenewed = true;
      return true;
    }
    const retries = tries - Number(call.isRenewed);
    const delayMs = retryDelay(error, retries, call.retry, call.endpoint.repeatable);
    if (delayMs === undefined) return false;
    if (delayMs > timeLeft(call)) throw deadlineError(call, { cause: error });

    this.#announceRetry(call, error, delayMs);
    await this.#wait(call, signal => sleep(delayMs, signal));
    return true;
  }

  #announceRetry(call: Call, error: unknown, delayMs: number): void {
    const { attempts } = call;
    this.observer.emitOf('onRetry', call, () => ({ attempt: attempts, delayMs, error }));
    const reason = error instanceof TrackingError ? error.message : String(error);
    this.observer.log('info', `${reason}; attempt ${attempts + 1} in ${Math.round(delayMs)} ms`);
  }

  #settled(call: CallIdentity & Pick<Call, 'attempts' | 'queuedMs' | 'startedAt'>, error: unknown): void {
    const { attempts, queuedMs, startedAt } = call;
    this.observer.emitOf('onSettled', call, () => {
      return { error, attempts, queuedMs, durationMs: performance.now() - startedAt };
    });
  }
}

/** The `fetch` of the runtime, read when this package was loaded: a program may replace the global later. */
const NATIVE_FETCH = globalThis.fetch;

/** @throws {ConfigurationError} for options that cannot work. */
function newCall(endpoint: ResolvedEndpoint, settings: Settings): Call {
  const { method, path, options } = endpoint;
  const limit = (name: 'timeout' | 'deadline') =>
    options[name] === undefined ? settings[name] : milliseconds(name, options[name]);
  const deadline = limit('deadline');
  return {
    ...NOT_STARTED,
    endpoint,
    url: '',
    headers: options.headers && checkHeaders(options.headers),
    bucket: bucketFor(method, path),
    priority: options.priority === undefined ? 'interactive' : oneOf('priority', options.priority, PRIORITIES),
    // A limiter takes back the slot of an attempt that has not ended after this time.
    timeout: Math.min(limit('timeout'), deadline),
    deadline,
    startedAt: performance.now(),
    retry: options.retry === undefined ? settings.retry : resolveRetry(options.retry, settings.retry),
    signal: options.signal === undefined ? undefined : optionalSignal(options.signal),
    isRenewed: false,
  };
}

/** The bucket in which the service counts a request. */
export function bucketFor(method: Method, path: string): BucketName {
  if (method === 'GET') return 'default';
  const request = `${method} ${path.replace(/\/+$/, '')}`;
  if (request === 'POST /tracking_requests') return 'createTrackingRequest';
  if (request === 'POST /tracking_requests/infer_number') return 'inferNumber';
  return /^PATCH \/containers\/[^/]+\/refresh$/.test(request) ? 'refreshContainer' : 'default';
}

/** The time until the deadline, in ms. */
function timeLeft({ startedAt, deadline }: Call): number {
  return startedAt + deadline - performance.now();
}

const UNSENT: SlotOutcome = { unsent: true };
const UNANSWERED: SlotOutcome = { unanswered: true };
const ANSWERED: SlotOutcome = {};

/**
 * Makes one request: gets the credential, sends, reads the headers and the body. The timeout begins when this is called. The
 * slot is released at the end.
 */
async function attempt(call: Call, slot: Slot, settings: Settings, observer: Observer): Promise<Exchange> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = startTimer(call, controller);
  const ignore = call.signal && onAbort(call.signal, reason => controller.abort(reason));
  // The `fetch` of the runtime always ends when its signal aborts, even while the body is read. A custom `fetch` may
  // ignore the signal. In a Worker, if the caller of the request has left, only the promises of this package settle.
  const native = !settings.fetch && globalThis.fetch === NATIVE_FETCH && !inWorkers();
  let outcome = UNSENT;
  let credential: Credential | undefined;
  try {
    signal.throwIfAborted();
    const { current } = settings.credentials;
    credential = masking(
      typeof current === 'object' ? current : await renewed(current(), call, settings, signal),
      call,
    );
    call.attempts += 1;
    const init = requestInit(call, credential, settings, observer, signal);
    outcome = UNANSWERED;
    const sentAt = observer.isTiming ? performance.now() : 0;
    const sending = (settings.fetch ?? fetch)(call.url, init);
    const response = await (native ? sending : guarded(sending, signal));
    outcome = ANSWERED;
    const { redactor } = credential;
    if (observer.isTiming) emitResponse(call, response, credential, performance.now() - sentAt, observer);
    if (!response.ok) throw await refusal(call, response, credential, slot, observer, signal);
    if (call.until === 'headers' || call.endpoint.isUnread?.(response)) {
      if (call.signal) abortResponseWith(call.signal, response, controller);
      return { call, response, text: '', redactor };
    }
    const { maxResponseBytes } = settings;
    const text = await (native && isHarmless(response, maxResponseBytes)
      ? response.text()
      : readText(call, response, credential, maxResponseBytes, signal));
    return { call, response, text, redactor };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof TrackingError) throw error;
    const isCut = outcome === ANSWERED;
    // If the connection failed by itself, the service will not count the request later.
    if (outcome === UNANSWERED) outcome = ANSWERED;
    // Only a few recent tokens are remembered, and later attempts may have replaced the token of this attempt.
    const masked = settings.credentials.redactor.error(error);
    throw await connectionError(call, credential?.redactor.error(masked) ?? masked, isCut, signal);
  } finally {
    clearTimeout(timer);
    ignore?.();
    slot.release(outcome);
  }
}

/** Starts the timeout of the attempt, or a timeout for the rest of the call's deadline if this rest is shorter. */
function startTimer(call: Call, controller: AbortController): ReturnType<typeof setTimeout> {
  const left = timeLeft(call);
  const reason = left <= call.timeout ? deadlineError : timeoutError;
  return setTimeout(() => controller.abort(reason(call)), Math.max(0, Math.min(left, call.timeout, MAX_TIMER_MS)));
}

/** The credential, with a redactor that also masks the secrets of the endpoint. */
function masking(credential: Credential, { endpoint: { secrets } }: Call): Credential {
  return secrets ? { ...credential, redactor: credential.redactor.with(secrets) } : credential;
}

async function renewed(
  current: Promise<Credential>,
  call: Call,
  settings: Settings,
  signal: AbortSignal,
): Promise<Credential> {
  const elapsed = startStopwatch();
  try {
    const credential = await abortable(current, signal);
    // The process was paused, so its timers are late, and another process may have the slot now.
    if (elapsed() > call.timeout) throw timeoutError(call);
    return credential;
  } catch (error) {
    if (error instanceof TrackingError || signal.aborted) throw error;
    const cause = settings.credentials.redactor.error(error);
    throw new TrackingError('accessToken() failed, so nothing was sent.', { code: 'access_token', cause });
  }
}

function requestInit(
  call: Call,
  { header }: Credential,
  settings: Settings,
  observer: Observer,
  signal: AbortSignal,
): RequestInit {
  const { method, contentType, body = null } = call.endpoint;
  let headers: Record<string, string> = { ...settings.headers, ...call.headers };
  if (contentType) headers['content-type'] = contentType;
  if (observer.hasHook('onRequest')) {
    const changeable = new Headers(headers);
    observer.emit('onRequest', { ...eventFields(call), attempt: call.attempts, url: call.url, headers: changeable });
    headers = Object.fromEntries(changeable);
  }
  headers.authorization = header;
  return { method, headers, body, redirect: 'manual', signal };
}

/** The response of a custom `fetch`. */
async function guarded(sending: Promise<Response>, signal: AbortSignal): Promise<Response> {
  // A response may come after the abort. Its body is cancelled, because nobody will read it.
  Promise.resolve(sending)
    .then(response => signal.aborted && discard(response))
    .catch(() => {});
  const response = await abortable(Promise.resolve(sending), signal);
  if (typeof response?.headers?.get === 'function') return response;
  throw new TypeError('fetch did not return a Response');
}

function emitResponse(
  call: Call,
  response: Response,
  { redactor }: Credential,
  durationMs: number,
  observer: Observer,
): void {
  const { status, headers } = response;
  observer.emitOf('onResponse', call, () => ({
    attempt: call.attempts,
    status,
    headers: redactor.headers(headers),
    requestId: requestIdOf(response, redactor),
    durationMs,
  }));
  const { method, path, query } = call.endpoint;
  observer.log('debug', `${method} ${path}${query} ${status} in ${Math.round(durationMs)} ms`);
}

/** The error for a status outside 2xx. */
async function refusal(
  call: Call,
  response: Response,
  { redactor, header: authorization }: Credential,
  slot: Slot,
  observer: Observer,
  signal: AbortSignal,
): Promise<APIError> {
  if (response.status === 429) reportRateLimit(call, response, slot, observer);
  // If the body cannot be read, the status is enough for the error.
  const text = await readErrorText(response, signal).catch(() => '');
  const { url, attempts } = call;
  const { method, path } = call.endpoint;
  const { maxRetryAfter } = call.retry;
  return failureOf({ response, text, method, url, path, attempts, redactor, authorization, maxRetryAfter });
}

function reportRateLimit(call: Call, response: Response, slot: Slot, observer: Observer): void {
  const { bucket, endpoint, attempts } = call;
  const retryAfterMs = retryAfterOf(response);
  // The slot is released before the body is read, so that other calls do not send requests into the closed bucket in
  // the meantime.
  slot.release({ limited: true, retryAfterMs });
  observer.emitOf('onRateLimited', call, () => ({ attempt: attempts, bucket, retryAfterMs }));
  const { method, path, query } = endpoint;
  observer.log('warn', `${method} ${path}${query}: the service responded 429`, { bucket, retryAfterMs });
}
