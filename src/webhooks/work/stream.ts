import { refuseUnknownNames } from '../../internal/arguments.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Notification } from '../notification/notification.ts';
import type { HandlerContext } from './router.ts';
import { createWorker, HANDLING_OPTIONS, type HandlingOptions } from './worker.ts';

/** Options of {@link stream}. */
export interface StreamOptions extends HandlingOptions {
  /** When the signal aborts, the loop ends after the current notification, and throws the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** The notifications of an inbox, for a loop. */
export interface NotificationStream extends AsyncGenerator<Notification, void, undefined> {
  /**
   * The context of the current notification, as a handler receives it. Its `signal` is aborted when the lease has ended
   * and another worker may handle the notification: the loop should then continue with the next notification. The time
   * that the loop takes for one notification is not limited. `undefined` before the first notification and after the
   * last notification.
   *
   * @example
   * const notifications = inbox.stream();
   * for await (const n of notifications) await save(n, { signal: notifications.context?.signal });
   */
  readonly context: HandlerContext | undefined;
}

/** An inbox that can be read in a loop. */
export interface Streaming {
  /**
   * Yields the notifications one at a time, for a loop instead of a worker. A notification counts as handled when the
   * loop requests the next notification. If the loop is left by `break` or by an error, the current notification gets
   * another attempt.
   *
   * @example
   * for await (const n of inbox.stream()) await save(n);
   */
  stream(options?: StreamOptions): NotificationStream;
}

/** Implements {@link Streaming.stream} for your own inbox. @throws {ConfigurationError} for an unknown option. */
export function stream(inbox: StreamedInbox, options: StreamOptions = {}): NotificationStream {
  refuseUnknownNames('stream()', options, ['signal', ...Object.keys(HANDLING_OPTIONS)]);
  const left = new AbortController();
  let context: HandlerContext | undefined;
  const generator = generate(inbox, options, left.signal, current => {
    context = current;
  });
  const end = generator.return.bind(generator);
  // Without this, `return()` of a waiting generator would take effect only when the next notification arrives.
  generator.return = value => {
    left.abort();
    return end(value);
  };
  return Object.defineProperty(generator, 'context', { get: () => context }) as NotificationStream;
}

async function* generate(
  inbox: StreamedInbox,
  { signal: given, ...options }: StreamOptions,
  left: AbortSignal,
  setContext: (context: HandlerContext | undefined) => void,
): AsyncGenerator<Notification, void, undefined> {
  const signal = given ? AbortSignal.any([given, left]) : left;
  let deliver: ((handling: Handling | undefined) => void) | undefined;
  const end = () => deliver?.(undefined);
  const next = () =>
    new Promise<Handling | undefined>(resolve => {
      deliver = handling => {
        deliver = undefined;
        resolve(handling);
      };
    });
  const handle = (notification: Notification, context?: HandlerContext) =>
    new Promise<void>((done, leave) => {
      if (deliver) deliver({ notification, context, done, leave });
      else leave(LEFT);
    });

  let handling = next();
  const worker = createWorker({
    ...options,
    inbox,
    router: { handle },
    concurrency: 1,
    handlerTimeoutMs: Infinity,
  }).start();
  signal.addEventListener('abort', end);
  try {
    while (!signal.aborted) {
      const current = await handling;
      if (!current) break;
      let handled = false;
      try {
        setContext(current.context);
        yield current.notification;
        handled = true;
      } finally {
        setContext(undefined);
        handling = next();
        if (handled) current.done();
        else current.leave(LEFT);
      }
    }
  } finally {
    deliver = undefined;
    signal.removeEventListener('abort', end);
    await worker.stop();
  }
  given?.throwIfAborted();
}

type StreamedInbox = Pick<Inbox, 'claim' | 'begin' | 'renew' | 'done' | 'fail'>;

interface Handling {
  notification: Notification;
  context: HandlerContext | undefined;
  done(): void;
  leave(reason: string): void;
}

const LEFT = 'The loop was left.';
