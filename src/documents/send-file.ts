import { APIError, ConnectionError, PermissionDeniedError } from '../errors.ts';
import { builtin } from '../internal/runtime.ts';
import { startTimer } from '../internal/signal.ts';
import type { Fetch } from '../options.ts';
import { readErrorText } from '../transport/response.ts';
import type { RetryPolicy } from '../transport/retries.ts';
import { checksumOf } from './checksum.ts';
import { IdleScope, idleTimeout } from './idle-scope.ts';
import { bytesChanged, type Pieces, type ReadOptions, readPieces, type Source } from './source.ts';
import {
  fetchWithKy,
  okResponse,
  redirectError,
  requestError,
  retryWithPRetry,
  type Slot,
  storageAt,
} from './storage.ts';

export interface SendOptions<S extends Slot> extends Omit<AttemptOptions, 'earlyResponseMs'> {
  fetch: Fetch | undefined;
  /** The checksum for which the slot was created. */
  checksum: string;
  policy: RetryPolicy;
  /** Creates another slot after the first slot has expired. */
  renewSlot?: (() => Promise<S>) | undefined;
}

/** Sends a file, with retries. Resolves to the slot that was used, when the storage has accepted the file. */
export async function sendFile<S extends Slot>(source: Source, slot: S, options: SendOptions<S>): Promise<S> {
  try {
    const usedSlot = await sendToSlots(source, slot, options);
    await source.checkUnchanged?.();
    return usedSlot;
  } catch (error) {
    if (!isRejection(error)) throw error;
    // In most cases, the storage has found a wrong checksum: either the file has changed, or the storage has made a
    // mistake.
    const { signal, timeout, checksum } = options;
    const current = await checksumOf(source, { signal, timeout, onProgress() {} });
    throw current === checksum ? error : bytesChanged('its checksum is not the same as before');
  }
}

/** True if the storage has read the request and rejected the bytes. */
function isRejection(error: unknown): boolean {
  return error instanceof APIError && error.status >= 400 && error.status < 500 && error.status !== 403;
}

/** Retries with the same slot. Retries with a new slot if the storage no longer accepts the first slot. */
async function sendToSlots<S extends Slot>(source: Source, firstSlot: S, options: SendOptions<S>): Promise<S> {
  let slot = firstSlot;
  let retriesLeft = options.policy.limit;
  for (;;) {
    let failures = 0;
    try {
      await sendToSlot(slot, source, options, { retries: retriesLeft, onFailure: () => (failures += 1) });
      return slot;
    } catch (error) {
      const isExpired = error instanceof PermissionDeniedError && (slot === firstSlot || failures > 1);
      if (!isExpired || !options.renewSlot) throw error;
      // The 403 of an expired slot does not count as a failure.
      retriesLeft -= failures - 1;
      slot = await options.renewSlot();
    }
  }
}

function sendToSlot<S extends Slot>(
  slot: S,
  source: Source,
  options: SendOptions<S>,
  { retries, onFailure }: { retries: number; onFailure: () => void },
): Promise<void> {
  const { signal, timeout, fetch } = options;
  const retrying = { policy: { ...options.policy, limit: retries }, signal };
  const { url, headers } = slot.direct_upload;
  let earlyResponseMs = 0;

  async function attempt(send: Sender): Promise<void> {
    try {
      await put(slot, source, send, { ...options, earlyResponseMs });
    } catch (error) {
      signal.throwIfAborted();
      await source.checkUnchanged?.();
      onFailure();
      // If the storage responds with an error and immediately closes the connection, this looks like a broken connection. The
      // next attempt therefore waits for an early response.
      earlyResponseMs = error instanceof ConnectionError ? Math.min(500, timeout / 2) : 0;
      throw error;
    }
  }

  const send = fetch ? undefined : senderOfRuntime();
  if (send) return retryWithPRetry(() => attempt(send), retrying);
  return fetchWithKy(
    url,
    putInit(headers, source),
    (url, init) => attempt(request => putByFetch({ ...request, url }, init, fetch ?? globalThis.fetch)),
    retrying,
  );
}

