import { ConfigurationError, TrackingError } from '../../errors.ts';
import { abortable } from '../../internal/signal.ts';
import { IdleScope } from '../idle-scope.ts';
import { bytesOf } from './bytes.ts';
import { bytesChanged } from './bytes-changed.ts';
import type { ReadOptions, Source } from './source.ts';

export type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>>;

/** In bytes. Longer pieces would block other work, and progress would be reported less often. */
const MAX_PIECE_BYTES = 262_144;

export interface PiecesOptions extends ReadOptions {
  /** How long to wait for the next chunk of the source, in ms. */
  timeout: number;
}

/**
 * Reads a source in pieces of at most 256 KiB. Closes the source at the end, after a failure and when the reader stops.
 *
 * @throws {TrackingError} if the source cannot be read, or does not have exactly `size` bytes; the reason of the signal.
 */
export async function* readPieces(source: Source, { signal, reuseMemory, timeout }: PiecesOptions): Pieces {
  const scope = new IdleScope(signal, timeout, sourceTimeout);
  const chunks = source.read({ signal: scope.signal, reuseMemory })[Symbol.asyncIterator]();
  let bytesRead = 0;
  try {
    for (;;) {
      scope.startTimer();
      const { done, value } = await abortable(chunks.next(), scope.signal);
      scope.stopTimer();
      if (done) break;
      const chunk = bytesOf(value);
      if (!chunk) throw new ConfigurationError('open() must return a stream of bytes, such as Uint8Array.');
      bytesRead += chunk.length;
      if (bytesRead > source.size) throw bytesChanged(`it is longer than ${source.size} bytes`);
      for (let start = 0; start < chunk.length; start += MAX_PIECE_BYTES) {
        signal.throwIfAborted();
        yield chunk.subarray(start, start + MAX_PIECE_BYTES);
      }
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof TrackingError) throw cause;
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    throw new TrackingError(`The file cannot be read${detail}.`, { code: 'unreadable', cause });
  } finally {
    scope.end();
    // Not awaited: a source that hangs would never return.
    Promise.resolve(chunks.return?.()).catch(() => {});
  }
  signal.throwIfAborted();
  if (bytesRead < source.size) throw bytesChanged(`it ended after ${bytesRead} of ${source.size} bytes`);
}

/** Not a `TimeoutError`, which would cause another attempt: the storage did nothing wrong. */
function sourceTimeout(ms: number): TrackingError {
  return new TrackingError(`The file gave no bytes for ${ms} ms.`, { code: 'unreadable' });
}
