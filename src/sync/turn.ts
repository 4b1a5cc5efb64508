import { sleep } from '../internal/signal.ts';
import { type Context, commit } from './context.ts';

const READER = 'reader';

/** The process that reads, or the last process that has read. */
interface Turn {
  id: string;
  /**
   * Time at which the process stopped reading, on the clock of its machine, in ms since 1970; `null` if it still reads,
   * or has crashed.
   */
  endedAt: number | null;
  [name: string]: string | number | null;
}

/**
 * Waits before this process begins to read. Two processes that read one after the other use the same rate limit, and
 * neither counts the requests of the other process. With a share of at most a half, the sum of the requests is within
 * the limit. With a greater share, the second process waits until the requests of the first process have left the
 * window.
 */
export async function beginTurn(context: Context, signal: AbortSignal): Promise<void> {
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

export function endTurn(context: Context): Promise<void> {
  return save(context, Date.now());
}

async function save(context: Context, endedAt: number | null): Promise<void> {
  const value: Turn = { id: context.reader.id, endedAt };
  await commit(context, { rows: [], checkpoint: { name: READER, value } });
}
