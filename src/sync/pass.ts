import { totalOf } from '../pagination/guard.ts';
import { requireSameAccount } from './account.ts';
import { type Context, commit } from './context.ts';
import type { DueReads } from './due-reads.ts';
import type { PassPhase } from './events.ts';
import { trimHistory } from './history.ts';
import { isErrorOfOneList, isUnreadable, timeOfService } from './list-errors.ts';
import { checkpointOf, emptyProgress, type ListProgress, readList } from './list-reading.ts';
import { type ListSource, listsFor } from './lists.ts';
import { dueReads } from './rows.ts';
import type { DueRead, JsonValue, SyncRow } from './store.ts';
import type { SyncedType } from './tables/names.ts';

/** The value of the checkpoint of a pass. */
export interface PassState {
  id: string;
  kind: PassPhase;
  /** The record types that the pass reads. */
  types: SyncedType[];
  /**
   * Time at which the pass began, on the clock of the service. The content that the pass reads is from this time or
   * later.
   */
  startedAt: number;
  /** Time at which the last complete pass began; `null` if there was none. */
  lastAt: number | null;
  /**
   * Number of records in each list when the pass began, by the name of the list; `null` if the service does not count
   * them. Missing in passes of version 0.1.0.
   */
  totals?: Readonly<Record<string, number | null>>;
  /** Lists that this account cannot read. The records of these lists do not count as missing. */
  skipped: string[];
  done: boolean;
  [name: string]: JsonValue;
}

/** The result of a pass. */
export interface PassResult {
  /**
   * True if this pass continued an interrupted pass. The pages that were read before the interruption are not read
   * again.
   */
  resumed: boolean;
  /**
   * Number of records that this process has read from lists. Records whose rows were already up to date are included.
   */
  records: number;
  /**
   * Number of rows that were added or changed. The rows of included records are counted too. Therefore it may be higher
   * than `records`. It is 0 if nothing has changed since the last pass.
   */
  written: number;
  /** Number of records that the service no longer has. Their rows stay, with `deleted_at`. */
  deleted: number;
  /** Requests made by this process. */
  requests: number;
  /** Duration in ms. */
  durationMs: number;
}

/** Name of the checkpoint that has the types whose lists were read once. */
export const FILLED = 'filled';
export const PASS = 'pass';
const UNSEEN = 500;

/** True if a pass has filled the store with all types in `types`. */
export async function isFilled({ store, types }: Pick<Context, 'store' | 'types'>): Promise<boolean> {
  return covers(await store.checkpoint(FILLED), types);
}

/** True if a pass was ever begun. The lists of the first pass contain all changes that happened before this pass. */
export async function hasBegun({ store }: Pick<Context, 'store'>): Promise<boolean> {
  return (await store.checkpoint(PASS)) !== undefined;
}

/**
 * Time at which the last complete pass began, on the clock of the service; `undefined` if a pass is in progress, or if
 * no pass is complete.
 */
export async function lastPassAt({ store, types }: Pick<Context, 'store' | 'types'>): Promise<number | undefined> {
  const known = (await store.checkpoint(PASS)) as PassState | undefined;
  return known?.done && covers(known.types, types) ? known.startedAt : undefined;
}

/** True if the stored list of types contains all of these types. An earlier process may have had other types. */
function covers(known: JsonValue | undefined, types: ReadonlySet<SyncedType>): boolean {
  return Array.isArray(known) && [...types].every(type => known.includes(type));
}

/**
 * Reads all lists, and then each stored record that was not in any list during the pass: the service may no longer have
 * it, or the list may have left it out. Continues an interrupted pass. On an empty store, the pass is the back-fill.
 *
 * @param tables If set, only the lists with records of these types are read, and an interrupted pass is not continued.
 *   The lists are read as in every pass, so their related records are written too.
 */