/** A sender that needs less memory than `fetch`, or that reports progress, if this runtime has such a sender. */
function senderOfRuntime(): Sender | undefined {
  if (fixedLengthStream()) return undefined;
  if (builtin('node:http')) return putByNode;
  return typeof XMLHttpRequest === 'function' ? putByXhr : undefined;
}

/** Minimum speed, in bytes per ms. If the progress is unknown, a slower attempt times out. */
const MIN_SPEED = 100;

export interface AttemptOptions {
  signal: AbortSignal;
  /** Upper bound for the time without progress, in ms. */
  timeout: number;
  /** Wait for an early response before the first byte is sent, in ms. @default 0 */
  earlyResponseMs?: number | undefined;
  /** Called with the number of bytes that were sent so far. */
  onProgress: (bytes: number) => void;
}

/** The request that a {@link Sender} sends. */
export interface PutRequest {
  url: string;
  headers: Record<string, string>;
  source: Source;
  /** Reads the source. Called at most once. */
  readPieces: (options: Pick<ReadOptions, 'reuseMemory'>) => Pieces;
  signal: AbortSignal;
  earlyResponseMs: number;
  onProgress: (bytes: number) => void;
  /** Call this if the runtime does not report progress: the timeout then depends on the size of the file. */
  onUnknownProgress: () => void;
}

/** Sends a file. Resolves to the response, with any status, after all progress was reported. */
export type Sender = (request: PutRequest) => Promise<Response>;

/** Makes one attempt to send a file to the storage. The storage is another server: no credential may be sent to it. */
export async function put(slot: Slot, source: Source, send: Sender, options: AttemptOptions): Promise<void> {
  const { timeout, earlyResponseMs = 0 } = options;
  const { url, headers } = slot.direct_upload;
  const where = `PUT ${storageAt(url)}`;
  const silence = idleTimeout(`${where}: no bytes were accepted and no response came`);
  const scope = new IdleScope(options.signal, timeout, silence);
  const { signal } = scope;
  const request = { method: 'PUT', url, signal };
  let bytesSent = 0;
  let pieces: Pieces | undefined;
  let sourceError: unknown;

  async function* read(reuseMemory: boolean): Pieces {
    try {
      // While the next piece is read, only the timeout of the source applies.
      scope.stopTimer();
      for await (const piece of readPieces(source, { signal, reuseMemory, timeout })) {
        scope.startTimer();
        yield piece;
        scope.stopTimer();
      }
    } catch (error) {
      sourceError = error;
      throw error;
    }
    scope.startTimer();
  }

  function onProgress(bytes: number): void {
    scope.startTimer();
    bytesSent = bytes;
    options.onProgress(bytes);
  }

  try {
    onProgress(0);
    // The `onProgress` of the caller may have aborted the upload.
    signal.throwIfAborted();
    const response = send({
      url,
      headers,
      source,
      readPieces: ({ reuseMemory }) => {
        pieces = read(reuseMemory);
        return pieces;
      },
      signal,
      earlyResponseMs,
      onProgress,
      onUnknownProgress: () => scope.startTimer(source.size / MIN_SPEED),
    });
    const ok = await okResponse(response, request);
    if (bytesSent < source.size) throw new ConnectionError(`${where}: response before all bytes were sent`);
    await readErrorText(ok, signal);
  } catch (error) {
    throw await requestError(sourceError ?? error, request);
  } finally {
    scope.end();
    // The sender may have stopped without an error. The file must not stay open.
    pieces?.return(undefined).catch(() => {});
  }
}

const nodeHttp = () => builtin('node:http')!;
type IncomingMessage = InstanceType<ReturnType<typeof nodeHttp>['IncomingMessage']>;

