import { builtin } from '../../internal/runtime.ts';
import { startTimer } from '../../internal/signal.ts';
import type { PutRequest } from './put.ts';

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
