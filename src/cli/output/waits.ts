import { RateLimitError, TrackingError } from '../../errors.ts';
import type { Hooks } from '../../hooks.ts';
import { printable } from '../../printable.ts';
import { plainly } from '../plainly.ts';
import { say } from './print.ts';

/** The shortest wait that is reported, in ms. */
const NOTICED_MS = 1000;

/**
 * Reports the reason why a command waits, and the first failed attempt. Calls that wait at the same time are reported only
 * once. Without a terminal, it reports only waits after a response 429.
 */
export function waitsOn({ isTTY }: { isTTY?: boolean }, now = Date.now): Hooks {
  let saidUntil = 0;
  let hasFailed = false;
  const wait = (ms: number, textOf: (seconds: number) => string) => {
    const until = now() + ms;
    if (ms < NOTICED_MS || until < saidUntil + NOTICED_MS) return;
    saidUntil = until;
    say(printable(textOf(Math.ceil(ms / 1000))));
  };
  return {
    onQueued({ estimatedWaitMs }) {
      if (isTTY) wait(estimatedWaitMs, seconds => `Waiting ${seconds} s: the rate limit is reached.`);
    },
    onRetry({ delayMs, error }) {
      if (error instanceof RateLimitError) {
        wait(delayMs, seconds => `The rate limit is reached: the next attempt is in ${seconds} s.`);
      } else if (isTTY) {
        const reason = error instanceof TrackingError ? plainly(error) : String(error);
        if (delayMs < NOTICED_MS && !hasFailed) say(printable(`Trying again: ${reason}`));
        hasFailed = true;
        wait(delayMs, seconds => `Waiting ${seconds} s: ${reason}`);
      }
    },
  };
}
