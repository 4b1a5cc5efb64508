import ky from 'ky';
import pRetry from 'p-retry';
import { APIError, ConnectionError, TrackingError } from '../errors.ts';
import { milliseconds, optionalFunction, optionalSignal } from '../internal/arguments.ts';
import { explain } from '../internal/connection-hints.ts';
import { abortable, sleep } from '../internal/signal.ts';
import type { DirectUpload } from '../model/index.ts';
import { failureOf } from '../transport/failure.ts';
import {
  ADDRESSES,
  inBase64,
  lowerCase,
  type Needle,
  Redactor,
  type Secret,
  type Span,
  Spellings,
} from '../transport/redact.ts';
import { readErrorText } from '../transport/response.ts';
import { mayRepeat, type RetryPolicy, resolveRetry, TRANSIENT_STATUSES } from '../transport/retries.ts';
import type { Transport } from '../transport/transport.ts';
import type { PutOptions } from './upload-options.ts';

/** The settings of a transfer, from the options of a call and of the client. @throws {ConfigurationError} */
export function transferSettings(options: PutOptions, { storage }: Transport) {
  return {
    signal: optionalSignal(options.signal),
    onProgress: optionalFunction('onProgress', options.onProgress),
    timeout: milliseconds('timeout', options.timeout ?? storage.timeout),
    policy: resolveRetry(options.retry, storage.retry),
    fetch: storage.fetch,
  };
}

/** The address to send a file to, and the only headers that the storage accepts. */
export type Slot = Pick<DirectUpload, 'direct_upload'>;

/** @throws {TrackingError} unless the slot can be used. */
export function checkSlot<S extends Slot>(slot: S): S {
  const { url, headers } = slot?.direct_upload ?? {};
  checkUrl(url);
  try {
    if (headers && new Headers(headers)) return slot;
  } catch {
    // Some headers can never be sent, for example a header whose value contains a line break.
  }
  throw new TrackingError('the slot has no headers, or headers that cannot be sent', { code: 'response_format' });
}

/** @throws {TrackingError} unless the value is a usable URL of a storage. The message does not contain the URL. */
export function checkUrl(url: unknown): asserts url is string {
  if (typeof url === 'string' && URL.canParse(url)) {
    const { protocol, username, password } = new URL(url);
    // A URL with a user name is refused: Node.js would send the name as a credential, and browsers reject such a URL.
    if (/^https?:$/.test(protocol) && username + password === '') return;
  }
  throw new TrackingError('the URL of the storage is missing or cannot be used', { code: 'response_format' });
}

/**
 * A web stream, or a Node.js stream: the `fetch` of some packages for Node.js returns responses with a Node.js stream.
 */
type Body = Partial<Pick<ReadableStream, 'cancel'> & Pick<NodeJS.ReadableStream, 'on'> & { destroy(): void }> | null;

/**
 * Waits for a 2xx response of a `fetch` that may ignore its signal. When the signal aborts, the body of the response is
 * cancelled, even if it is not read or arrives later.
 *
 * @throws {APIError} for another status.
 */
export async function okResponse(pending: Promise<Response>, request: StorageRequest): Promise<Response> {
  const { signal } = request;
  pending
    .then(response => {
      const body = response.body as Body;
      // Without a listener, an error of a Node.js stream would end the process. The reader of the stream still receives the
      // error.
      body?.on?.('error', () => {});
      // This must not throw, because an error in a listener of a signal would also end the process.
      const cancel = () => void (async () => (body?.cancel ? body.cancel() : body?.destroy?.()))().catch(() => {});
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
    })
    .catch(() => {});
  const response = await abortable(pending, signal);
  if (!response.ok) throw await responseError(response, request);
  return response;
}

/** An error contains at most this many characters of the storage's response. */
const MAX_TEXT = 4096;

/** One request to the storage. Its URL is signed and therefore a credential, so no error may contain its path or its query. */
interface StorageRequest {
  method: string;
  url: string;
  signal: AbortSignal;
}