/** Upper bound for the part of an error page that is read, in bytes. */
const MAX_RESPONSE_BYTES = 1_048_576;

/**
 * Sends with the HTTP client of Node.js, in Node.js, Bun and Deno. This client reports each sent piece, so that the
 * memory of the piece can be reused. `fetch` does not report sent pieces, and in Deno `fetch` sends a stream without a
 * `Content-Length`. Redirects are not followed.
 */
export async function putByNode(request: PutRequest): Promise<Response> {
  const { url, headers, source, signal, earlyResponseMs } = request;
  const isSecure = new URL(url).protocol === 'https:';
  const http = isSecure ? builtin('node:https')! : nodeHttp();
  const outgoing = http.request(url, { method: 'PUT', headers: { ...headers, 'Content-Length': source.size } });
  signal.addEventListener('abort', () => outgoing.destroy());

  let hasEnded = false;
  let wake = () => {};
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve).on('error', reject);
    for (const event of ['response', 'error', 'close']) {
      outgoing.on(event, () => {
        hasEnded = true;
        wake();
      });
    }
  });
  response.catch(() => {});

  if (earlyResponseMs > 0) {
    outgoing.flushHeaders();
    let stopTimer = () => {};
    await new Promise<void>(resolve => {
      wake = resolve;
      stopTimer = startTimer(earlyResponseMs, resolve);
    });
    stopTimer();
  }
  let bytesSent = 0;
  if (!hasEnded) {
    for await (const piece of request.readPieces({ reuseMemory: true })) {
      await new Promise<void>(resolve => {
        wake = resolve;
        outgoing.write(piece, () => resolve());
      });
      // Lets Node.js read the socket, so that it notices an early response before the next write fails.
      await new Promise(resolve => setImmediate(resolve));
      if (hasEnded) break;
      bytesSent += piece.length;
      request.onProgress(bytesSent);
    }
  }
  if (bytesSent === source.size) outgoing.end();
  return toResponse(await response);
}

async function toResponse(incoming: IncomingMessage): Promise<Response> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const status = incoming.statusCode ?? 0;
  try {
    for await (const chunk of incoming) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) break;
    }
  } catch (error) {
    // The status of an error response is known, even if the rest of the response never arrives.
    if (status < 300) throw error;
  }
  return new Response(size > 0 ? new Blob(chunks) : null, {
    status,
    statusText: incoming.statusMessage ?? '',
    headers: { 'retry-after': incoming.headers['retry-after'] ?? '' },
  });
}

/**
 * Sends with `XMLHttpRequest`, because in a page only `XMLHttpRequest` reports the progress of an upload. The browser
 * adds `Content-Length`.
 */
export async function putByXhr(request: PutRequest): Promise<Response> {
  const { url, headers, source, signal, onProgress, onUnknownProgress } = request;
  const whole = await wholeBody(request);
  // This Blob has no type, because the browser would add the type to the headers.
  const body = whole instanceof Blob ? whole.slice(0, whole.size, '') : whole;
  const xhr = new XMLHttpRequest();
  // In a page with a service worker, the browser does not report the progress.
  const reportsProgress = navigator.serviceWorker?.controller === null;
  if (!reportsProgress) onUnknownProgress();
  try {
    return await new Promise<Response>((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      xhr.upload.onprogress = ({ loaded }) => onProgress(loaded);
      xhr.onerror = () => reject(new TypeError('The browser does not say why the request failed.'));
      xhr.onload = () => {
        // A browser always follows redirects, but the response of another URL must not be accepted.
        if (wasRedirected(xhr, url)) return reject(redirectError(url));
        if (!reportsProgress) onProgress(source.size);
        resolve(responseOf(xhr));
      };
      xhr.open('PUT', url);
      for (const [name, value] of Object.entries(headers)) {
        if (name.toLowerCase() !== 'content-length') xhr.setRequestHeader(name, value);
      }
      xhr.send(body);
    });
  } finally {
    xhr.abort();
  }
}