export async function runPass(
  whole: Context,
  due: DueReads,
  signal: AbortSignal,
  tables?: ReadonlySet<SyncedType>,
): Promise<PassResult> {
  const { emit, reader } = whole;
  const [began, requestsBefore] = [reader.clock.local(), reader.requests];
  const counts = { records: 0, written: 0, deleted: 0 };
  await requireSameAccount(whole, signal);
  const dueTables = tables ? [] : await due.tables();
  const context = tables ? { ...whole, lists: listsWith(tables, whole) } : whole;
  const { state, progress, resumed } = await open(context, signal, tables);
  // A deletion needs the time of the service. If no list is left to read, the first response may be a 404, which causes
  // a deletion. Therefore the time is read first.
  if (resumed && !reader.clock.isKnown) await timeOfService(context, signal);
  const phase = state.kind;
  let read = sum(progress, ({ page, size }) => page * size);
  let total = Math.max(
    read,
    sum(progress, list => list.total ?? 0),
  );
  const requestsLeft = () => context.lists.reduce((left, list) => left + pagesLeft(list, progress.get(list.name)), 0);
  const requests = requestsLeft();
  const timeFor = (more: number) => timeOf(reader.pace, reader.used + more);
  emit({ type: 'started', phase, resumed, records: total, requests, estimatedMs: timeFor(requests) });

  let failure: unknown;
  for (const list of context.lists) {
    const start = progress.get(list.name) ?? emptyProgress(state.id);
    if (start.done) continue;
    try {
      for await (const page of readList(context, list, start, signal)) {
        progress.set(list.name, page.progress);
        counts.records += page.records;
        counts.written += page.written;
        read += page.records;
        total = Math.max(total, read);
        const left = requestsLeft();
        const remainingMs = left > 0 ? timeFor(left) : 0;
        emit({ type: 'progress', phase, list: list.name, records: read, total, written: page.written, remainingMs });
      }
    } catch (error) {
      if (!isUnreadable(error)) {
        if (!isErrorOfOneList(error, failure)) throw error;
        // The other lists are still read. The list that failed continues from its checkpoint when the pass is resumed.
        failure ??= error;
        continue;
      }
      emit({ type: 'skipped', list: list.name, error });
      state.skipped = [...state.skipped, list.name];
      // This is committed before the next list is read, because a resumed pass must not treat the records of this list
      // as removed.
      await save(context, state);
      const value = { ...start, done: true };
      await commit(context, { rows: [], checkpoint: { name: checkpointOf(list), value } });
    }
  }

  if (failure !== undefined) {
    await due.drain(signal);
    throw failure;
  }
  const hidden = hiddenTypes(context, state);
  if (!tables) {
    const types = new Set<DueRead['type']>(state.types.filter(type => !hidden.has(type)));
    if (hidden.size === 0) types.add('webhook_notification');
    due.listed({ since: state.startedAt, types });
  }
  counts.deleted += await due.finish(signal);
  counts.deleted += await confirmUnseen(context, due, state, hidden, signal);
  if (!tables) {
    // The order of the two commits matters: a crash between them then causes one more pass, and an incomplete pass
    // never counts as complete.
    await save(context, { ...state, done: true, finishedAt: reader.clock.now() });
    await commit(context, {
      rows: [],
      settled: resumed ? [] : dueTables,
      checkpoint: { name: FILLED, value: state.types },
    });
  }
  await trimHistory(context, reader.clock.now(), signal);
  const result = {
    ...counts,
    resumed,
    requests: reader.requests - requestsBefore,
    durationMs: reader.clock.local() - began,
  };
  emit({ type: 'finished', phase, ...result });
  return result;
}

function listsWith(tables: ReadonlySet<SyncedType>, { lists }: Context): ListSource[] {
  const names = new Set(listsFor(tables).map(({ name }) => name));
  return lists.filter(({ name }) => names.has(name));
}

/** Saves the state of a pass over all lists. A pass over some lists begins again after an interruption. */
async function save(context: Context, state: PassState): Promise<void> {
  if (state.kind !== 'resync') await commit(context, { rows: [], checkpoint: { name: PASS, value: state } });
}