/** The part of a storage address that errors show. */
export function storageAt(url: string): string {
  return `(storage at ${new URL(url).host})`;
}

/** The error for a response whose status is not 2xx. */
async function responseError(response: Response, { method, url, signal }: StorageRequest): Promise<APIError> {
  // If the rest of the response never arrives, the status is still known.
  const text = said(await readErrorText(response, signal).catch(() => ''));
  // After a redirect, there is a second signed address, which the error must not show either.
  const redactor = new Redactor(secretsOf(url, ...(URL.canParse(response.url) ? [response.url] : [])));
  return failureOf({ response, text, method, url, path: storageAt(url), attempts: 1, redactor });
}

/**
 * The error for a failed request: the reason of its signal, an error of this package, or else a `ConnectionError`.
 *
 * @param isCut true if the response has begun.
 */
export async function requestError(
  error: unknown,
  { method, url, signal }: StorageRequest,
  isCut = false,
): Promise<unknown> {
  if (signal.aborted) return signal.reason;
  if (error instanceof TrackingError) return error;
  const { reason, cause } = await explain(new Redactor(secretsOf(url)).error(error), 'storage', url, isCut);
  const event = isCut ? 'the response could not be read to its end' : 'no response';
  return new ConnectionError(`${method} ${storageAt(url)}: ${event}: ${reason}`, { cause });
}

/** After a redirect, it is unknown whether the file was stored. Another attempt would be redirected too. */
export function redirectError(url: string): TrackingError {
  return new TrackingError(`PUT ${storageAt(url)}: unexpected redirect`, { code: 'redirected' });
}

/**
 * The part of the storage's error response that the thrown error contains. An XML response also repeats the request, so
 * only its code and message are used.
 */
function said(text: string): string {
  if (!/^\s*<(?:\?xml|Error\b)/i.test(text)) return text.slice(0, MAX_TEXT);
  const of = (name: string) => new RegExp(`<${name}>([^<]{0,${MAX_TEXT}})`).exec(text)?.[1]?.trim();
  return [of('Code'), of('Message')].filter(Boolean).join(': ');
}

/**
 * Errors must not show a piece of an address if the piece has at least this many characters. Shorter pieces also occur
 * in other texts.
 */
const PIECE = 6;
/** If a segment of an address is shorter than `PIECE`, it is also secret if it has at least this many characters. */
const SHORTEST = 4;

/**
 * The secrets of signed addresses, which errors must not show: their paths, the values of their queries, and every
 * piece of these texts.
 */
export function secretsOf(...urls: string[]): Secret[] {
  const parts = urls.flatMap(partsOf);
  const segments = parts.flatMap(part => part.split('/'));
  const short = segments.filter(({ length }) => length >= SHORTEST && length < PIECE);
  return [ADDRESSES, new Pieces(parts), ...short.map(part => new Spellings(part))];
}

/** The secret parts of an address. The names of parameters are not secret: they are words such as `Signature`. */
function partsOf(url: string): string[] {
  const { pathname, search, hash } = new URL(url);
  const values = search
    .slice(1)
    .split('&')
    .map(parameter => parameter.slice(parameter.indexOf('=') + 1));
  const parts = [pathname, hash, ...values];
  return [...parts, ...parts.map(decoded), ...parts.map(decoded).map(decoded)];
}

