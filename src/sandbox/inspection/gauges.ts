import type { Pipeline } from '../http/pipeline.ts';
import type { BucketFill } from '../http/rate-limit.ts';
import type { Clock } from '../state/clock.ts';

/** The service's clock. */
export interface SandboxClock {
  /** The time now. */
  now: Date;
  /** The time at the start, or at the last reset. */
  startedAt: Date;
  /** How many times faster than real time it runs; 0 if only `advance` moves it. */
  speed: number;
}

export function readClock(clock: Clock): SandboxClock {
  return { now: new Date(clock.now()), startedAt: new Date(clock.start), speed: clock.speed };
}

/** How full the windows of one key are. */
export interface KeyFill {
  /** The name of the account. */
  account: string;
  /** The key. It is a credential of the sandbox: do not show it where others see it. */
  apiKey: string;
  /** One for each limit. */
  buckets: BucketFill[];
}

export function rateLimitFill({ accounts, clock, rateLimit }: Pipeline): KeyFill[] {
  if (rateLimit === null) return [];
  return accounts.all.flatMap(({ account: { name, apiKeys } }) =>
    apiKeys.map(apiKey => ({ account: name, apiKey, buckets: rateLimit.fill(apiKey, clock.elapsed()) })),
  );
}
