import { milliseconds, oneOf, optionalSignal } from '../arguments.ts';
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
import { checkHeaders, inBrowser, resolveRetry, type Settings } from '../options.ts';
import { VERSION } from '../version.ts';
import { APIPromise, type Exchange, type Reach } from './api-promise.ts';
import type { Credentials } from './auth.ts';
import { readErrorText } from './body.ts';
import { bucketFor } from './buckets.ts';
import { Decoder } from './decode.ts';
import { failureOf, requestIdOf, retryAfterOf } from './failure.ts';
import { Observer } from './hooks.ts';
import type { BucketName, Priority, RateLimiter, Slot, SlotOutcome } from './limiter.ts';
import { redact, redactHeaders, whitelisted } from './redact.ts';
import { type CallRequest, JSON_API, METHODS, serialized } from './request.ts';
import { retry } from './retry.ts';
import { backOff, isRepeatable, mayRepeat, type RetryPolicy } from './retry-policy.ts';
import { send } from './send.ts';
import { abortable, Scope, sleep } from './signal.ts';

const PRIORITIES: readonly Priority[] = ['interactive', 'bulk'];

/** One call with everything that its attempts share. */
interface Call {
  method: string;
  /** Without the query. */
  path: string;
  pathWithQuery: string;
  url: string;
  body: string | undefined;
  contentType: string | undefined;
  /** Those of the call alone. */
  headers: Record<string, string>;
  bucket: BucketName;
  priority: Priority;
  timeout: number;
  deadline: number;
  deadlineAt: number;
  retry: RetryPolicy;
  repeatable: boolean;
  reach: Reach;
  /** Aborts with the caller's signal or at the deadline, where there is one or the other. */
  signal: AbortSignal | undefined;
  /** The same, and when the client is closed: waiting ends then, a request under way does not. */
  waiting: AbortSignal;
  /** Attempts made so far. */
  attempts: number;
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
  /** What of the settings holds for the storage too, where documents are kept. */
  readonly storage: Pick<Settings, 'fetch' | 'retry' | 'timeout'>;
  readonly #settings: Settings;
  readonly #decoder: Decoder;
  readonly #closing = new AbortController();

