import { iterable, wholeNumber } from '../internal/arguments.ts';
import { Scope } from '../internal/signal.ts';
import { checkWaiting, type TrackingProgress, WAIT_NAMES, type WaitOptions } from './poller.ts';
import type { Tracked, TrackItem } from './track.ts';

/** Options of `client.trackMany`. */
export interface TrackManyOptions extends Omit<WaitOptions, 'onProgress'> {
  /**
   * Numbers under way, or done and not taken by the consumer yet. Waiting costs next to nothing, so this is only a bound
   * for memory.
   * @default 1000
   */
  concurrency?: number | undefined;
  /** As in `track`, with the number that it is about. */
  onProgress?: ((progress: TrackingProgress & { item: TrackItem; index: number }) => void) | undefined;
}

/** The outcome for one number. */
export type TrackResult = {
  /** What was to be tracked. */
  item: TrackItem;
  /** Its place among the items, from 0. */
  index: number;
} & (
  | ({ ok: true } & Tracked)
  | {
      ok: false;
      /** Why it could not be tracked. */
      error: unknown;
    }
);

/** Results in the order in which they come. Once the consumer stops, nothing goes on. */
export async function* trackMany(
  items: Iterable<TrackItem> | AsyncIterable<TrackItem>,
  options: TrackManyOptions,
  trackOne: (item: TrackItem, wait: WaitOptions) => Promise<Tracked>,
): AsyncGenerator<TrackResult, void, undefined> {
  checkWaiting('trackMany()', options, [...WAIT_NAMES, 'concurrency']);
  const { signal, onProgress, waitTimeout } = options;
  const concurrency = wholeNumber('concurrency', options.concurrency ?? 1000);
  iterable('The first argument of trackMany()', items);
  signal?.throwIfAborted();
  const stopping = new Scope().follow(signal);
  const results: TrackResult[] = [];
  const change = new Change();
  stopping.signal.addEventListener('abort', () => change.announce());
  let running = 0;
  let fed = false;

  const start = async (item: TrackItem, index: number) => {
    running += 1;
    try {
      const tracked = await trackOne(item, {
        waitTimeout,
        signal: stopping.signal,
        onProgress: progress => onProgress?.({ ...progress, item, index }),
      });
      results.push({ item, index, ok: true, ...tracked });
    } catch (error) {
      results.push({ item, index, ok: false, error });
    } finally {
      running -= 1;
      change.announce();
    }
  };

  const feed = async () => {
    let index = 0;
    for await (const item of items) {
      void start(item, index);
      index += 1;
      while (running + results.length >= concurrency && !stopping.signal.aborted) await change.announced();
      if (stopping.signal.aborted) break;
    }
    fed = true;
    change.announce();
  };

  let failure: { error: unknown } | undefined;
  feed().catch(error => {
    failure = { error };
    change.announce();
  });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const result = results.shift();
      if (result) {
        change.announce();
        yield result;
      } else if (running > 0 || !(fed || failure)) {
        await change.announced();
      } else {
        if (failure) throw failure.error;
        return;
      }
    }
  } finally {
    stopping.abort();
    stopping.dispose();
  }
}

/** Lets any number of loops wait for the next time that something has changed. */
class Change {
  #waiting: (() => void)[] = [];

  announced(): Promise<void> {
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  announce(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
