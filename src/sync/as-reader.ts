import { Scope, sleep } from '../internal/signal.ts';
import { StoreError } from '../internal/store-error.ts';
import { type Context, commit } from './context.ts';

/** Interval in ms at which a process that does not read tries to become the reader. */
export const LOCK_MS = 2000;

/**
 * Runs a task when this process is the reader. Waits while another process reads; then passes `true` to the task.
 *
 * @throws {StoreError} `store_busy` if `waits` is false while another process reads.
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

const READER = 'reader';

/** The process that reads, or the last process that has read. */
interface Turn {
  id: string;
  /**
   * Time at which the process stopped reading, in ms since 1970, on the clock of its machine; `null` if it still reads,
   * or if it has crashed.
   */
  endedAt: number | null;
  [name: string]: string | number | null;
}

/**
 * Waits before this process begins to read. If two processes read one after the other, they use the same rate limit.
 * Neither process counts the requests of the other process. With a share of at most a half, the sum of the requests is
 * within the limit. With a greater share, the second process waits until the requests of the first process have left
 * the window.
 */
async function beginTurn(context: Context, signal: AbortSignal): Promise<void> {
  const { reader, store } = context;
  const { share, windowMs } = reader.pace;
  const last = (await store.checkpoint(READER)) as Turn | undefined;
  if (last && last.id !== reader.id && share > 0.5) {
    const rest = last.endedAt === null ? windowMs : last.endedAt + windowMs - Date.now();
    // The clocks of two machines may differ, so the wait is at most one window.
    const waitMs = Math.min(windowMs, Math.max(0, rest));
    reader.onQueued?.(waitMs);
    await sleep(waitMs, signal);
  }
  await save(context, null);
}

function endTurn(context: Context): Promise<void> {
  return save(context, Date.now());
}

async function save(context: Context, endedAt: number | null): Promise<void> {
  const value: Turn = { id: context.reader.id, endedAt };
  await commit(context, { rows: [], checkpoint: { name: READER, value } });
}
