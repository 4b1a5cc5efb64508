import { sleep } from '../internal/signal.ts';
import { StoreError } from '../internal/store-error.ts';
import { asReader, LOCK_MS } from './as-reader.ts';
import { type Context, commit } from './context.ts';
import type { DueReads, DueTable } from './due-reads.ts';
import { type PassResult, runPass } from './pass.ts';
import type { SyncedType } from './tables/names.ts';

/**
 * Reads some tables as a whole: in this process, or in the process that already reads. The store remembers that the
 * tables are due, so an interruption does not lose them.
 *
 * @returns `undefined` if another process has read the tables.
 */
export async function resync(
  context: Context,
  due: DueReads,
  types: readonly SyncedType[],
  signal: AbortSignal,
): Promise<PassResult | undefined> {
  const since = context.reader.clock.now();
  const tables = types.map((id): DueTable => ({ type: 'table', id, since, token: crypto.randomUUID() }));
  await commit(context, { rows: [], due: tables });
  due.wake();
  const isRead = async () => {
    const left = new Set((await due.tables()).map(({ token }) => token));
    return !tables.some(({ token }) => left.has(token));
  };
  let isWaiting = false;
  for (;;) {
    try {
      const read = async (held: AbortSignal) => ((await isRead()) ? undefined : readTables(context, due, tables, held));
      return await asReader(context, signal, read, false);
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'store_busy')) throw error;
    }
    if (!isWaiting) context.emit({ type: 'reader', active: false });
    isWaiting = true;
    if (await isRead()) return undefined;
    await sleep(LOCK_MS, signal);
  }
}

/** Reads the tables that any process has made due. Call it in the process that reads. */
export async function readDueTables(context: Context, due: DueReads, signal: AbortSignal): Promise<void> {
  const tables = await due.tables();
  if (tables.length > 0) await readTables(context, due, tables, signal);
}

async function readTables(
  context: Context,
  due: DueReads,
  tables: readonly DueTable[],
  signal: AbortSignal,
): Promise<PassResult> {
  const result = await runPass(
    context,
    due,
    signal,
    neededFor(
      tables.map(({ id }) => id),
      context,
    ),
  );
  await commit(context, { rows: [], settled: tables });
  return result;
}

/** The types to read. Transport events are part of their containers, so the containers are read too. */
export function neededFor(types: readonly SyncedType[], context: Pick<Context, 'types'>): ReadonlySet<SyncedType> {
  const needsContainers = types.includes('transport_event') && context.types.has('container');
  return new Set(needsContainers ? [...types, 'container'] : types);
}
