import { isIdentifier } from '../jsonapi/document.ts';
import type { Query } from '../jsonapi/query.ts';
import { Front, hasShrunk, type Mark } from '../pagination/front.ts';
import { nextAddress, totalOf } from '../pagination/guard.ts';
import { obeysSort, PROBE_SIZE } from '../pagination/obeys-sort.ts';
import { type Context, commit } from './context.ts';
import type { DueReads } from './due-reads.ts';
import { markGap } from './gap.ts';
import { isErrorOfOneList, isUnreadable } from './list-errors.ts';
import { checkpointOf, emptyProgress, type ListProgress, readList, writePage } from './list-reading.ts';
import { type ListSource, RECORD_PATHS } from './lists.ts';
import { dueReads, type LiveRow } from './rows.ts';
import type { ServiceReader } from './service-reader.ts';
import type { JsonValue, SyncRef } from './store.ts';
import type { SyncedType } from './tables/names.ts';

/** The first records of a list at its last reading. */
interface KnownFront {
  marks: readonly Mark[];
  /** Number of records in the whole list; `null` if the service does not count them. */
  total: number | null;
  [name: string]: JsonValue;
}

/** The value of the checkpoint of the refreshes. */
interface RefreshState {
  /** Time at which the last refresh began, on the clock of the service. */
  at: number;
  /** True if the last probe showed that the service sorts and filters its lists as requested. */
  isObeyed: boolean;
  probedAt: number;
  /** The first records of each list, by the name of the list. */
  fronts: Record<string, KnownFront>;
  [name: string]: JsonValue;
}

export const REFRESH = 'refresh';
/** Interval in ms of the probes. A probe checks if the service sorts and filters as requested. */
const PROBE_MS = 6 * 3_600_000;
/** Upper bound in ms for the time until a list shows a change. */
const LATE_MS = 120_000;

/** Time at which the last refresh began, on the clock of the service. */
export async function lastRefreshAt({ store }: Pick<Context, 'store'>): Promise<number | undefined> {
  return ((await store.checkpoint(REFRESH)) as RefreshState | undefined)?.at;
}

/**
 * Reads the changes since the last refresh: the first records of each list, up to the first unchanged record, and the
 * records that a filter selects as changed. Resolves to `false` if all lists have to be read: there was no earlier
 * refresh, the service does not sort, records were removed, or a reading of all lists needs the same number of requests
 * or fewer.
 */
export async function refresh(context: Context, due: DueReads, signal: AbortSignal): Promise<boolean> {
  const { store, reader, emit } = context;
  const [began, requestsBefore] = [reader.clock.local(), reader.requests];
  const fronts = frontsOf(context);
  const pages = await pagesOfPass(context);
  if (fronts === undefined || pages <= fronts.length + CHANGED.length) return false;
  const known = (await store.checkpoint(REFRESH)) as RefreshState | undefined;
  const state: RefreshState = { at: 0, isObeyed: false, probedAt: 0, ...known, fronts: { ...known?.fronts } };
  if (reader.clock.now() - state.probedAt >= PROBE_MS) {
    state.isObeyed = await isObeyed(reader, signal);
    state.probedAt = reader.clock.now();
    if (!state.isObeyed) await save(context, state);
  }
  if (!state.isObeyed) return false;
  const since = state.at;
  state.at = reader.clock.now();
  const counts = { records: 0, written: 0 };
  // Without the marks of an earlier refresh, the first unchanged record is not known. In this case, this refresh only
  // stores the marks.
  let isWhole = since > 0;
  let failure: unknown;
  /** Reads a list. If a list cannot be read, the work continues with the other lists. */
  const attempt = async ({ name }: ListSource, read: () => Promise<void>) => {
    try {
      await read();
    } catch (error) {
      if (!isUnreadable(error)) {
        if (!isErrorOfOneList(error, failure)) throw error;
        failure ??= error;
        return;
      }
      emit({ type: 'skipped', list: name, error });
      state.fronts[name] ??= { marks: [], total: null };
    }
  };
  for (const source of fronts) {
    const before = state.fronts[source.name];
    isWhole &&= before !== undefined;
    await attempt(source, async () => {
      const read = await readFront(context, source, before, signal);
      state.fronts[source.name] = read.front;
      counts.records += read.records;
      counts.written += read.written;
      if (read.hasShrunk) isWhole = false;
    });
  }
  const moved: SyncRef[] = [];
  for (const source of isWhole ? changedLists(context, since - LATE_MS) : []) {
    await attempt(source, async () => {
      for await (const page of readList(context, source, emptyProgress(REFRESH), signal)) {
        counts.records += page.records;
        counts.written += page.written;
        moved.push(...containersOf(page.rows));
      }
    });
    await commit(context, { rows: [], checkpoint: { name: checkpointOf(source), value: null } });
  }
  if (moved.length > pages) isWhole = false;
  else if (context.types.has('transport_event')) {
    await commit(context, { rows: [], due: dueReads(moved, reader.clock.now()) });
    await due.drain(signal);
  }
  // The order of the two commits matters: a crash between them then causes only one more pass.
  if (!isWhole) await markGap(context);
  await save(context, failure === undefined ? state : { ...state, at: since });
  if (failure !== undefined) throw failure;
  if (!isWhole) return false;
  const requests = reader.requests - requestsBefore;
  emit({ type: 'refreshed', ...counts, requests, durationMs: reader.clock.local() - began });
  return true;
}

