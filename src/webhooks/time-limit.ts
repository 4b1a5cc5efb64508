/** The longest delay of a timer, in ms. A timer with a longer delay would fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Resolves to the result of the work, or rejects if the work takes longer than `ms`. After this time, the signal is
 * aborted to request that the work stops. The work cannot be forced to stop. The error names what was late:
 * `progress.by`.
 */
export async function withTimeLimit<T>(
  ms: number,
  work: (signal: AbortSignal) => T | PromiseLike<T>,
  progress: { by?: string } = {},
): Promise<T> {
  const deadline = new AbortController();
  const { signal } = deadline;
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  const expire = () => deadline.abort(new Error(`Not done within ${ms} ms${progress.by ?? ''}.`));
  const timer = setTimeout(expire, Math.min(ms, MAX_TIMER_MS));
  try {
    return await Promise.race([work(signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
