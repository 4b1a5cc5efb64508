import { ConfigurationError, TrackingError } from '../errors.ts';
import type { Reading, Source } from './source.ts';

/** In bytes. A longer piece would hold up other work, and tell less often how far it has come. */
const LONGEST = 262_144;

/**
 * The bytes in pieces, as many as `size` says. Rejects with a `TrackingError` if they cannot be read, or if there are more
 * or fewer, and with the signal's reason.
 */
export async function* pieces(source: Source, reading: Reading): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { signal } = reading;
  let read = 0;
  try {
    for await (const chunk of source.read(reading)) {
      if (!ArrayBuffer.isView(chunk)) throw new ConfigurationError('open() must give a stream of Uint8Array.');
      read += chunk.byteLength;
      if (read > source.size) throw changed(`there are more of them than the ${source.size} that there were`);
      for (let start = 0; start < chunk.length; start += LONGEST) {
        signal.throwIfAborted();
        yield chunk.subarray(start, start + LONGEST) as Uint8Array<ArrayBuffer>;
      }
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof TrackingError) throw cause;
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    throw new TrackingError(`The file cannot be read${detail}.`, { code: 'unreadable', cause });
  }
  signal.throwIfAborted();
  if (read < source.size) throw changed(`they end after ${read} of ${source.size}`);
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
