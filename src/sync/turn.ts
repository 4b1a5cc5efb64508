import { sleep } from '../internal/signal.ts';
import { type Context, commit } from './context.ts';

const READER = 'reader';

/** The process that reads, or the last one that did. */
interface Turn {
  id: string;
  /**
   * Time at which it ended, by the clock of its machine, in ms since 1970; `null` if it has not ended, or has crashed.
   */
  endedAt: number | null;
  [name: string]: string | number | null;
}

/**
 * Two processes that read one after the other share the service's window, and do not know each other's requests. With a
 * share of at most a half, the sum is within the limit. With a greater share, the second process waits until the
 * requests of the first have left the window.
 */
export async function beginTurn(context: Context, signal: AbortSignal): Promise<void> {
  const { reader, store } = context;
  const { share, windowMs } = reader.pace;
  const last = (await store.checkpoint(READER)) as Turn | undefined;
  if (last && last.id !== reader.id && share > 0.5) {
    const rest = last.endedAt === null ? windowMs : last.endedAt + windowMs - Date.now();
    // The clocks of two machines may differ.
    await sleep(Math.min(windowMs, Math.max(0, rest)), signal);
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
