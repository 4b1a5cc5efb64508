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
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  let isComplete = false;
  try {
    for (;;) {
      const { done, value } = await (signal ? abortable(reader.read(), signal) : reader.read());
      isComplete = done;
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      text += decoder.decode(value, { stream: true });
      if (bytes > maxBytes) return onLonger(text);
    }
  } finally {
    // Whoever sends would go on otherwise, and the connection would stay open.
    if (!isComplete) reader.cancel().catch(() => {});
  }
}
