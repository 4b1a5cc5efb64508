import { builtin } from '../../internal/runtime.ts';
import { startTimer } from '../../internal/signal.ts';
import type { Sending } from './put.ts';

const nodeHttp = () => builtin('node:http')!;
type IncomingMessage = InstanceType<ReturnType<typeof nodeHttp>['IncomingMessage']>;

/** What is longer is no answer that anybody reads. */
const MAX_ANSWER_BYTES = 1_048_576;

/**
 * Sends with Node's HTTP client, in Node, Bun and Deno. It tells when it is done with a piece, whose memory can then be
 * used again; `fetch` does not, and Deno's sends a stream without a `Content-Length`. It follows no redirects.
 */
export async function putByNode(sending: Sending): Promise<Response> {
  const { url, headers, source, signal } = sending;
  const isSecure = new URL(url).protocol === 'https:';
  const http = isSecure ? builtin('node:https')! : nodeHttp();
  const outgoing = http.request(url, { method: 'PUT', headers: { ...headers, 'Content-Length': source.size } });
  signal.addEventListener('abort', () => outgoing.destroy());

  let isOver = false;
  let wake = () => {};
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve).on('error', reject);
    for (const event of ['response', 'error', 'close']) {
      outgoing.on(event, () => {
        isOver = true;
        wake();
      });
    }
  });
  answer.catch(() => {});

  if (sending.refusalMs > 0) {
    outgoing.flushHeaders();
    let stopTimer = () => {};
    await new Promise<void>(resolve => {
      wake = resolve;
      stopTimer = startTimer(sending.refusalMs, resolve);
    });
    stopTimer();
  }
  let loaded = 0;
  if (!isOver) {
    for await (const piece of sending.pieces({ transient: true })) {
      await new Promise<void>(resolve => {
        wake = resolve;
        outgoing.write(piece, () => resolve());
      });
      // Lets Node look for an answer before the next write, which would fail if it was a refusal.
      await new Promise(resolve => setImmediate(resolve));
      if (isOver) break;
      loaded += piece.length;
      sending.onLoaded(loaded);
    }
  }
  if (loaded === source.size) outgoing.end();
  return responseOf(await answer);
}

async function responseOf(incoming: IncomingMessage): Promise<Response> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) break;
  }
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = incoming;
  const retryAfter = headers['retry-after'];
  return new Response(size > 0 ? new Blob(chunks) : null, {
    status,
    statusText,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  });
}
