import { isIdentifier, isRecord, type WireDocument } from '../jsonapi/document.ts';
import { type Context, commit } from './context.ts';
import { type ListSource, PAGE_SIZE } from './lists.ts';
import { dueReads, referencesOf, rowsOf } from './rows.ts';
import type { Answer } from './service-reader.ts';

/** How far a list has been read: the value of its checkpoint. */
export interface ListProgress {
  /** The pass that it belongs to. */
  pass: string;
  /** The last page that is committed; 0 at the beginning. */
  page: number;
  /** Records in the list when that page was read; `null` if the service does not say. */
  total: number | null;
  /** Records on a full page. */
  size: number;
  done: boolean;
  [name: string]: string | number | boolean | null;
}

/** What a page has brought. */
export interface PageWritten {
  /** Records of the list itself. */
  records: number;
  /** Rows that were changed or added. */
  written: number;
  progress: ListProgress;
}

/** Pages in flight. The budget is the limit: this only has to be enough for answers that take seconds. */
const AHEAD = 4;
/** How often the reading goes back from the same page although no total was lower than before. */
const RETURNS = 20;

/** Where the progress of a list is kept. */
export function checkpointOf({ name }: ListSource): string {
  return `list ${name}`;
}

/**
 * Reads a list from the page on that its progress names, and commits each page with its progress.
 *
 * Pages are numbered and the newest record comes first, so new records only move others to later pages, where they come again.
 * When records are removed, others move to pages that were read already. `total` then falls from one page to the next, by at
 * least as much as records can have moved, and the reading goes back by that. The page of the checkpoint is read once more
 * after an interruption: what a crash left undone for its ties is done then.
 */
export async function* readList(
  context: Context,
  list: ListSource,
  start: ListProgress,
  signal: AbortSignal,
): AsyncGenerator<PageWritten, void, undefined> {
  let { total, size } = start;
  let number = Math.max(1, start.page);
  let before = '';
  // A service whose totals contradict each other must not keep the reading at one place for ever.
  let [furthest, lowest, returns] = [number, Number.POSITIVE_INFINITY, 0];
  let reading = new AbortController();
  const ahead = new Map<number, Promise<Answer>>();

  const request = (page: number): Promise<Answer> => {
    const found = ahead.get(page);
    ahead.delete(page);
    return found ?? context.reader.page(list, page, AbortSignal.any([signal, reading.signal]));
  };
  const prepare = () => {
    const last = total === null ? number : Math.ceil(total / (size || PAGE_SIZE));
    for (let page = number; page <= Math.min(last, number + AHEAD - 1); page += 1) {
      if (ahead.has(page)) continue;
      const answer = request(page);
      // It may never be needed, if the reading goes back or is aborted.
      answer.catch(() => {});
      ahead.set(page, answer);
    }
  };

  try {
    for (;;) {
      prepare();
      const { document, asOf } = await request(number);
      const now = totalOf(document);
      const lost = total === null || now === null ? 0 : total - now;
      total = now ?? total;
      if (number > furthest) [furthest, returns] = [number, 0];
      if (lost > 0 && number > 1 && (Number(now) < lowest || returns < RETURNS)) {
        returns = Number(now) < lowest ? 0 : returns + 1;
        lowest = Math.min(lowest, Number(now));
        // The page that is read again may be the one that was written last, unchanged.
        before = '';
        number = Math.max(1, number - Math.ceil(lost / (size || PAGE_SIZE)));
        reading.abort();
        reading = new AbortController();
        ahead.clear();
        continue;
      }
      const ids = [document.data].flat().filter(isIdentifier);
      size = Math.max(size, ids.length);
      const key = ids.map(({ id }) => id).join();
      // An endpoint without pages gives the same page again. So does a list to which a whole page of records was added.
      const isRepeated = key === before && (total === null || number * size >= total);
      const isLast = ids.length === 0 || isRepeated || !hasNext(document, number * size, total);
      before = key;
      const progress = { ...start, page: number, total, size, done: isLast };
      const written = await writePage(context, list, { document, asOf }, progress);
      yield { records: ids.length, written, progress };
      if (isLast) return;
      number += 1;
    }
  } finally {
    reading.abort();
  }
}

async function writePage(
  context: Context,
  list: ListSource,
  { document, asOf }: Answer,
  progress: ListProgress,
): Promise<number> {
  const { store } = context;
  const rows = rowsOf(document, asOf, context);
  const missing = await store.missing(referencesOf(rows, list.expects));
  const checkpoint = { name: checkpointOf(list), value: progress };
  const { written, ties } = await commit(context, { rows, checkpoint, due: dueReads(missing, asOf) });
  if (ties.length > 0) await commit(context, { rows: [], due: dueReads(ties, asOf, rows) });
  return written;
}

/** The number of records in the list; `null` if the service does not say. */
export function totalOf({ meta }: WireDocument): number | null {
  const total = meta?.total;
  return typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : null;
}

function hasNext({ links }: WireDocument, read: number, total: number | null): boolean {
  if (!links) return total !== null && read < total;
  return isRecord(links.next) || typeof links.next === 'string';
}
