import { refuseUnknownNames } from '../../internal/arguments.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Notification } from '../notification/notification.ts';
import { createWorker, HANDLING_OPTIONS, type HandlingOptions } from './worker.ts';

/** Options of {@link stream}. */
export interface StreamOptions extends HandlingOptions {
  /** When it is aborted, the loop ends after the current notification. */
  signal?: AbortSignal | undefined;
}

/** An inbox that can be read in a loop. */
export interface Streaming {
  /**
   * The notifications one at a time, for a loop instead of a worker. A notification counts as handled when the loop asks for
   * the next one. If the loop is left by `break` or by an error, the current notification gets another attempt.
   *
   * @example
   * for await (const n of inbox.stream()) await save(n);
   */
  stream(options?: StreamOptions): AsyncGenerator<Notification, void, undefined>;
}

/** {@link Streaming.stream} for an inbox of your own. @throws {ConfigurationError} for an unknown option. */
export function stream(
  inbox: StreamedInbox,
  options: StreamOptions = {},
): AsyncGenerator<Notification, void, undefined> {
  refuseUnknownNames('stream()', options, ['signal', ...Object.keys(HANDLING_OPTIONS)]);
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  const generator = generate(inbox, { ...options, signal });
  const end = generator.return.bind(generator);
  // `return()` of a generator that waits would only take effect with the next notification.
  generator.return = value => {
    left.abort();
    return end(value);
  };
  return generator;
}

async function* generate(
  inbox: StreamedInbox,
  { signal, ...options }: StreamOptions,
): AsyncGenerator<Notification, void, undefined> {
  let deliver: ((handling: Handling | undefined) => void) | undefined;
  const end = () => deliver?.(undefined);
  const next = () =>
    new Promise<Handling | undefined>(resolve => {
      deliver = handling => {
        deliver = undefined;
        resolve(handling);
      };
    });
  const handle = (notification: Notification) =>
    new Promise<void>((done, leave) => {
      if (deliver) deliver({ notification, done, leave });
      else leave(LEFT);
    });

  let handling = next();
  const worker = createWorker({
    ...options,
    inbox,
    router: { handle },
    concurrency: 1,
    handlerTimeoutMs: Number.POSITIVE_INFINITY,
  }).start();
  signal?.addEventListener('abort', end);
  try {
    while (!signal?.aborted) {
      const current = await handling;
      if (!current) return;
      let handled = false;
      try {
        yield current.notification;
        handled = true;
      } finally {
        handling = next();
        if (handled) current.done();
        else current.leave(LEFT);
      }
    }
  } finally {
    deliver = undefined;
    signal?.removeEventListener('abort', end);
    await worker.stop();
  }
}

type StreamedInbox = Pick<Inbox, 'claim' | 'renew' | 'done' | 'fail'>;

interface Handling {
  notification: Notification;
  done(): void;
  leave(reason: string): void;
}

const LEFT = 'The loop was left.';
