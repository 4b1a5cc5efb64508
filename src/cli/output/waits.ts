import { TrackingError } from '../../errors.ts';
import type { Hooks } from '../../hooks.ts';
import { printable } from '../../printable.ts';
import { plainly } from '../plainly.ts';
import { say } from './print.ts';

/** A shorter wait needs no reason, in ms. */
const NOTICED_MS = 1000;

/** Says on a terminal why nothing happens: once for calls that wait at the same time. */
export function waitsOn({ isTTY }: { isTTY?: boolean }, now = Date.now): Hooks {
  if (!isTTY) return {};
  let saidUntil = 0;
  const wait = (ms: number, reason: string) => {
    const until = now() + ms;
    if (ms < NOTICED_MS || until < saidUntil + NOTICED_MS) return;
    saidUntil = until;
    say(printable(`Waiting ${Math.ceil(ms / 1000)} s: ${reason}`));
  };
  return {
    onQueued: ({ estimatedWaitMs }) => wait(estimatedWaitMs, 'the rate limit is reached.'),
    onRetry: ({ delayMs, error }) => wait(delayMs, error instanceof TrackingError ? plainly(error) : String(error)),
  };
}
