import { Scope, sleep } from '../internal/signal.ts';
import { StoreError } from '../internal/store-error.ts';
import type { Context } from './context.ts';
import { beginTurn, endTurn } from './turn.ts';

/** Interval in ms at which a process that does not read tries to become the reader. */
export const LOCK_MS = 2000;

/**
 * Runs a task when this process is the reader. Waits while another process reads, and then passes `true` to the task.
 *
 * @throws {StoreError} `store_busy` if another process reads and `waits` is false.
 */
export async function asReader<T>(
  context: Context,
  signal: AbortSignal,
  task: (signal: AbortSignal, hasWaited: boolean) => Promise<T>,
  waits = true,
): Promise<T> {
  const { store, emit } = context;
  let isWaiting = false;
  for (;;) {
    signal.throwIfAborted();
    const lock = await store.lock('reader');
    if (!lock) {
      if (!waits) {
        throw new StoreError(`Another process reads into the store (${store.description}).`, { code: 'store_busy' });
      }
      if (!isWaiting) emit({ type: 'reader', active: false });
      isWaiting = true;
      await sleep(LOCK_MS, signal);
      continue;
    }
    const scope = new Scope().follow(signal).follow(lock.signal);
    try {
      await beginTurn(context, scope.signal);
      emit({ type: 'reader', active: true });
      await context.checkHistory();
      return await task(scope.signal, isWaiting);
    } catch (error) {
      // The next owner of the lock resumes the work from its checkpoints.
      if (signal.aborted || !lock.signal.aborted) throw error;
      isWaiting = false;
    } finally {
      scope.dispose();
      if (!lock.signal.aborted) await endTurn(context).catch(() => {});
      await lock.release().catch(() => {});
    }
  }
}
