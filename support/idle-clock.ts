import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

export interface IdleClock {
  /** Settles like the promise. The time does not advance until then. */
  during<T>(work: PromiseLike<T>): Promise<T>;
  sleep(ms: number): Promise<void>;
  /** True if the time moves even during such work. A test sets this if only a timeout ends the work. */
  ignoresWork: boolean;
}

/**
 * Until the end of the test, the time moves only while the process has nothing to do: ms by ms, for timers, `performance` and
 * `Date`. Work outside the process is passed to `during`. The test then measures the decisions of the code, not the speed of
 * the machine, and never waits.
 */
export function startIdleClock(): IdleClock {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  });
  const [underway, hashes] = [new Set<PromiseLike<unknown>>(), new Set<PromiseLike<unknown>>()];
  let isRunning = true;
  const clock: IdleClock = {
    during(work) {
      return noted(underway, work);
    },
    sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
    ignoresWork: false,
  };
  // Digests run on another thread. They are the only such work that is not passed to `during`.
  const { digest } = crypto.subtle;
  const hashing = vi
    .spyOn(crypto.subtle, 'digest')
    .mockImplementation((...args) => noted(hashes, digest.apply(crypto.subtle, args)));

  async function run(): Promise<void> {
    while (isRunning) {
      // The input arrives in the first turn. The second turn starts the work that the input causes.
      await turn();
      await turn();
      const isIdle = hashes.size === 0 && (underway.size === 0 || clock.ignoresWork);
      if (isRunning && isIdle) vi.advanceTimersByTime(1);
    }
  }
  void run();
  onTestFinished(() => {
    isRunning = false;
    hashing.mockRestore();
    vi.useRealTimers();
  });
  return clock;
}

/** Keeps the promise in the set until it has settled. */
function noted<T>(set: Set<PromiseLike<unknown>>, work: PromiseLike<T>): Promise<T> {
  set.add(work);
  const end = () => set.delete(work);
  work.then(end, end);
  return Promise.resolve(work);
}
