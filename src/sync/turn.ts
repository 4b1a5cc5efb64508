import { sleep } from '../internal/signal.ts';
import { type Context, commit } from './context.ts';

const READER = 'reader';

/** Who reads, or has read last. */
interface Turn {
  id: string;
  /** When it ended, by the clock of that machine, in ms since 1970; `null` if nobody said so. */
  endedAt: number | null;
  [name: string]: string | number | null;
}

/**
 * Two processes that read one after the other share the service's window, and know nothing of each other's requests. Up to a
 * share of a half the sum is within the limit. Above, the second one waits until the requests of the first have left the window.
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
