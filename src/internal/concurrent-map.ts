import { abortable, Scope } from './signal.ts';

/** The outcome of one item. */
export type Outcome<T, R extends object> = {
  item: T;
  /** Position of the item, from 0. */
  index: number;
} & (({ ok: true } & R) | { ok: false; error: unknown });

export interface ConcurrentMapOptions {
  /** Upper bound for the number of items that are running, or are done and not yet yielded. */
  concurrency: number;
  /**
   * The next item starts when an outcome is yielded (`at-yield`), or when the consumer requests the next outcome
   * (`on-demand`).
   */
  startNext: 'at-yield' | 'on-demand';
  signal: AbortSignal | undefined;
}

/**
 * Runs a function on each item, with several items at the same time, and yields the outcomes in the order of their
 * completion.
 *
 * Each item that was read has one outcome. If reading an item fails, or if the signal aborts, no more items are read.
 * The iteration first yields the outcomes of the items that were read. Then it rejects with the error, or with the
 * reason of the signal.
 *
 * @param run must end soon after its signal aborts. Its signal aborts when the signal of the options aborts, and when
 * the consumer stops.
 */
export async function* concurrentMap<T, R extends object>(
  items: Iterable<T> | AsyncIterable<T>,
  { concurrency, startNext, signal }: ConcurrentMapOptions,
  run: (item: T, index: number, signal: AbortSignal) => Promise<R>,
): AsyncGenerator<Outcome<T, R>, void, undefined> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const scope = new Scope().follow(signal);
  const outcomes: Outcome<T, R>[] = [];
  let taken = 0;
  let inHand = 0;
  let isTaking = false;
  let isExhausted = false;
  let failure: { error: unknown } | undefined;
  let wake = () => {};

  async function takeItems(): Promise<void> {
    if (isTaking) return;
    isTaking = true;
    while (!isExhausted && inHand < concurrency) await takeItem();
    isTaking = false;
    wake();
  }

  async function takeItem(): Promise<void> {
    try {
      scope.signal.throwIfAborted();
      const next = await abortable(Promise.resolve(iterator.next()), scope.signal);
      if (next.done) isExhausted = true;
      else void start(next.value, taken++);
    } catch (error) {
      failure = { error };
      isExhausted = true;
    }
  }

  async function start(item: T, index: number): Promise<void> {
    inHand += 1;
    try {
      outcomes.push({ item, index, ok: true, ...(await run(item, index, scope.signal)) });
    } catch (error) {
      outcomes.push({ item, index, ok: false, error });
    }
    wake();
  }

  async function closeItems(): Promise<void> {
    await iterator.return?.();
  }

  try {
    for (;;) {
      void takeItems();
      while (outcomes.length === 0 && (inHand > 0 || !isExhausted)) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
      const outcome = outcomes.shift();
      if (!outcome) break;
      if (startNext === 'at-yield') {
        inHand -= 1;
        void takeItems();
      }
      yield outcome;
      if (startNext === 'on-demand') inHand -= 1;
    }
    signal?.throwIfAborted();
    if (failure) throw failure.error;
  } finally {
    scope.abort();
    scope.dispose();
    // This promise is not awaited, because items that hang must not block the consumer.
    closeItems().catch(() => {});
  }
}