/** Returns the interrupted pass, or a new pass. */
async function open(
  context: Context,
  signal: AbortSignal,
  tables: ReadonlySet<SyncedType> | undefined,
): Promise<{ state: PassState; progress: Map<string, ListProgress>; resumed: boolean }> {
  const { store, lists, reader } = context;
  const known = tables ? undefined : ((await store.checkpoint(PASS)) as PassState | undefined);
  const progress = new Map<string, ListProgress>();
  const types = [...(tables ?? context.types)].sort();
  if (known && !known.done && known.types?.join() === types.join()) {
    for (const list of lists) {
      const found = (await store.checkpoint(checkpointOf(list))) as ListProgress | undefined;
      const unread = { ...emptyProgress(known.id), total: known.totals?.[list.name] ?? null };
      progress.set(list.name, found?.pass === known.id ? found : unread);
    }
    return { state: { ...known }, progress, resumed: true };
  }
  const id = crypto.randomUUID();
  let startedAt: number | undefined;
  let failure: unknown;
  for (const list of lists) {
    progress.set(list.name, emptyProgress(id));
    // The response for the first list also has the time of the service. Later dates depend on this time.
    if (!list.isCounted && startedAt !== undefined) continue;
    try {
      const { document, asOf } = await reader.page(list, 1, signal, 1);
      startedAt ??= asOf;
      progress.set(list.name, { ...emptyProgress(id), total: totalOf(document) });
    } catch (error) {
      if (isUnreadable(error)) continue;
      if (!isErrorOfOneList(error, failure)) throw error;
      failure ??= error;
    }
  }
  if (startedAt === undefined && failure !== undefined) throw failure;
  startedAt ??= reader.clock.now();
  const kind = tables ? 'resync' : (await isFilled(context)) ? 'reconcile' : 'backfill';
  const totals = Object.fromEntries([...progress].map(([name, { total }]) => [name, total]));
  const lastAt = known?.done ? known.startedAt : (known?.lastAt ?? null);
  const state: PassState = { id, kind, types, startedAt, lastAt, totals, skipped: [], done: false };
  await save(context, state);
  return { state, progress, resumed: false };
}

/**
 * Reads the records that were not in the lists. A record counts as deleted only if the service responds that it does
 * not exist.
 */
async function confirmUnseen(
  context: Context,
  due: DueReads,
  state: PassState,
  hidden: ReadonlySet<SyncedType>,
  signal: AbortSignal,
): Promise<number> {
  const { startedAt } = state;
  const types = new Set(state.types);
  let deleted = 0;
  for (const type of types) {
    if (type === 'transport_event' || hidden.has(type)) continue;
    for await (const ids of unseen(context, type, startedAt)) {
      const refs = ids.map(id => ({ type, id }));
      await commit(context, { rows: [], due: dueReads(refs, startedAt) });
      deleted += await due.drain(signal);
    }
  }
  deleted += await due.finish(signal);
  // Without the containers, their events cannot be checked.
  if (!types.has('transport_event') || hidden.has('container')) return deleted;
  if (await due.hasUnread('container', startedAt)) return deleted;
  // Every existing container was read during the pass, with all of its events. Therefore an event that was not read no
  // longer exists.
  for await (const ids of unseen(context, 'transport_event', startedAt)) {
    signal.throwIfAborted();
    const rows = ids.map((id): SyncRow => ({ type: 'transport_event', id, asOf: startedAt, record: null }));
    deleted += (await commit(context, { rows })).written;
  }
  return deleted;
}

/** The types whose lists this account cannot read. */
function hiddenTypes({ lists }: Context, { skipped }: PassState): Set<SyncedType> {
  return new Set(lists.filter(({ name }) => skipped.includes(name)).map(({ type }) => type));
}

async function* unseen({ store }: Context, type: SyncedType, before: number): AsyncGenerator<string[]> {
  let after: string | undefined;
  for (;;) {
    const ids = await store.unseen(type, { before, after, limit: UNSEEN });
    if (ids.length === 0) return;
    yield ids;
    after = ids.at(-1);
  }
}

function pagesLeft({ usualPage }: ListSource, progress: ListProgress | undefined): number {
  if (!progress || progress.done) return 0;
  const { total, size, page } = progress;
  return Math.max(1, Math.ceil((total ?? 0) / (size || usualPage)) - page);
}

/**
 * Estimated time for the requests, in ms. They are sent as fast as possible until the window is full. After that, each
 * request is sent when a slot becomes free.
 */
export function timeOf({ limit, windowMs }: { limit: number; windowMs: number }, requests: number): number {
  return Math.floor(Math.max(0, requests - 1) / limit) * windowMs;
}

function sum(progress: ReadonlyMap<string, ListProgress>, value: (list: ListProgress) => number): number {
  return [...progress.values()].reduce((total, list) => total + value(list), 0);
}
