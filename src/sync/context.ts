import type { Emit } from './emitter.ts';
import type { History } from './history.ts';
import type { ListSource } from './lists.ts';
import type { ServiceReader } from './service-reader.ts';
import type { SyncBatch, SyncStore, WriteResult } from './store.ts';
import type { SyncedType } from './tables/names.ts';

/** The objects that all parts of one sync share. */
export interface Context {
  readonly reader: ServiceReader;
  readonly store: SyncStore;
  /** The record types that are stored. */
  readonly types: ReadonlySet<SyncedType>;
  readonly lists: readonly ListSource[];
  /** True if the records of this account may replace the records of another account in the store. */
  readonly acceptOtherAccount: boolean;
  /** `undefined` if no history is stored. */
  readonly history: History | undefined;
  /** Reports the difference once if the other processes that use this store have a different history. */
  readonly checkHistory: () => Promise<void>;
  readonly emit: Emit;
}

/** Writes a batch, and reports the values that did not fit. */
export async function commit(
  { store, emit, history }: Pick<Context, 'store' | 'emit' | 'history'>,
  batch: SyncBatch,
): Promise<WriteResult> {
  const result = await store.write(history ? { ...batch, history: history.fields } : batch);
  for (const { type, ...misfit } of result.misfits) emit({ type: 'misfit', recordType: type, ...misfit });
  return result;
}
