import { type APIError, ConnectionError, TrackingError } from '../errors.ts';
import { reasonOf } from '../internal/connection-failure.ts';
import {
  abortable,
  abortResponseWith,
  type Follower,
  follow,
  MAX_TIMER_MS,
  startStopwatch,
  unfollow,
} from '../internal/signal.ts';
import type { Slot, SlotOutcome } from '../rate-limit/limiter.ts';
import type { Credential } from './auth.ts';
import { discard, isHarmless, readErrorText, readText } from './body.ts';
import { type Call, deadlineError, type Exchange, eventFields, timeLeft, timeoutError } from './call.ts';
import { failureOf, requestIdOf, retryAfterOf } from './failure.ts';
import { isNative } from './fetch.ts';
import type { Observer } from './observer.ts';
import type { Settings } from './settings.ts';

const UNSENT: SlotOutcome = { unsent: true };
const UNANSWERED: SlotOutcome = { unanswered: true };
const ANSWERED: SlotOutcome = {};

/**
 * Makes one request: gets the credential, sends, reads the headers and the body. The timeout begins when this is called. The
 * slot is released at the end.
 */
export async function attempt(call: Call, slot: Slot, settings: Settings, observer: Observer): Promise<Exchange> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = startTimer(call, controller);
  const follower = call.signal && abortWith(call.signal, controller);
  // A `fetch` that is not the runtime's own may ignore the signal.
  const native = isNative(settings.fetch);
  let outcome = UNSENT;
  let credential: Credential | undefined;
  try {
    signal.throwIfAborted();
    const current = settings.credentials.current();
    credential = masking(current instanceof Promise ? await renewed(current, call, settings, signal) : current, call);
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
    // If the connection failed by itself, the service will not count the request later.
    if (outcome === UNANSWERED) outcome = ANSWERED;
    // Later attempts may have displaced the token of this one from the recent tokens.
    const masked = settings.credentials.redactor.error(error);
    throw connectionError(call, credential?.redactor.error(masked) ?? masked);
  } finally {
    clearTimeout(timer);
    if (follower) unfollow(call.signal as AbortSignal, follower);
    slot.release(outcome);
  }
}

/** Starts the timeout of the attempt, or the rest of the deadline of the call if that is shorter. */
function startTimer(call: Call, controller: AbortController): ReturnType<typeof setTimeout> {
  const left = timeLeft(call);
  const ms = Math.max(0, Math.min(left, call.timeout, MAX_TIMER_MS));
  const reason = left < call.timeout ? deadlineError : timeoutError;
  return setTimeout(() => controller.abort(reason(call)), ms);
}

function abortWith(signal: AbortSignal, controller: AbortController): Follower {
  const follower = { aborted: (reason: unknown) => controller.abort(reason) };
  follow(signal, follower);
  return follower;
}

/** The credential, whose redactor also masks the secrets of the endpoint. */
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
    // This process was stopped, and its timers are late: others may have the slot by now.
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
    observer.emit('onRequest', { ...eventFields(call), attempt: call.attempts, headers: changeable });
    headers = Object.fromEntries(changeable);
  }
  headers.authorization = header;
  return { method, headers, body, redirect: 'manual', signal };
}

/** The response of a `fetch` that is not the runtime's own. */
async function guarded(sending: Promise<Response>, signal: AbortSignal): Promise<Response> {
  // A response may come after the abort. Nobody will read its body.
  Promise.resolve(sending)
    .then(response => signal.aborted && discard(response))
    .catch(() => {});
  const response = await abortable(Promise.resolve(sending), signal);
  if (typeof response?.headers?.get === 'function') return response;
  throw new TypeError('fetch did not give a Response');
}

function emitResponse(
  call: Call,
  response: Response,
  { redactor }: Credential,
  durationMs: number,
  observer: Observer,
): void {
  const { status, headers } = response;
  if (observer.hasHook('onResponse')) {
    observer.emit('onResponse', {
      ...eventFields(call),
      attempt: call.attempts,
      status,
      headers: redactor.headers(headers),
      requestId: requestIdOf(response, redactor),
      durationMs,
    });
  }
  const { method, path, query } = call.endpoint;
  observer.log('debug', `${method} ${path}${query} ${status} in ${Math.round(durationMs)} ms`);
}

/** The error for a status outside 2xx. */
async function refusal(
  call: Call,
  response: Response,
  { redactor }: Credential,
  slot: Slot,
  observer: Observer,
  signal: AbortSignal,
): Promise<APIError> {
  if (response.status === 429) reportRateLimit(call, response, slot, observer);
  // The status is enough if reading the body fails.
  const text = await readErrorText(response, signal).catch(() => '');
  const { method, path } = call.endpoint;
  return failureOf({ response, text, method, url: call.url, path, attempts: call.attempts, redactor });
}

function reportRateLimit(call: Call, response: Response, slot: Slot, observer: Observer): void {
  const { bucket, endpoint, attempts } = call;
  const retryAfterMs = retryAfterOf(response);
  // Released before the body is read, so that other calls do not send into the closed bucket meanwhile.
  slot.release({ limited: true, retryAfterMs });
  if (observer.hasHook('onRateLimited')) {
    observer.emit('onRateLimited', { ...eventFields(call), attempt: attempts, bucket, retryAfterMs });
  }
  const { method, path, query } = endpoint;
  observer.log('warn', `${method} ${path}${query}: the service answered 429`, { bucket, retryAfterMs });
}

function connectionError({ endpoint, url, attempts }: Call, cause: Error): ConnectionError {
  const { method, path } = endpoint;
  const { host } = new URL(url);
  const reason = reasonOf(cause, 'service');
  const message = `${method} ${path}: no answer from the service at ${host} (attempt ${attempts}): ${reason}`;
  return new ConnectionError(message, { cause, attempts });
}
