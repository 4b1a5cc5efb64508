import { ConfigurationError } from '../errors.ts';
import type { Context } from './context.ts';
import { DueReads } from './due-reads.ts';
import type { PassPhase, SyncEvent } from './events.ts';
import { runPass, timeOf } from './pass.ts';
import { neededFor } from './resync.ts';
import { keyOf } from './rows.ts';
import type { DueRead, JsonValue, SyncBatch, SyncRef, SyncRow, SyncStore, WriteResult } from './store.ts';
import { SYNCED_TYPES, type SyncedType, TABLE_NAMES } from './tables/names.ts';

/** The changes that a pass would make in one table. */
export interface TablePlan {
  /** Type of the table's records. */
  type: SyncedType;
  /** Name of the table, without the schema. */
  table: string;
  /** Number of rows that would be added or changed. */
  written: number;
  /** Number of rows that would be marked as deleted. */
  deleted: number;
}

/** The work of a pass, as {@link Sync.dryRun} finds it. */
export interface DryRun {
  /** The pass that would run: `backfill` for an empty store, `reconcile` for a filled store, `resync` for some tables. */
  phase: PassPhase;
  /** Number of requests of the pass. The dry run has sent the same number of requests. */
  requests: number;
  /** Estimated time in ms for these requests within the share of the budget, if the service responds quickly. */
  estimatedMs: number;
  /** Number of records in the lists. */
  records: number;
  /** The changes of each table that the pass reads. */
  tables: TablePlan[];
}

const REPORTED: ReadonlySet<SyncEvent['type']> = new Set(['started', 'progress', 'incomplete', 'skipped', 'waiting']);
const WHOLE_QUEUE = 100_000;

/**
 * Runs a pass with a store that writes nothing.
 *
 * @throws {ConfigurationError} if the store cannot compare records.
 */
export async function dryRun(
  context: Context,
  types: readonly SyncedType[] | undefined,
  signal: AbortSignal,
): Promise<DryRun> {
  const store = await DryStore.over(context.store);
  let phase: PassPhase = 'backfill';
  const emit = (event: SyncEvent) => {
    if (event.type === 'started') phase = event.phase;
    if (REPORTED.has(event.type)) context.emit(event);
  };
  const dry: Context = { ...context, store, history: undefined, emit };
  const tables = types && neededFor(types, context);
  const { records, requests } = await runPass(dry, new DueReads(dry), signal, tables);
  const shown = SYNCED_TYPES.filter(type => context.types.has(type));
  return {
    ...{ phase, records, requests, estimatedMs: timeOf(context.reader.pace, requests) },
    tables: shown.map(type => ({ type, table: TABLE_NAMES[type], ...store.planFor(type) })),
  };
}

/** Reads from a store, and remembers what a pass would write. */
class DryStore implements SyncStore {
  readonly description: string;
  readonly #store: SyncStore;
  /** False if the store has no tables yet. */
  readonly #hasTables: boolean;
  /** The records that the pass has written, by their keys: true if the service has the record. */
  readonly #seen = new Map<string, boolean>();
  readonly #plans = new Map<SyncedType, Pick<TablePlan, 'written' | 'deleted'>>();
  readonly #checkpoints = new Map<string, JsonValue>();
  readonly #due = new Map<string, DueRead>();

  private constructor(store: SyncStore, hasTables: boolean) {
    this.#store = store;
    this.#hasTables = hasTables;
    this.description = store.description;
  }

  static async over(store: SyncStore): Promise<DryStore> {
    if (!store.differing) {
      throw new ConfigurationError(`The store (${store.description}) cannot compare records; dryRun() needs that.`);
    }
    const { version } = await store.status();
    const dry = new DryStore(store, version > 0);
    const due = version > 0 ? await store.due({ limit: WHOLE_QUEUE }) : [];
    for (const read of due) dry.#due.set(keyOf(read), read);
    return dry;
  }

  planFor(type: SyncedType): Pick<TablePlan, 'written' | 'deleted'> {
    return this.#plans.get(type) ?? { written: 0, deleted: 0 };
  }

  async write({ rows, settled = [], due = [], checkpoint }: SyncBatch): Promise<WriteResult> {
    // A place is on many pages, but its row would be written only once.
    const fresh = [...new Map(rows.map(row => [keyOf(row), row])).values()].filter(row => !this.#seen.has(keyOf(row)));
    const differing = new Set((await this.differing(fresh)).map(keyOf));
    for (const { type, id, record } of fresh) {
      const key = keyOf({ type, id });
      this.#seen.set(key, record !== null);
      if (!differing.has(key)) continue;
      const plan = this.planFor(type);
      plan[record === null ? 'deleted' : 'written'] += 1;
      this.#plans.set(type, plan);
    }
    for (const read of settled) if (this.#due.get(keyOf(read))?.token === read.token) this.#due.delete(keyOf(read));
    for (const read of due) this.#due.set(keyOf(read), read);
    if (checkpoint) this.#checkpoints.set(checkpoint.name, checkpoint.value);
    return { written: differing.size, unchanged: rows.length - differing.size, stale: 0, ties: [], misfits: [] };
  }

  async differing(rows: readonly SyncRow[]): Promise<SyncRef[]> {
    return this.#hasTables ? ((await this.#store.differing?.(rows)) ?? []) : [...rows];
  }

  /** The positions of an interrupted pass are not used: the dry run counts a whole pass. */
  async checkpoint(name: string): Promise<JsonValue | undefined> {
    const isStored = this.#hasTables && name === 'filled';
    return this.#checkpoints.get(name) ?? (isStored ? this.#store.checkpoint(name) : undefined);
  }

  async missing(refs: readonly SyncRef[]): Promise<SyncRef[]> {
    const unseen = refs.filter(ref => !this.#seen.get(keyOf(ref)));
    return this.#hasTables ? this.#store.missing(unseen) : unseen;
  }

  async unseen(
    type: SyncedType,
    { before, after, limit }: { before: number; after?: string | undefined; limit: number },
  ): Promise<string[]> {
    if (!this.#hasTables) return [];
    for (let last = after; ; ) {
      const ids = await this.#store.unseen(type, { before, after: last, limit });
      const found = ids.filter(id => !this.#seen.has(keyOf({ type, id })));
      if (found.length > 0 || ids.length < limit) return found;
      last = ids.at(-1);
    }
  }

  async due({ limit }: { limit: number }): Promise<DueRead[]> {
    return [...this.#due.values()].slice(0, limit);
  }

  migrate = (): Promise<never> => this.#refuse();
  lock = (): Promise<never> => this.#refuse();
  status = () => this.#store.status();
  close = async () => {};

  async #refuse(): Promise<never> {
    throw new Error('A dry run writes nothing.');
  }
}
