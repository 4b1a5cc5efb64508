import {
  APIError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  QueueError,
  TimeoutError,
  TrackingError,
} from '../errors.ts';
import { queryString } from '../jsonapi/query.ts';
import { checkHeaders, inBrowser, milliseconds, resolveRetry, type Settings } from '../options.ts';
import { VERSION } from '../version.ts';
import { APIPromise, type Exchange, type Reach } from './api-promise.ts';
import type { Credentials } from './auth.ts';
import { readErrorText } from './body.ts';
import { bucketFor } from './buckets.ts';
import { Decoder } from './decode.ts';
import { failureOf, requestIdOf, retryAfterOf } from './failure.ts';
import { Observer } from './hooks.ts';
import type { BucketName, Priority, RateLimiter, Slot } from './limiter.ts';
import { whitelisted } from './redact.ts';
import { type CallRequest, JSON_API } from './request.ts';
import { retry } from './retry.ts';
import { backOff, isRepeatable, mayRepeat, type RetryPolicy } from './retry-policy.ts';
import { send } from './send.ts';
import { abortable, Scope, sleep } from './signal.ts';

/** One call with everything that its attempts share. */
interface Call {
  method: string;
  /** Without the query. */
  path: string;
  pathWithQuery: string;
  url: string;
  body: string | undefined;
  headers: Headers;
  bucket: BucketName;
  priority: Priority;
  timeout: number;
  deadline: number;
  deadlineAt: number;
  retry: RetryPolicy;
  repeatable: boolean;
  reach: Reach;
  /** Aborts with the caller's signal or at the deadline. */
  signal: AbortSignal;
  /** The same, and when the client is closed: waiting ends then, a request under way does not. */
  waiting: AbortSignal;
  queuedMs: number;
  renewed: boolean;
}

/**
 * Makes calls: a deadline around a retry loop around attempts, each of which takes a slot of the rate limit, then the
 * credential, then its own timeout, and sends.
 */
export class Transport {
  readonly baseUrl: string;
  readonly limiter: RateLimiter;
  readonly observer: Observer;
  /** What the rate limit of most requests allows. */
  readonly pace: { readonly windowMs: number; readonly limit: number };
  readonly #settings: Settings;
  readonly #decoder: Decoder;
  readonly #closing = new AbortController();

  constructor(settings: Settings, limiter: RateLimiter) {
    this.baseUrl = settings.baseUrl;
    this.limiter = limiter;
    this.observer = new Observer(settings.hooks, settings.logger);
    this.pace = { windowMs: settings.rateLimit.windowMs, limit: settings.rateLimit.limits.default };
    this.#settings = settings;
    this.#decoder = new Decoder(settings.validation, this.observer);
  }