function wasRedirected({ responseURL }: XMLHttpRequest, url: string): boolean {
  const requested = new URL(url);
  requested.hash = '';
  return responseURL !== '' && responseURL !== requested.href;
}

function responseOf(xhr: XMLHttpRequest): Response {
  const { responseText, status, statusText } = xhr;
  // getResponseHeader() would log an error on the console if another origin does not expose the header.
  const retryAfter = /^retry-after: *(.*)$/im.exec(xhr.getAllResponseHeaders())?.[1];
  return new Response(responseText || null, { status, statusText, headers: { 'retry-after': retryAfter ?? '' } });
}

type FixedLengthStream = new (size: number) => TransformStream<Uint8Array, Uint8Array>;

/** The options of the request of every attempt, without the body. */
export function putInit(slotHeaders: Record<string, string>, { size }: Source): RequestInit {
  const headers = new Headers(slotHeaders);
  headers.set('content-length', String(size));
  // If redirects were followed, Node.js would keep all sent bytes in memory. workerd supports neither `error` nor
  // `credentials`.
  const mode: RequestInit = fixedLengthStream() ? { redirect: 'manual' } : { redirect: 'error', credentials: 'omit' };
  return { method: 'PUT', headers, ...mode };
}

/** Sends with the `fetch` option of the client, or with the global `fetch` if the runtime does not have a better sender. */
export async function putByFetch(request: PutRequest, init: RequestInit, fetch: Fetch): Promise<Response> {
  const { url, source, signal, onProgress, onUnknownProgress } = request;
  const stream = streamBody(request);
  const body = stream ?? (await wholeBody(request));
  const streaming: RequestInit & { duplex: 'half' } = { ...init, body, duplex: 'half', signal };
  if (!stream) onUnknownProgress();
  try {
    const response = await fetch(url, streaming);
    if (!stream) onProgress(source.size);
    return response;
  } catch (error) {
    throw isRedirect(error) ? redirectError(url) : error;
  }
}

/** A stream if the runtime sends it with a `Content-Length`, which storages require; otherwise `undefined`. */
function streamBody({ source, readPieces, onProgress }: PutRequest): ReadableStream<Uint8Array> | undefined {
  if (source.size === 0) return undefined;
  const FixedLength = fixedLengthStream();
  const { process, Deno } = globalThis as { process?: NodeJS.Process; Deno?: unknown };
  if (!FixedLength && (!process?.versions?.node || Deno)) return undefined;
  const stream = streamOf(readPieces({ reuseMemory: false }), onProgress);
  return FixedLength ? stream.pipeThrough(new FixedLength(source.size)) : stream;
}

/** A class that only workerd has. */
export function fixedLengthStream(): FixedLengthStream | undefined {
  return (globalThis as { FixedLengthStream?: FixedLengthStream }).FixedLengthStream;
}

/** True for a redirect error, by the messages of Node.js, Bun and Deno. A browser does not name the cause of a failure. */
function isRedirect(error: unknown): boolean {
  const cause = error instanceof Error && error.cause;
  return /redirect/i.test(`${error} ${cause}`);
}

/**
 * A stream that reads a piece only when a piece is requested.
 *
 * @param onProgress called with the number of bytes that were read from the stream so far.
 */
function streamOf(pieces: Pieces, onProgress?: (bytes: number) => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) return controller.close();
        // Lets Node.js read the socket, so that it notices an early response before the next write fails.
        if (typeof setImmediate === 'function') await new Promise<void>(resolve => setImmediate(resolve));
        controller.enqueue(value);
        bytes += value.length;
        onProgress?.(bytes);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The whole file, for runtimes that cannot send a stream. */
async function wholeBody({ source, readPieces }: PutRequest): Promise<Blob | Uint8Array<ArrayBuffer>> {
  return source.body ?? (await new Response(streamOf(readPieces({ reuseMemory: false }))).blob());
}
