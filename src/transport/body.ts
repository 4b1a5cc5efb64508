import { abortable } from '../internal/signal.ts';
import type { Credential } from './auth.ts';
import type { Call } from './call.ts';
import { formatError } from './format-error.ts';

/** An error body longer than this is not worth the wait, and not worth keeping: 1 MiB. */
const MAX_ERROR_BYTES = 1_048_576;

/** Whether the runtime itself holds a body to at most so many bytes: by its length, which no compression hides. */
export function isHarmless({ headers, type }: Response, maxBytes: number): boolean {
  const length = headers.get('content-length');
  // A browser tells a page the length of an answer from elsewhere, and may hide that it is compressed.
  return length !== null && Number(length) <= maxBytes && type !== 'cors' && !headers.has('content-encoding');
}

/**
 * The body as text.
 *
 * @param signal ends the reading, also where `fetch` does not: Node 20 leaves some compressed bodies unsettled.
 * @throws {ResponseFormatError} if it is longer than `maxBytes` after decompression.
 */
export function readText(
  call: Call,
  response: Response,
  { redactor }: Credential,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  return readUpTo(response, maxBytes, signal, () => {
    const exchange = { call, response, text: '', redactor };
    throw formatError(exchange, `the answer is longer than maxResponseBytes, which is ${maxBytes} bytes`);
  });
}

/**
 * The body of an answer that failed, up to 1 MiB. Read to its end, the connection can be used again; what is longer is
 * cancelled, which closes the connection.
 *
 * @param signal ends the reading.
 */
export function readErrorText(response: Response, signal?: AbortSignal): Promise<string> {
  return readUpTo(response, MAX_ERROR_BYTES, signal, text => text);
}

async function readUpTo(
  response: Response,
  maxBytes: number,
  signal: AbortSignal | undefined,
  onLonger: (text: string) => string,
): Promise<string> {
  const pieces = piecesOf(response);
  if (!pieces) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  let isComplete = false;
  try {
    for (;;) {
      const { done, value } = await (signal ? abortable(pieces.next(), signal) : pieces.next());
      isComplete = done;
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      text += decoder.decode(value, { stream: true });
      if (bytes > maxBytes) return onLonger(text);
    }
  } finally {
    // Whoever sends would go on otherwise, and the connection would stay open.
    if (!isComplete) pieces.end();
  }
}

/** Ends an answer that nobody reads. */
export function discard(response: Response): void {
  piecesOf(response)?.end();
}

interface Pieces {
  next(): Promise<{ done: false; value: Uint8Array } | { done: true; value?: undefined }>;
  end(): void;
}

/** A `fetch` of a package for Node may give a stream of Node as the body. */
function piecesOf({ body }: { body: unknown }): Pieces | undefined {
  if (body === null || body === undefined) return undefined;
  const stream = Object(body) as Partial<ReadableStream<Uint8Array> & AsyncIterable<Uint8Array> & { destroy(): void }>;
  if (stream.getReader) {
    const reader = stream.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    return { next: () => reader.read() as ReturnType<Pieces['next']>, end: () => void reader.cancel().catch(() => {}) };
  }
  const iterator = stream[Symbol.asyncIterator]?.();
  if (!iterator) throw new TypeError('the body of the Response is no stream');
  return { next: () => iterator.next() as ReturnType<Pieces['next']>, end: () => stream.destroy?.() };
}