async function isObeyed(reader: ServiceReader, signal: AbortSignal): Promise<boolean> {
  try {
    return await obeysSort(async query => {
      const page = { number: 1, size: PROBE_SIZE };
      const { document } = await reader.read(RECORD_PATHS.container, { ...query, page }, signal);
      return [document.data]
        .flat()
        .filter(isIdentifier)
        .map(({ id }) => id);
    });
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  }
}

async function save(context: Context, value: RefreshState): Promise<void> {
  await commit(context, { rows: [], checkpoint: { name: REFRESH, value } });
}

/** Number of requests that the last reading of the lists took. */
async function pagesOfPass({ store, lists }: Context): Promise<number> {
  let pages = 0;
  for (const list of lists) {
    const progress = (await store.checkpoint(checkpointOf(list))) as ListProgress | undefined;
    pages += Math.max(1, progress?.page ?? 0);
  }
  return pages;
}

/** Lists that have a filter for changed records. */
const CHANGED: readonly { type: SyncedType; name: string; filter: (since: string) => Query }[] = [
  // Only new estimates need this filter. The list of changed containers includes their shipments. Therefore it shows
  // all other changes of a shipment.
  { type: 'shipment', name: 'shipments with a new estimate', filter: since => ({ pod_eta_changed_at: `>=${since}` }) },
  {
    type: 'tracking_request',
    name: 'changed tracking requests',
    filter: since => ({ updated_at: { start: since } }),
  },
];

/** The containers of shipments. A new estimate of arrival is also an event of each container. */
function containersOf(rows: readonly LiveRow[]): SyncRef[] {
  const related = rows.flatMap(({ type, record }) => (type === 'shipment' ? [record.containers].flat() : []));
  return related.filter(isIdentifier).map(({ id }) => ({ type: 'container', id }));
}

function changedLists({ lists }: Context, since: number): ListSource[] {
  const at = new Date(since).toISOString();
  return lists.flatMap(list => {
    const changed = CHANGED.find(({ type }) => type === list.type);
    return changed ? [{ ...list, name: changed.name, query: { ...list.query, filter: changed.filter(at) } }] : [];
  });
}

/** The lists whose first records are read; `undefined` if the first records do not show all changes. */
function frontsOf({ lists, types }: Context): ListSource[] | undefined {
  const hasContainers = lists.some(({ type }) => type === 'container');
  if (!hasContainers) return undefined;
  return lists
    .filter(({ type }) => type !== 'tracking_request')
    .map(list => {
      if (list.type === 'container') return frontOfContainers(list, types);
      // In the other lists, the newest records come first by default. The default sort order of documents is not known.
      return list.type === 'document' ? { ...list, query: { ...list.query, sort: '-created_at' } } : list;
    });
}

function frontOfContainers(list: ListSource, types: ReadonlySet<SyncedType>): ListSource {
  const include = [list.query.include, types.has('shipment') && 'shipment'].filter(Boolean).join();
  return { ...list, query: { ...list.query, ...(include && { include }), sort: '-updated_at' } };
}

interface FrontRead {
  front: KnownFront;
  records: number;
  written: number;
  hasShrunk: boolean;
}

/** Reads and writes the records before the first unchanged record. */
async function readFront(
  context: Context,
  source: ListSource,
  before: KnownFront | undefined,
  signal: AbortSignal,
): Promise<FrontRead> {
  const front = new Front(before?.marks ?? []);
  let [records, added, written] = [0, 0, 0];
  for (let number = 1; ; number += 1) {
    const answer = await context.reader.page(source, number, signal);
    const { data, links = {}, ...document } = answer.document;
    const ids = [data].flat().filter(isIdentifier);
    added += (await context.store.missing(ids.map(({ id }) => ({ type: source.type, id })))).length;
    const page = await writePage(context, source, answer);
    written += page.written;
    records += ids.length;
    front.take(page.rows.filter(({ type }) => type === source.type).map(({ record }) => record));
    const total = totalOf(document);
    const isLast = ids.length === 0 || (total === null ? !nextAddress(links) : records >= total);
    if (isLast || front.isReached) {
      const known = { marks: front.marks, total };
      return { front: known, records, written, hasShrunk: hasShrunk(before?.total ?? null, added, total) };
    }
  }
}
