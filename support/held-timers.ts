import { expect, onTestFinished } from 'vitest';

export interface HeldTimers {
  /** Resolves when a timer of this duration has been set. */
  waiting(ms: number): Promise<void>;
  /** Moves the time forward and fires the timers that are due, in order. */
  pass(ms: number): void;
  /** Moves the time forward until a promise has settled. On a busy machine, a timer may be set only after one step. */
  passUntil(settled: Promise<unknown>, ms: number): Promise<void>;
}

/**
 * Until the end of the test, timers of `least` ms or more fire only when the test moves the time. The test then does not depend
 * on the speed of the machine. Shorter timers are not changed.
 */
export function holdTimers(least = 5000): HeldTimers {
  const { setTimeout, clearTimeout } = globalThis;
  const held = new Map<unknown, { ms: number; at: number; run: () => void }>();
  let now = 0;

  function start(run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown {
    if (ms < least) return setTimeout(run, ms, ...args);
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true };
    held.set(timer, { ms, at: now + ms, run: () => run(...args) });
    return timer;
  }

  globalThis.setTimeout = start as typeof setTimeout;
  globalThis.clearTimeout = (timer => {
    if (!held.delete(timer)) clearTimeout(timer as NodeJS.Timeout);
  }) as typeof clearTimeout;
  onTestFinished(() => {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  });

  function pass(ms: number): void {
    now += ms;
    const due = [...held].filter(([, { at }]) => at <= now).sort(([, a], [, b]) => a.at - b.at);
    for (const [timer, { run }] of due) if (held.delete(timer)) run();
  }

  return {
    waiting: ms => expect.poll(() => [...held.values()].map(timer => timer.ms), { timeout: 15_000 }).toContain(ms),
    pass,
    async passUntil(settled, ms) {
      let isPending = true;
      const end = () => {
        isPending = false;
      };
      settled.then(end, end);
      // This upper bound is reached before the timeout of the test.
      for (let steps = 0; isPending && steps < 1000; steps += 1) {
        pass(ms);
        await new Promise(resolve => setTimeout(resolve, 5));
      }
    },
  };
}