  /** Starts a call in the next microtask. */
  call<T>(request: CallRequest, decode: (exchange: Exchange, decoder: Decoder) => T | Promise<T>): APIPromise<T> {
    return new APIPromise(
      reach => this.exchange(request, reach),
      exchange => decode(exchange, this.#decoder),
    );
  }

  /** Aborts what waits for a slot or for another attempt, and refuses new calls. */
  close(): void {
    this.#closing.abort(new TrackingError('The client was closed while the call was waiting.', { code: 'closed' }));
  }

  async exchange(request: CallRequest, reach: Reach = 'body'): Promise<Exchange> {
    if (this.#closing.signal.aborted) throw new ConfigurationError('The client is closed. Make a new one.');
    const options = request.options ?? {};
    const deadline = milliseconds('deadline', options.deadline ?? this.#settings.deadline);
    const active = new Scope().follow(options.signal);
    const waiting = new Scope().follow(active.signal).follow(this.#closing.signal);
    active.signal.throwIfAborted();
    try {
      const call = this.#prepare(request, reach, deadline, active.signal, waiting.signal);
      active.limit(deadline, () => deadlineError(call));
      return await retry(
        attempt => this.#attempt(call, attempt),
        (error, attempt) => this.#again(call, error, attempt),
      );
    } finally {
      waiting.dispose();
      // A body that the caller reads still ends with the caller's signal.
      active.dispose({ keepFollowing: reach === 'headers' });
    }
  }

  #prepare(request: CallRequest, reach: Reach, deadline: number, signal: AbortSignal, waiting: AbortSignal): Call {
    const options = request.options ?? {};
    const path = request.path();
    const pathWithQuery = path + queryString(request.query?.() ?? {});
    const content = request.body?.();
    const headers = new Headers({ accept: `${JSON_API}, application/json` });
    if (!inBrowser()) headers.set('user-agent', `container-tracking-sdk/${VERSION}`);
    for (const extra of [this.#settings.headers, checkHeaders(options.headers ?? {})]) {
      for (const [name, value] of Object.entries(extra)) headers.set(name, value);
    }
    if (content !== undefined) headers.set('content-type', request.contentType ?? JSON_API);
    return {
      method: request.method,
      path,
      pathWithQuery,
      url: this.baseUrl + pathWithQuery,
      body: content === undefined ? undefined : JSON.stringify(content),
      headers,
      bucket: bucketFor(request.method, path),
      priority: options.priority ?? 'interactive',
      timeout: milliseconds('timeout', options.timeout ?? this.#settings.timeout),
      deadline,
      deadlineAt: performance.now() + deadline,
      retry: resolveRetry(options.retry, this.#settings.retry),
      repeatable: request.repeatable ?? isRepeatable(request.method),
      reach,
      signal,
      waiting,
      queuedMs: 0,
      renewed: false,
    };
  }

  async #attempt(call: Call, attempt: number): Promise<Exchange> {
    const slot = await this.#slot(call);
    const scope = new Scope().follow(call.signal).limit(
      call.timeout,
      () =>
        new TimeoutError(
          `${call.method} ${call.path}: no complete answer within ${call.timeout} ms (attempt ${attempt})`,
          {
            code: 'timeout',
            limitMs: call.timeout,
            attempts: attempt,
          },
        ),
    );
    try {
      return await this.#answered(call, attempt, scope.signal, slot);
    } catch (error) {
      if (scope.signal.aborted) throw scope.signal.reason;
      if (error instanceof TrackingError) throw error;
      throw new ConnectionError(`${call.method} ${call.path}: no answer from the service (attempt ${attempt})`, {
        cause: whitelisted(error, this.#settings.credentials.secrets),
        attempts: attempt,
      });
    } finally {
      slot.release();
      scope.dispose({ keepFollowing: call.reach === 'headers' });
    }
  }

  async #slot(call: Call): Promise<Slot> {
    const queuedAt = performance.now();
    try {
      return await this.limiter.acquire({
        bucket: call.bucket,
        priority: call.priority,
        signal: call.waiting,
        maxWaitMs: call.deadlineAt - queuedAt,
      });
    } catch (error) {
      if (!(error instanceof QueueError) || error.code !== 'queue_timeout') throw error;
      throw deadlineError(call, { estimatedWaitMs: error.estimatedWaitMs, cause: error });
    } finally {
      call.queuedMs += performance.now() - queuedAt;
    }
  }

  async #answered(call: Call, attempt: number, signal: AbortSignal, slot: Slot): Promise<Exchange> {
    const { method, path, pathWithQuery } = call;
    const headers = new Headers(call.headers);
    this.observer.emit('onRequest', { method, path: pathWithQuery, attempt, headers });
    headers.set('authorization', await abortable(authorization(this.#settings.credentials), signal));

    const sentAt = performance.now();
    const response = await abortable(
      send({ method, url: call.url, headers, body: call.body, signal, fetch: this.#settings.fetch }),
      signal,
    );
    const requestId = requestIdOf(response);
    const durationMs = performance.now() - sentAt;
    this.observer.emit('onResponse', {
      method,
      path: pathWithQuery,
      attempt,
      status: response.status,
      headers: response.headers,
      requestId,
      durationMs,
    });
    this.observer.log('debug', `${method} ${pathWithQuery} ${response.status} in ${Math.round(durationMs)} ms`);

    if (!response.ok) {
      if (response.status === 429) this.#limited(call, attempt, response, slot);
      const text = await abortable(readErrorText(response), signal);
      const { secrets } = this.#settings.credentials;
      throw failureOf({ response, text, method, url: call.url, path, attempts: attempt, secrets });
    }
    const text = call.reach === 'headers' ? '' : await abortable(response.text(), signal);
    return { method, path, response, text, attempts: attempt, queuedMs: call.queuedMs, requestId };
  }

  #limited({ method, pathWithQuery, bucket }: Call, attempt: number, response: Response, slot: Slot): void {
    const retryAfterMs = retryAfterOf(response);
    // At once, before the body: others must not send into the closed bucket meanwhile.
    slot.release({ limited: true, retryAfterMs });
    this.observer.emit('onRateLimited', { method, path: pathWithQuery, attempt, bucket, retryAfterMs });
    this.observer.log('warn', `${method} ${pathWithQuery}: the service answered 429`, { bucket, retryAfterMs });
  }

  /** Whether to make another attempt; waits out the back-off first. */
  async #again(call: Call, error: unknown, attempt: number): Promise<boolean> {
    const { method, path, pathWithQuery } = call;
    if (error instanceof AuthenticationError && this.#settings.credentials.renewable && !call.renewed) {
      call.renewed = true;
      return true;
    }
    const retries = call.renewed ? attempt - 1 : attempt;
    if (retries > call.retry.limit || !mayRepeat(error, call.repeatable)) return false;

    const asked = error instanceof APIError ? error.retryAfterMs : undefined;
    if (asked !== undefined && asked > call.retry.maxRetryAfter) return false;
    const delayMs = asked ?? backOff(retries, call.retry);
    if (performance.now() + delayMs > call.deadlineAt) throw deadlineError(call, { attempts: attempt, cause: error });

    this.observer.emit('onRetry', { method, path: pathWithQuery, attempt, delayMs, error });
    this.observer.log('info', `${method} ${path}: attempt ${attempt} failed, next in ${Math.round(delayMs)} ms`);
    await sleep(delayMs, call.waiting);
    return true;
  }
}

async function authorization(credentials: Credentials): Promise<string> {
  try {
    return await credentials.authorization();
  } catch (cause) {
    if (cause instanceof TrackingError) throw cause;
    throw new TrackingError('accessToken() failed, so nothing was sent.', { code: 'access_token', cause });
  }
}

function deadlineError(
  { method, path, deadline }: Call,
  details: { attempts?: number; estimatedWaitMs?: number; cause?: unknown } = {},
): TimeoutError {
  const wait =
    details.estimatedWaitMs === undefined
      ? ''
      : `: the rate limit has no slot free within it (at least ${Math.ceil(details.estimatedWaitMs)} ms to wait)`;
  return new TimeoutError(`${method} ${path}: not done within the deadline of ${deadline} ms${wait}`, {
    code: 'deadline',
    limitMs: deadline,
    ...details,
  });
}
