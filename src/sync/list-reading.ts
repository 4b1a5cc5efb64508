import { isIdentifier } from '../jsonapi/document.ts';
import { queryString } from '../jsonapi/query.ts';
import type { Checkpoint } from '../pagination/checkpoint.ts';
import { ListGuard, totalOf } from '../pagination/guard.ts';
import { type Context, commit } from './context.ts';
import { type ListSource, PAGE_SIZE } from './lists.ts';
import { dueReads, type LiveRow, referencesOf, rowsOf } from './rows.ts';
import type { Answer } from './service-reader.ts';
import type { JsonValue, SavedCheckpoint } from './store.ts';

/** The position in a list: the value of its checkpoint. */
export interface ListProgress {
  /** Id of the pass that reads the list. */
  pass: string;
  /** Number of the last committed page; 0 at the beginning. */
  page: number;
  /** Number of records in the list when the last committed page was read; `null` if the service does not count them. */
  total: number | null;
  /** Number of records on a full page. */
  size: number;
  done: boolean;
  /**
   * True if a record may have been missed, according to the totals so far. The list is then read again from its beginning
   * after an interruption.
   */
  doubted: boolean;
  /** Ids of the records of the last committed page. */
  ids: readonly string[];
  /** The records that were added so far. Only for a list whose new records come last. */
  growth?: NonNullable<Checkpoint['growth']>;
  /** The records that were read so far. Only for a list whose records change position. */
  moving?: NonNullable<Checkpoint['moving']>;
  /** The sort order; missing for the default sort order of the service. */
  sort?: string;
  [name: string]: JsonValue;
}

/** The result of a page. */
export interface PageWritten {
  /** Number of records that belong to the list itself. */
  records: number;
  /** Rows that were changed or added. */
  written: number;
  /** The rows of the page and of the related records in the response. */
  rows: readonly LiveRow[];
  progress: ListProgress;
}

interface Arrived {
  answer: Answer;
  /** Position of the response in the order of arrival, from 1. */
  place: number;
  total: number | null;
}

/**
 * Number of pages that are requested at the same time. The request budget limits the speed. This number only has to be
 * large enough to use the whole budget if responses take seconds.
 */
const AHEAD = 4;

const NOTHING = { number: 1, page: 0, ids: [], size: null, total: undefined };

export function emptyProgress(pass: string): ListProgress {
  return { pass, page: 0, total: null, size: 0, done: false, doubted: false, ids: [] };
}

/** Name of the checkpoint for the progress of a list. */
export function checkpointOf({ name }: ListSource): string {
  return `list ${name}`;
}

/**
 * Reads a list, beginning after the page in `start`, and commits each page together with the progress.
 *
 * `ListGuard` chooses the next page, and may start the list again. After an interruption, the page of the checkpoint is
 * read once more. Therefore the ties of this page are also read again after a crash.
 */
export async function* readList(
  context: Context,
  source: ListSource,
  start: ListProgress,
  signal: AbortSignal,
): AsyncGenerator<PageWritten, void, undefined> {
  const { doubted, page, ids = [], size, total, growth, moving } = start;
  // If an earlier version has begun a reading, the reading continues in the sort order of that version.
  const sort = page === 0 ? source.sort : start.sort;
  const order = sort === undefined ? {} : { sort };
  const list = { ...source, query: { ...source.query, ...order } };
  const known = doubted || ids.length === 0 ? NOTHING : { number: page, page, ids, size, total, growth, moving };
  // If `doubted` was true before an interruption, the guard gets no total.
  const guard = new ListGuard(
    { pageSize: PAGE_SIZE, ...known, ...(doubted && { total: null }) },
    list.path + queryString(order),
  );
  let reading = new AbortController();
  const ahead = new Map<number, Promise<Arrived>>();
  let arrivals = 0;
  /** The last response that was used. */
  let last: Pick<Arrived, 'place' | 'total'> = { place: 0, total: null };

  const request = (page: number): Promise<Arrived> => {
    const found = ahead.get(page);
    ahead.delete(page);
    if (found) return found;
    return context.reader.page(list, page, AbortSignal.any([signal, reading.signal])).then(answer => {
      arrivals += 1;
      return { answer, place: arrivals, total: totalOf(answer.document) };
    });
  };
  const prepare = () => {
    for (let page = guard.number; page <= Math.min(guard.last, guard.number + AHEAD - 1); page += 1) {
      if (ahead.has(page)) continue;
      const answer = request(page);
      // The response may never be used, because the reading may return to an earlier page or be aborted. Its error is
      // then ignored.
      answer.catch(() => {});
      ahead.set(page, answer);
    }
  };
  const forget = () => {
    reading.abort();
    reading = new AbortController();
    ahead.clear();
  };

  try {
    while (!guard.atEnd) {
      prepare();
      let arrived = await request(guard.number);
      // If the response is older than the response of the previous page, the two responses show different states of the
      // list. A record may then be on neither page.
      if (arrived.place < last.place && arrived.total !== last.total) {
        forget();
        arrived = await request(guard.number);
      }
      last = arrived;
      const { answer } = arrived;
      const ids = [answer.document.data].flat().filter(isIdentifier);
      const { readings } = guard;
      const fresh = guard.take(
        answer.document,
        ids.map(({ id }) => id),
        answer.asOf,
      );
      if (!fresh || guard.readings > readings) forget();
      if (!fresh) continue;
      const progress: ListProgress = {
        pass: start.pass,
        page: guard.page,
        total: guard.total,
        size: guard.size,
        done: guard.atEnd,
        doubted: guard.isDoubted,
        ids: guard.ids,
        ...(guard.growth && { growth: guard.growth }),
        ...(guard.moving && { moving: { ...guard.moving, readings } }),
        ...order,
      };
      const checkpoint = { name: checkpointOf(list), value: progress };
      const page = await writePage(context, list, answer, checkpoint);
      // A record counts only once, even if its list is read again.
      yield { records: readings === 0 ? ids.length : fresh.size, ...page, progress };
    }
    if (guard.missing > 0) {
      context.emit({ type: 'incomplete', list: list.name, missing: guard.missing, total: guard.total ?? 0 });
    }
  } finally {
    reading.abort();
  }
}

/** Writes the records of a page, and marks their missing related records as due to be read. */
export async function writePage(
  context: Context,
  list: ListSource,
  { document, asOf }: Answer,
  checkpoint?: SavedCheckpoint,
): Promise<{ rows: LiveRow[]; written: number }> {
  const { store } = context;
  const rows = rowsOf(document, asOf, context);
  const missing = await store.missing(referencesOf(rows, list.expects));
  const { written, ties } = await commit(context, { rows, checkpoint, due: dueReads(missing, asOf) });
  if (ties.length > 0) await commit(context, { rows: [], due: dueReads(ties, asOf, rows) });
  return { rows, written };
}
