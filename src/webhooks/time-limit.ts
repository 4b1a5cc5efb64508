/** A timer that is set to more fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** What the work gives, or an error once it takes longer. Nothing can end the work: the signal asks it to. */
export async function within<T>(ms: number, work: (signal: AbortSignal) => T | PromiseLike<T>): Promise<T> {
  const deadline = new AbortController();
  const { signal } = deadline;
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  const expire = () => deadline.abort(new Error(`Not done within ${ms} ms.`));
  const timer = setTimeout(expire, Math.min(ms, MAX_TIMER_MS));
  try {
    return await Promise.race([work(signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
