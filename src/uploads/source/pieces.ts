import { ConfigurationError, TrackingError } from '../../errors.ts';
import { abortable, Scope } from '../../internal/signal.ts';
import { Watchdog } from '../idle-timer.ts';
import { bytesOf } from './bytes.ts';
import type { Reading, Source } from './source.ts';

/** In bytes. A longer piece would hold up other work, and tell less often how far it has come. */
const LONGEST = 262_144;

export interface PiecesReading extends Reading {
  /** How long the source may give nothing, in ms. */
  timeout: number;
}

/**
 * The bytes in pieces, as many as `size` says. Rejects with a `TrackingError` if they cannot be read, or if there are more
 * or fewer, and with the signal's reason. The source is let go of at the end, whatever that is.
 */
export async function* pieces(
  source: Source,
  { signal, transient, timeout }: PiecesReading,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const scope = new Scope().follow(signal);
  const watchdog = new Watchdog(scope, timeout, stalled);
  const chunks = source.read({ signal: scope.signal, transient })[Symbol.asyncIterator]();
  let read = 0;
  try {
    for (;;) {
      watchdog.restart();
      const { done, value } = await abortable(chunks.next(), scope.signal);
      watchdog.stop();
      if (done) break;
      const chunk = bytesOf(value);
      if (!chunk) throw new ConfigurationError('open() must give a stream of bytes, such as Uint8Array.');
      read += chunk.length;
      if (read > source.size) throw changed(`there are more of them than the ${source.size} that there were`);
      for (let start = 0; start < chunk.length; start += LONGEST) {
        signal.throwIfAborted();
        yield chunk.subarray(start, start + LONGEST);
      }
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof TrackingError) throw cause;
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    throw new TrackingError(`The file cannot be read${detail}.`, { code: 'unreadable', cause });
  } finally {
    watchdog.stop();
    scope.abort();
    scope.dispose();
    // Not awaited: a source that is stuck would never come to it.
    Promise.resolve(chunks.return?.()).catch(() => {});
  }
  signal.throwIfAborted();
  if (read < source.size) throw changed(`they end after ${read} of ${source.size}`);
}

/**
 * Gives a piece when it is asked for one, not before.
 *
 * @param onLoaded called with the bytes so far each time that more of them are taken.
 */
export function streamOf(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  onLoaded?: (loaded: number) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let loaded = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) return controller.close();
        // Lets Node look for an answer: a storage that refuses early is then heard, before the next write fails.
        if (typeof setImmediate === 'function') await new Promise<void>(resolve => setImmediate(resolve));
        controller.enqueue(value);
        loaded += value.length;
        onLoaded?.(loaded);
      },
    },
    { highWaterMark: 0 },
  );
}

export function changed(how: string, cause?: unknown): TrackingError {
  return new TrackingError(`The bytes changed during the upload: ${how}.`, { code: 'bytes_changed', cause });
}

/** Not the fault of the storage, so that no other attempt is made. */
function stalled(ms: number): TrackingError {
  return new TrackingError(`The file gave no bytes for ${ms} ms.`, { code: 'unreadable' });
}
