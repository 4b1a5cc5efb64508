import { ConfigurationError, TrackingError } from '../errors.ts';
import { abortable } from '../transport/signal.ts';
import type { Source } from './source.ts';

/** In bytes. Larger pieces are no faster, and keep more memory in use. */
export const PIECE = 131_072;

/**
 * The bytes in pieces, as many as `size` says. Rejects with a `TrackingError` if they cannot be read, or if there are more
 * or fewer, and with the signal's reason.
 */
export async function* pieces(source: Source, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const opening = (async () => source.open())();
  const reader = (await readable(opening, signal)).getReader();
  let read = 0;
  try {
    for (;;) {
      const { done, value } = await readable(reader.read(), signal);
      if (done) break;
      if (!ArrayBuffer.isView(value)) throw new ConfigurationError('open() must give a stream of Uint8Array.');
      read += value.byteLength;
      if (read > source.size) throw changed(`there are more of them than the ${source.size} that there were`);
      // Node gives a Blob as one piece, whatever its size.
      for (let start = 0; start < value.length; start += PIECE) {
        yield value.subarray(start, start + PIECE) as Uint8Array<ArrayBuffer>;
      }
    }
    if (read < source.size) throw changed(`they end after ${read} of ${source.size}`);
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function readable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await abortable(work, signal);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof TrackingError) throw cause;
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    throw new TrackingError(`The file cannot be read${detail}.`, { code: 'unreadable', cause });
  }
}

/** @param onLoaded called with the bytes so far each time that more of them are taken. */
export function streamOf(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  onLoaded?: (loaded: number) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let loaded = 0;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) return controller.close();
      // Lets Node look for an answer: a storage that refuses early is then heard, before the next write fails.
      if (typeof setImmediate === 'function') await new Promise<void>(resolve => setImmediate(resolve));
      controller.enqueue(value);
      loaded += value.length;
      onLoaded?.(loaded);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

export function changed(how: string): TrackingError {
  return new TrackingError(`The bytes changed during the upload: ${how}.`, { code: 'bytes_changed' });
}
