import { builtin } from '../internal/runtime.ts';
import { startTimer } from '../internal/signal.ts';
import type { Fetch } from '../options.ts';
import type { PutRequest } from './put.ts';
import type { Pieces, Source } from './source.ts';
import { redirectError } from './storage.ts';

const nodeHttp = () => builtin('node:http')!;
type IncomingMessage = InstanceType<ReturnType<typeof nodeHttp>['IncomingMessage']>;

/** No error page is read beyond this size. */
const MAX_RESPONSE_BYTES = 1_048_576;

/**
 * Sends with the HTTP client of Node.js, in Node.js, Bun and Deno. It reports when a piece was sent, so that the memory
 * of the piece can be reused; `fetch` does not, and in Deno it sends a stream without a `Content-Length`. It follows no
 * redirects.
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
      // Lets Node.js read the socket: it notices an early response before the next write fails.
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
    // The status of an error response is known, even if the rest of it never arrives.
    if (status < 300) throw error;
  }
  return new Response(size > 0 ? new Blob(chunks) : null, {
    status,
    statusText: incoming.statusMessage ?? '',
    headers: { 'retry-after': incoming.headers['retry-after'] ?? '' },
  });
}

/** Sends with `XMLHttpRequest`: a page learns of the progress from nothing else. The browser adds `Content-Length`. */
export async function putByXhr(request: PutRequest): Promise<Response> {
  const { url, headers, source, signal, onProgress, onUnknownProgress } = request;
  const whole = await wholeBody(request);
  // The type of a Blob would be added to the headers.
  const body = whole instanceof Blob ? whole.slice(0, whole.size, '') : whole;
  const xhr = new XMLHttpRequest();
  // A service worker hides the progress from the page.
  const reportsProgress = navigator.serviceWorker?.controller === null;
  if (!reportsProgress) onUnknownProgress();
  try {
    return await new Promise<Response>((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      xhr.upload.onprogress = ({ loaded }) => onProgress(loaded);
      xhr.onerror = () => reject(new TypeError('The browser does not say why the request failed.'));
      xhr.onload = () => {
        // A browser always follows redirects, but the response of another URL must not count.
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

/** What every attempt sends, except for the body. */
export function putInit(slotHeaders: Record<string, string>, { size }: Source): RequestInit {
  const headers = new Headers(slotHeaders);
  headers.set('content-length', String(size));
  // If redirects were followed, Node.js would keep all sent bytes in memory. workerd has neither option.
  const mode: RequestInit = fixedLengthStream() ? { redirect: 'manual' } : { redirect: 'error', credentials: 'omit' };
  return { method: 'PUT', headers, ...mode };
}

/** Sends with the `fetch` of the client's options, or with that of a runtime that has nothing better. */
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

/** A stream, if the runtime sends its `Content-Length`, which storages require. */
function streamBody({ source, readPieces, onProgress }: PutRequest): ReadableStream<Uint8Array> | undefined {
  if (source.size === 0) return undefined;
  const FixedLength = fixedLengthStream();
  const { process, Deno } = globalThis as { process?: NodeJS.Process; Deno?: unknown };
  if (!FixedLength && (!process?.versions?.node || Deno)) return undefined;
  const stream = streamOf(readPieces({ reuseMemory: false }), onProgress);
  return FixedLength ? stream.pipeThrough(new FixedLength(source.size)) : stream;
}

/** Only workerd has it. */
export function fixedLengthStream(): FixedLengthStream | undefined {
  return (globalThis as { FixedLengthStream?: FixedLengthStream }).FixedLengthStream;
}

/** By the messages of Node.js, Bun and Deno. A browser does not say what failed. */
function isRedirect(error: unknown): boolean {
  const cause = error instanceof Error && error.cause;
  return /redirect/i.test(`${error} ${cause}`);
}

/**
 * A stream that reads a piece only when one is requested.
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
        // Lets Node.js read the socket: it notices an early response before the next write fails.
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
