import { abortable } from '../../internal/signal.ts';
import { readErrorText } from '../../transport/body.ts';
import type { Watchdog } from '../idle-timer.ts';

export type Bytes = ReadableStream<Uint8Array>;

/** Answers of a `fetch` that may ignore its signal: whatever it gives, nothing goes on after the abort. */

/** Resolves to the answer. A body that nobody reads is cancelled when the signal aborts, also where it comes later. */
export function answerOf(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  answer
    .then(({ body }) => {
      const drop = () => body?.cancel().catch(() => {});
      if (signal.aborted) drop();
      else signal.addEventListener('abort', drop, { once: true });
    })
    .catch(() => {});
  return abortable(answer, signal);
}

export interface BodyReading {
  /** Cancels the body when it aborts, also while nobody reads. */
  signal: AbortSignal;
  /** Runs while a chunk is waited for: time that the reader takes is no silence. */
  watchdog?: Watchdog;
  /** Called once, at the end, a failure or a cancellation. */
  onEnd?: () => void;
  /** What the stream fails with. */
  failure?: (error: unknown) => unknown;
}

/**
 * A stream that was thrown away unread would hold its connection for as long as the other side likes. Some Workers have no
 * such registry, and end what a request has opened with that request.
 */
const abandoned =
  typeof FinalizationRegistry === 'function' ? new FinalizationRegistry<() => void>(letGo => letGo()) : undefined;

/** The bytes of an answer as they come. Reads nothing ahead. */
export function bodyOf({ body }: Response, reading: BodyReading): Bytes {
  const { signal, watchdog, onEnd, failure = error => error } = reading;
  const reader = (body ?? new Blob().stream()).getReader();
  const drop = () => void reader.cancel(signal.reason).catch(() => {});
  if (signal.aborted) drop();
  else signal.addEventListener('abort', drop, { once: true });

  function end(): void {
    watchdog?.stop();
    signal.removeEventListener('abort', drop);
    onEnd?.();
  }

  function letGo(): void {
    drop();
    end();
  }

  const bytes: Bytes = new ReadableStream(
    {
      async pull(controller) {
        try {
          watchdog?.restart();
          const { done, value } = await abortable(reader.read(), signal);
          watchdog?.stop();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          letGo();
          throw failure(error);
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  abandoned?.register(bytes, letGo);
  return bytes;
}

/** The text of an answer, up to 1 MiB of it. */
export async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  return readErrorText(new Response(bodyOf(response, { signal })));
}
