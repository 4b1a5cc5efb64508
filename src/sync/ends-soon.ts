import { abortable, follow, Scope, unfollow } from '../internal/signal.ts';

/** A commit that is under way has this time to end after an abort, in ms. */
const PATIENCE_MS = 3000;

/**
 * Settles like the work, but soon after an abort at the latest, with the reason of the signal: a database that has fallen silent
 * would hold up the end of the process for a minute.
 */
export async function endsSoon<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = new Scope();
  const follower = { aborted: (reason: unknown) => void late.limit(PATIENCE_MS, () => reason) };
  follow(signal, follower);
  try {
    return await abortable(work, late.signal);
  } finally {
    unfollow(signal, follower);
    late.dispose();
  }
}
