import type { Inbox } from '../inbox/inbox.ts';
import type { Notification } from '../notification/notification.ts';
import { createWorker, type HandlingOptions } from './worker.ts';

/** Options of {@link stream}. */
export interface StreamOptions extends HandlingOptions {
  /** Ends the loop once nothing is in hand. */
  signal?: AbortSignal | undefined;
}

/** An inbox that can be read in a loop. */
export interface Streaming {
  /**
   * The notifications, one at a time, for those who would rather have a loop than a worker. One counts as handled when the
   * loop asks for the next; leaving the loop by `break` or an error gives the current one back, for another attempt.
   *
   * @example
   * for await (const n of inbox.stream()) await save(n);
   */
  stream(options?: StreamOptions): AsyncGenerator<Notification, void, undefined>;
}

/** {@link Streaming.stream} for an inbox of your own. */
export function stream(
  inbox: StreamedInbox,
  options: StreamOptions = {},
): AsyncGenerator<Notification, void, undefined> {
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  const generator = generate(inbox, { ...options, signal });
  const end = generator.return.bind(generator);
  // A generator that waits for a notification would not hear of it.
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
  let give: ((handling: Handling | undefined) => void) | undefined;
  const end = () => give?.(undefined);
  const next = () =>
    new Promise<Handling | undefined>(resolve => {
      give = handling => {
        give = undefined;
        resolve(handling);
      };
    });
  const handle = (notification: Notification) =>
    new Promise<void>((done, leave) => {
      if (give) give({ notification, done, leave });
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
    give = undefined;
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