  constructor(settings: Settings, limiter: RateLimiter) {
    this.baseUrl = settings.baseUrl;
    this.limiter = limiter;
    this.observer = new Observer(settings.hooks, settings.logger);
    this.pace = { windowMs: settings.rateLimit.windowMs, limit: settings.rateLimit.limits.default };
    this.storage = { fetch: settings.fetch, retry: settings.retry, timeout: settings.timeout };
    this.#settings = settings;
    this.#decoder = new Decoder(settings.validation, this.observer, value => this.#masked(value));
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
    const caller = optionalSignal(options.signal);
    caller?.throwIfAborted();
    // Thousands of calls may wait: each has only the signals that it needs.
    const active = deadline === Number.POSITIVE_INFINITY ? undefined : new Scope().follow(caller);
    const signal = active?.signal ?? caller;
    const waiting = signal && new Scope().follow(signal).follow(this.#closing.signal);
    let answered = false;
    try {
      const call = this.#prepare(request, reach, deadline, signal, waiting?.signal ?? this.#closing.signal);
      active?.limit(deadline, () => deadlineError(call));
      // Most calls wait here: what their attempts need is made when there is a slot.
      let slot = await this.#slot(call);
      const exchange = await retry(
        attempt => this.#attempt(call, attempt, slot),
        async (error, attempt) => {
          if (!(await this.#again(call, error, attempt))) return false;
          try {
            slot = await this.#slot(call);
          } catch (refusal) {
            // What the service said tells more.
            if (refusal instanceof QueueError) return false;
            throw refusal;
          }
          return true;
        },
      );
      answered = true;
      return exchange;
    } finally {
      waiting?.dispose();
      // A body that the caller reads still ends with the caller's signal.
      active?.dispose({ keepFollowing: answered && reach === 'headers' });
    }
  }

  #prepare(
    request: CallRequest,
    reach: Reach,
    deadline: number,
    signal: AbortSignal | undefined,
    waiting: AbortSignal,
  ): Call {
    const options = request.options ?? {};
    const path = request.path();
    const pathWithQuery = path + queryString(request.query?.() ?? {});
    const body = serialized(request);
    return {
      method: oneOf('method', request.method, METHODS),
      path,
      pathWithQuery,
      url: this.baseUrl + pathWithQuery,
      body,
      contentType: body === undefined ? undefined : (request.contentType ?? JSON_API),
      headers: checkHeaders(options.headers ?? {}),
      bucket: bucketFor(request.method, path),
      priority: oneOf('priority', options.priority ?? 'interactive', PRIORITIES),
      timeout: milliseconds('timeout', options.timeout ?? this.#settings.timeout),
      deadline,
      deadlineAt: performance.now() + deadline,
      retry: resolveRetry(options.retry, this.#settings.retry),
      repeatable: request.repeatable ?? isRepeatable(request.method),
      reach,
      signal,
      waiting,
      attempts: 0,
      queuedMs: 0,
      renewed: false,
    };
  }

  async #attempt(call: Call, attempt: number, slot: Slot): Promise<Exchange> {
    call.attempts = attempt;
    const scope = new Scope().follow(call.signal).limit(call.timeout, () => timeoutError(call));
    let outcome: SlotOutcome = { unsent: true };
    let answered = false;
    try {
      const headers = await abortable(this.#headers(call, attempt), scope.signal);
      outcome = { unanswered: true };
      const response = await this.#sent(call, attempt, headers, scope.signal);
      outcome = {};
      const exchange = await this.#read(call, attempt, response, scope.signal, slot);
      answered = true;
      return exchange;
    } catch (error) {
      if (scope.signal.aborted) throw scope.signal.reason;
      // A connection that broke by itself is the service's last word.
      if (outcome.unanswered) outcome = {};
      if (error instanceof TrackingError) throw error;
      throw new ConnectionError(`${call.method} ${call.path}: no answer from the service (attempt ${attempt})`, {
        cause: whitelisted(error, this.#settings.credentials.secrets),
        attempts: attempt,
      });
    } finally {
      scope.dispose({ keepFollowing: answered && call.reach === 'headers' });
      slot.release(outcome);
    }
  }

  async #slot(call: Call): Promise<Slot> {
    const queuedAt = performance.now();
    try {
      return await this.limiter.acquire({
        bucket: call.bucket,
        priority: call.priority,
        signal: call.waiting,
        maxWaitMs: call.deadline === Number.POSITIVE_INFINITY ? undefined : call.deadlineAt - queuedAt,
        timeoutMs: call.timeout,
      });
    } catch (error) {
      if (!(error instanceof QueueError) || error.code !== 'queue_timeout') throw error;
      throw deadlineError(call, { estimatedWaitMs: error.estimatedWaitMs, cause: error });
    } finally {
      call.queuedMs += performance.now() - queuedAt;
    }
  }

  async #headers({ method, pathWithQuery, contentType, headers }: Call, attempt: number): Promise<Headers> {
    const visible = new Headers({ accept: `${JSON_API}, application/json` });
    if (!inBrowser()) visible.set('user-agent', `container-tracking-sdk/${VERSION}`);
    for (const extra of [this.#settings.headers, headers]) {
      for (const [name, value] of Object.entries(extra)) visible.set(name, value);
    }
    if (contentType) visible.set('content-type', contentType);
    this.observer.emit('onRequest', () => ({ method, path: pathWithQuery, attempt, headers: visible }));
    // A copy, since a hook may keep what it was given.
    const complete = new Headers(visible);
    complete.set('authorization', await authorization(this.#settings.credentials));
    return complete;
  }

  async #sent(call: Call, attempt: number, headers: Headers, signal: AbortSignal): Promise<Response> {
    const { method, pathWithQuery } = call;
    const { secrets } = this.#settings.credentials;
    const sentAt = performance.now();
    const response = await abortable(
      send({ method, url: call.url, headers, body: call.body, signal, fetch: this.#settings.fetch }),
      signal,
    );
    const durationMs = performance.now() - sentAt;
    this.observer.emit('onResponse', () => ({
      method,
      path: pathWithQuery,
      attempt,
      status: response.status,
      headers: redactHeaders(response.headers, secrets),
      requestId: redact(requestIdOf(response), secrets),
      durationMs,
    }));
    this.observer.log('debug', `${method} ${pathWithQuery} ${response.status} in ${Math.round(durationMs)} ms`);
    return response;
  }

  async #read(call: Call, attempt: number, response: Response, signal: AbortSignal, slot: Slot): Promise<Exchange> {
    const { method, path } = call;
    const { secrets } = this.#settings.credentials;
    if (!response.ok) {
      if (response.status === 429) this.#limited(call, attempt, response, slot);
      const text = await abortable(readErrorText(response), signal);
      throw failureOf({ response, text, method, url: call.url, path, attempts: attempt, secrets });
    }
    const text = call.reach === 'headers' ? '' : await abortable(response.text(), signal);
    const requestId = redact(requestIdOf(response), secrets);
    return { method, path, response, text, attempts: attempt, queuedMs: call.queuedMs, requestId };
  }

  #masked<Value>(value: Value): Value {
    return redact(value, this.#settings.credentials.secrets);
  }

  #limited({ method, pathWithQuery, bucket }: Call, attempt: number, response: Response, slot: Slot): void {
    const retryAfterMs = retryAfterOf(response);
    // At once, before the body: others must not send into the closed bucket meanwhile.
    slot.release({ limited: true, retryAfterMs });
    this.observer.emit('onRateLimited', () => ({ method, path: pathWithQuery, attempt, bucket, retryAfterMs }));
    this.observer.log('warn', `${method} ${pathWithQuery}: the service answered 429`, { bucket, retryAfterMs });
  }

  /** Whether to make another attempt; waits out the back-off first. */
  async #again(call: Call, error: unknown, attempt: number): Promise<boolean> {
    const { method, path, pathWithQuery } = call;
    // The reason of an abort may be an error of this package, such as that of another call.
    if (call.waiting.aborted) return false;
    if (error instanceof AuthenticationError && this.#settings.credentials.renewable && !call.renewed) {
      call.renewed = true;
      return true;
    }
    const retries = call.renewed ? attempt - 1 : attempt;
    if (retries > call.retry.limit || !mayRepeat(error, call.repeatable)) return false;

    const asked = error instanceof APIError ? error.retryAfterMs : undefined;
    if (asked !== undefined && asked > call.retry.maxRetryAfter) return false;
    const delayMs = asked ?? backOff(retries, call.retry);
    if (performance.now() + delayMs > call.deadlineAt) throw deadlineError(call, { cause: error });

    this.observer.emit('onRetry', () => ({ method, path: pathWithQuery, attempt, delayMs, error }));
    this.observer.log('info', `${method} ${path}: attempt ${attempt} failed, next in ${Math.round(delayMs)} ms`);
    await sleep(delayMs, call.waiting);
    return true;
  }
}

async function authorization(credentials: Credentials): Promise<string> {
  try {
    return await credentials.authorization();
  } catch (error) {
    if (error instanceof TrackingError) throw error;
    const cause = whitelisted(error, credentials.secrets);
    throw new TrackingError('accessToken() failed, so nothing was sent.', { code: 'access_token', cause });
  }
}

function timeoutError({ method, path, timeout, attempts }: Call): TimeoutError {
  return new TimeoutError(`${method} ${path}: no complete answer within ${timeout} ms (attempt ${attempts})`, {
    code: 'timeout',
    limitMs: timeout,
    attempts,
  });
}

function deadlineError(
  { method, path, deadline, attempts }: Call,
  details: { estimatedWaitMs?: number; cause?: unknown } = {},
): TimeoutError {
  const wait =
    details.estimatedWaitMs === undefined
      ? ''
      : `: the rate limit has no slot free within it (at least ${Math.ceil(details.estimatedWaitMs)} ms to wait)`;
  return new TimeoutError(`${method} ${path}: not done within the deadline of ${deadline} ms${wait}`, {
    code: 'deadline',
    limitMs: deadline,
    attempts,
    ...details,
  });
}
