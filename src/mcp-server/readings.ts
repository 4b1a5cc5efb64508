import { ResponseFormatError } from '../errors.ts';
import { abortable } from '../internal/signal.ts';
import type { Checkpoint } from '../pagination/checkpoint.ts';
import type { List } from '../pagination/list.ts';
import type { Page } from '../pagination/pages.ts';
import type { WorklistList } from '../worklist/reading.ts';
import type { WorklistContainer } from '../worklist/rows.ts';

/**
 * Time in ms for which a complete reading is used again. If a reading took longer than this time, it is used again for
 * as long as the reading took.
 */
const KEEP_MS = 60_000;
const MOST_MS = 5 * 60_000;

/**
 * Time in ms for which the pages of an interrupted reading are kept. It covers the window of the rate limit and some
 * time for the next call.
 */
const RESUME_MS = 90_000;

/** Upper bound for the number of containers in all readings of a caller. */
const MAX_CONTAINERS = 20_000;

/** Requests a list from the page after the checkpoint, with the limits that the call has at this moment. */
type Open<T extends { id: string }> = (from: Checkpoint | undefined) => List<T>;

/** The call that reads: its signal and its clock. */
interface Reader {
  signal: AbortSignal;
  clock: () => Date;
}

/**
 * The pages of a list. Each page is read as a separate list, because all requests of a list share the time that was
 * left when the list was opened.
 */
async function* pagesOf<T extends { id: string }>(
  open: Open<T>,
  from?: Checkpoint,
): AsyncGenerator<Page<T>, void, undefined> {
  let checkpoint = from;
  let hasNext = true;
  while (hasNext) {
    hasNext = false;
    for await (const page of open(checkpoint).pages()) {
      yield page;
      checkpoint = page.checkpoint;
      hasNext = page.hasNextPage();
      if (hasNext) break;
    }
  }
}

/** The first `most` records of a list. Each page is requested with the limits that the call has at that moment. */
export async function recordsOf<T extends { id: string }>(open: Open<T>, most: number): Promise<T[]> {
  const records: T[] = [];
  for await (const { data } of pagesOf(open)) {
    records.push(...data);
    if (records.length >= most) break;
  }
  return records.slice(0, most);
}

/** The tracked containers that the calls of a caller have read. */
export class Readings {
  readonly #stored = new Map<string, StoredList>();
  #idle: ReturnType<typeof setTimeout> | undefined;

  /**
   * The list with this filter. It continues an earlier reading. If a complete list with fewer conditions is stored, this
   * list is returned, and no request is needed.
   */
  list(filter: object, open: Open<WorklistContainer>, reader: Reader): WorklistList & { readonly beganAt: number } {
    // A server has many callers, so a caller that is idle keeps no containers.
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.clear(), MOST_MS);
    (this.#idle as { unref?(): void }).unref?.();
    const now = reader.clock().getTime();
    for (const [name, { until }] of this.#stored) if (until < now) this.#stored.delete(name);
    const name = JSON.stringify(filter);
    const wider = [...this.#stored].find(([known, { isComplete }]) => isComplete && isWider(JSON.parse(known), filter));
    const stored = wider?.[1] ?? this.#stored.get(name) ?? new StoredList(now);
    if (!wider) this.#stored.set(name, stored);
    const read = async (what: 'first' | 'all') => {
      try {
        await stored.read(what, open, reader);
      } catch (error) {
        // Pages that contradict each other must be read again.
        if (error instanceof ResponseFormatError && this.#stored.get(name) === stored) this.#stored.delete(name);
        throw error;
      }
      for (const name of this.#stored.keys()) if (this.#size() > MAX_CONTAINERS) this.#stored.delete(name);
    };
    const first = read('first').then(() => stored.first);
    return Object.assign(first, {
      beganAt: stored.beganAt,
      async *[Symbol.asyncIterator]() {
        await read('all');
        yield* stored.containers.values();
      },
    });
  }

  clear(): void {
    this.#stored.clear();
  }

  #size(): number {
    return [...this.#stored.values()].reduce((sum, { containers }) => sum + containers.size, 0);
  }
}

/** True if the second filter has all conditions of the first filter. */
function isWider(filter: object, other: object): boolean {
  const conditions = new Set(Object.entries(other).map(entry => JSON.stringify(entry)));
  return Object.entries(filter).every(entry => conditions.has(JSON.stringify(entry)));
}

/** The containers of a list that have been read so far. */
class StoredList {
  readonly beganAt: number;
  readonly containers = new Map<string, WorklistContainer>();
  isComplete = false;
  until: number;
  #first: { length: number; total: number | undefined } | undefined;
  #checkpoint: Checkpoint | undefined;
  /** Settles when the call that is reading has ended. It never rejects. */
  #reading: Promise<void> | undefined;

  constructor(now: number) {
    this.beganAt = now;
    this.until = now + RESUME_MS;
  }

  /** The size of the first page, and of the list. */
  get first() {
    const { length, total } = this.#first ?? { length: 0, total: 0 };
    return this.isComplete
      ? { data: [...this.containers.values()], meta: {}, hasNextPage: () => false }
      : { data: { length }, meta: { total }, hasNextPage: () => true };
  }

  /** Parallel calls share one reading. If the call that reads fails, another call continues with its own limits. */
  async read(what: 'first' | 'all', open: Open<WorklistContainer>, { signal, clock }: Reader): Promise<void> {
    while (!(this.isComplete || (what === 'first' && this.#first))) {
      if (this.#reading) {
        await abortable(this.#reading, signal);
        continue;
      }
      const reading = this.#continue(what, open, clock);
      const ended = () => {
        this.#reading = undefined;
      };
      this.#reading = reading.then(ended, ended);
      await reading;
    }
  }

  async #continue(what: 'first' | 'all', open: Open<WorklistContainer>, clock: () => Date): Promise<void> {
    for await (const page of pagesOf(open, this.#checkpoint)) {
      for (const container of page.data) this.containers.set(container.id, container);
      this.#first ??= { length: page.data.length, total: page.meta.total };
      this.#checkpoint = page.checkpoint;
      this.until = clock().getTime() + RESUME_MS;
      if (what === 'first' && page.hasNextPage()) return;
    }
    this.isComplete = true;
    const now = clock().getTime();
    this.until = now + Math.min(MOST_MS, Math.max(KEEP_MS, now - this.beganAt));
  }
}
