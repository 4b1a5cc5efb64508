import { abortable } from '../internal/signal.ts';
import type { Credential } from './auth.ts';
import type { Call } from './call.ts';
import { formatError } from './format-error.ts';

/** No more than this is read of the body of an error: 1 MiB. */
const MAX_ERROR_BYTES = 1_048_576;

/** Whether the body cannot be longer than `maxBytes`: the runtime enforces its `content-length`, and it is not compressed. */
export function isHarmless({ headers, type }: Response, maxBytes: number): boolean {
  const length = headers.get('content-length');
  // Chunks go before a length. For a response of another origin, a browser shows the length and may hide the compression.
  const isWhole = !headers.has('transfer-encoding') && !headers.has('content-encoding') && type !== 'cors';
  return isWhole && length !== null && Number(length) <= maxBytes;
}

/**
 * The body as text.
 *
 * @param signal ends the reading. The signal of `fetch` is not enough: in Node 20 some compressed bodies never settle.
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
 * The body of an error, up to 1 MiB. After a body was read to its end, its connection can be used again. A longer body is
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
    // Otherwise the sender would continue, and the connection would stay open.
    if (!isComplete) pieces.end();
  }
}

/** Cancels a body that nobody reads. */
export function discard(response: Response): void {
  piecesOf(response)?.end();
}

interface Pieces {
  next(): Promise<{ done: false; value: Uint8Array } | { done: true; value?: undefined }>;
  end(): void;
}

/** A `fetch` from a package for Node may give a Node stream as the body. */
export function piecesOf({ body }: { body: unknown }): Pieces | undefined {
  if (body === null || body === undefined) return undefined;
  const stream = Object(body) as Partial<ReadableStream<Uint8Array> & AsyncIterable<Uint8Array> & { destroy(): void }>;
  if (stream.getReader) {
    const reader = stream.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    return { next: () => reader.read() as ReturnType<Pieces['next']>, end: () => void reader.cancel().catch(() => {}) };
  }
  const iterator = stream[Symbol.asyncIterator]?.();
  if (!iterator) throw new TypeError('the body of the Response is not a stream');
  return { next: () => iterator.next() as ReturnType<Pieces['next']>, end: () => stream.destroy?.() };
}