function decoded(part: string): string {
  return part.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, escapes => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Finds every piece of the secret parts of an address, in plain text or in base64. */
class Pieces implements Secret, Needle {
  readonly #parts: readonly string[];
  #pieces: ReadonlySet<string> | undefined;

  constructor(parts: readonly string[]) {
    this.#parts = parts;
  }

  fittingIn(length: number): readonly Needle[] {
    return length < PIECE ? [] : [this];
  }

  spans(text: string): Span[] {
    this.#pieces ??= piecesOf(this.#parts);
    const spans: Span[] = [];
    for (let start = 0; start + PIECE <= text.length; start += 1) {
      if (this.#pieces.has(text.slice(start, start + PIECE))) spans.push([start, start + PIECE]);
    }
    return spans;
  }
}

function piecesOf(parts: readonly string[]): Set<string> {
  const pieces = new Set<string>();
  for (const text of parts.flatMap(part => [part, ...inBase64(part)]).map(lowerCase)) {
    for (let start = 0; start + PIECE <= text.length; start += 1) pieces.add(text.slice(start, start + PIECE));
  }
  return pieces;
}

export interface RetrySettings {
  policy: RetryPolicy;
  /** Ends the attempts, and the delays between them. */
  signal: AbortSignal;
}

/**
 * Sends with `fetch`. ky decides whether to send again. The timeout of ky ends when the headers arrive, and the errors
 * of ky contain the signed URL. So each attempt has a separate timeout and throws errors of this package. ky receives
 * the status and the `Retry-After` of a response.
 *
 * @param attempt makes one attempt. It adds a signal to `init`, because Node.js loses the signal of the `Request` that ky
 * makes.
 */
export async function fetchWithKy<T>(
  url: string,
  init: RequestInit,
  attempt: (url: string, init: RequestInit) => Promise<T>,
  { policy: { limit, minDelay, maxDelay, maxRetryAfter }, signal }: RetrySettings,
): Promise<T> {
  let failure: unknown;
  let result!: T;
  try {
    await ky(url, {
      ...init,
      signal,
      fetch: async request => {
        const { url, method, headers } = request as Request;
        try {
          result = await attempt(url, { ...init, method, headers });
          return new Response();
        } catch (error) {
          failure = error;
          if (!(error instanceof APIError)) throw error;
          // The value is in whole seconds, because ky reads only this form.
          const seconds = Math.ceil(askedWait(error) / 1000);
          return new Response(null, { status: error.status, headers: { 'retry-after': seconds ? `${seconds}` : '' } });
        }
      },
      timeout: false,
      retry: {
        limit: Math.min(limit, Number.MAX_SAFE_INTEGER),
        statusCodes: TRANSIENT_STATUSES,
        afterStatusCodes: TRANSIENT_STATUSES,
        delay: count => Math.min(maxDelay, minDelay * 2 ** (count - 1)),
        jitter: true,
        // ky does not know the errors of this package, and would not wait until the end of a long `Retry-After`.
        shouldRetry() {
          if (askedWait(failure) > maxRetryAfter) return false;
          return failure instanceof APIError ? undefined : mayRepeat(failure, true);
        },
      },
    });
    return result;
  } catch (error) {
    // If the reason of the signal looks like a network error, ky wraps the reason in another error.
    throw await requestError(failure ?? error, { method: init.method ?? 'GET', url, signal });
  }
}

/**
 * Retries requests that ky cannot send. p-retry does not read `Retry-After`, so this function first waits for that
 * time. Then p-retry waits for its own delay.
 *
 * @param attempt must throw a `TrackingError` or the reason of the signal, because p-retry does not retry some errors
 * of type `TypeError`.
 */
export function retryWithPRetry<T>(
  attempt: () => Promise<T>,
  { policy: { limit, minDelay, maxDelay, maxRetryAfter }, signal }: RetrySettings,
): Promise<T> {
  return pRetry(attempt, {
    retries: limit,
    // p-retry multiplies this delay by a random number between 1 and 2, so p-retry gets half of the delay.
    minTimeout: Math.min(minDelay / 2, Number.MAX_VALUE),
    maxTimeout: maxDelay,
    randomize: true,
    signal,
    async shouldRetry({ error }) {
      const wait = askedWait(error);
      if (wait > maxRetryAfter || !mayRepeat(error, true)) return false;
      if (wait > 0) await sleep(wait, signal);
      return true;
    },
  });
}

/** The wait in ms that the `Retry-After` of a response requests; 0 without this header. */
function askedWait(error: unknown): number {
  return (error instanceof APIError && error.retryAfterMs) || 0;
}
