import { ConnectionError, ResponseFormatError } from '../../errors.ts';
import { Scope } from '../../internal/signal.ts';
import type { Fetch } from '../../options.ts';
import { AnswerWatch } from './answer-watch.ts';

/**
 * Answers that are streams of events. One may be open for as long as the server has something to say, so it takes no place
 * in the limit of requests under way, and no timeout holds for it: the pipeline is given its headers, and its body is kept
 * here until somebody reads it.
 */
export class EventStreams {
  readonly #bodies = new WeakMap<Response, ReadableStream<Uint8Array>>();

  /** A `fetch` that keeps the bodies of event streams. */
  kept(fetch: Fetch): Fetch {
    return async (url, init) => {
      const response = await fetch(url, init);
      if (!response.ok || !response.body || !isEventStream(response)) return response;
      const { status, headers } = response;
      const instead = new Response(null, { status, headers });
      this.#bodies.set(instead, response.body);
      return instead;
    };
  }

  /** The body that was kept of a response, if its answer is an event stream. */
  of(response: Response): ReadableStream<Uint8Array> | undefined {
    return this.#bodies.get(response);
  }
}

function isEventStream({ headers }: Response): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

/** What an open stream is held to. */
export interface StreamBounds {
  /** The caller's. */
  signal: AbortSignal | undefined;
  /** The official client's. It tells the caller itself. */
  peerSignal: AbortSignal | undefined;
  /** What is left of the call's deadline, in ms. */
  timeLeft: number;
  /** The error for a passed deadline. */
  deadlineError: () => unknown;
  maxBytes: number;
  /** For messages. */
  request: { method: string; path: string };
  /** Of the request that the stream is the answer to. */
  id: string | number;
  /** Told why no answer can come. */
  failed: (reason: unknown) => void;
}

/** Most servers end a stream right after the answer, which leaves its connection to the next request. The others have so long, in ms. */
const REST_MS = 1000;

/** Ends the last line, also one that ends with a return: that one is read only with what follows. */
const LINE_FEED = Uint8Array.of(10);

/** The stream as far as the answer. It ends with its bounds, and nothing is left behind at its end. */
export function bounded(body: ReadableStream<Uint8Array>, bounds: StreamBounds): ReadableStream<Uint8Array> {
  const { maxBytes, request, failed } = bounds;
  const where = `${request.method} ${request.path}`;
  const reader = body.getReader();
  const scope = new Scope()
    .follow(bounds.signal)
    .follow(bounds.peerSignal)
    .limit(bounds.timeLeft, bounds.deadlineError);
  const watch = new AnswerWatch(bounds.id);
  let bytes = 0;

  function stop(reason: unknown): void {
    scope.dispose();
    reader.cancel(reason).catch(() => {});
    if (!watch.isAnswered && !bounds.peerSignal?.aborted) failed(reason);
  }

  async function readRest(): Promise<void> {
    scope.limit(REST_MS, () => undefined);
    while (!(await reader.read()).done);
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const abort = () => {
          controller.error(scope.signal.reason);
          stop(scope.signal.reason);
        };
        if (scope.signal.aborted) abort();
        else scope.signal.addEventListener('abort', abort, { once: true });
      },
      async pull(controller) {
        const { done, value } = await reader.read().catch(cause => {
          const error = new ConnectionError(`${where}: the event stream broke off`, { cause });
          stop(error);
          throw error;
        });
        if (scope.signal.aborted) return;
        if (done) {
          controller.close();
          stop(new ConnectionError(`${where}: the event stream ended without an answer`));
          return;
        }
        bytes += value.byteLength;
        if (bytes > maxBytes) {
          const message = `${where}: the event stream is longer than maxResponseBytes, which is ${maxBytes} bytes`;
          const error = new ResponseFormatError(message, { status: 200, ...request, requestId: undefined });
          stop(error);
          throw error;
        }
        watch.read(value);
        controller.enqueue(value);
        if (!watch.isAnswered) return;
        controller.enqueue(LINE_FEED);
        controller.close();
        await readRest().catch(() => {});
        stop(undefined);
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
}
