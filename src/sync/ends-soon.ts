import { abortable, follow, Scope, unfollow } from '../internal/signal.ts';

/** Time in ms for which a running commit may continue after an abort. */
const PATIENCE_MS = 3000;

/**
 * Settles in the same way as the work. If the work does not end soon after an abort, rejects with the reason of the
 * signal. Otherwise a database that no longer responds would delay the end of the process for a minute.
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
