import { abortable } from '../../internal/signal.ts';
import { piecesOf } from '../../transport/body.ts';
import type { IdleScope } from '../idle-scope.ts';

/**
 * A stream that was dropped unread would keep its connection open. Some Workers do not have this registry; they close
 * all connections of a request when the request ends.
 */
const droppedStreams =
  typeof FinalizationRegistry === 'function' ? new FinalizationRegistry<() => void>(close => close()) : undefined;

/**
 * The body of a response, read on demand. The timer of the scope runs only while the next chunk is pending, so that a slow
 * reader causes no timeout.
 *
 * @param scope its abort closes the stream, even if nobody reads. It ends with the stream.
 * @param toError makes the error of the stream from what was thrown.
 */
export function bodyStream(
  { body }: Response,
  scope: IdleScope,
  toError: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const { signal } = scope;
  const pieces = piecesOf({ body });
  // The end of the scope aborts the signal too, which cancels what was not read.
  const close = () => scope.end();
  const cancel = () => pieces?.end();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });

  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          scope.startTimer();
          const piece = pieces && (await abortable(pieces.next(), signal));
          scope.stopTimer();
          if (piece && !piece.done) return controller.enqueue(piece.value);
          close();
          controller.close();
        } catch (error) {
          const reason = toError(error);
          close();
          throw reason;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
  droppedStreams?.register(stream, close);
  return stream;
}
