import { ConfigurationError } from '../../errors.ts';
import { numberAtLeast, objectArgument, optionNames, refuseUnknownNames } from '../../internal/arguments.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../base/time.ts';

/** A duration, which is the sum of these parts. */
export interface Duration {
  /** Days of 24 hours. */
  days?: number | undefined;
  /** Hours. */
  hours?: number | undefined;
  /** Minutes. */
  minutes?: number | undefined;
  /** Seconds. */
  seconds?: number | undefined;
  /** Milliseconds. */
  ms?: number | undefined;
}

/** The service's clock. */
export interface Clock {
  /** The service's time, in ms since 1970. The clock stands still at the end of the year 9999. */
  now(): number;
  /**
   * The time in ms that the rate limit uses: the real time, plus the durations of `advance`. The speed does not change
   * it.
   */
  elapsed(): number;
  /** The service's time at the start. */
  readonly start: number;
  /** Speed of the service's clock, as a multiple of real time. */
  readonly speed: number;
  /** @throws {ConfigurationError} after the end of the year 9999. */
  advance(ms: number): void;
}

const DURATION_NAMES = optionNames<Duration>({ days: true, hours: true, minutes: true, seconds: true, ms: true });

/** @throws {ConfigurationError} for an unknown unit, and for a negative duration. */
export function toMs(duration: Duration): number {
  refuseUnknownNames('A duration', objectArgument('duration', duration, '{ days: 1 }'), DURATION_NAMES);
  const { days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 } = duration;
  return numberAtLeast(0, 'duration', days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND + ms);
}

/** The service's time format has a year of four digits. */
export const LAST_TIME = Date.UTC(10_000, 0) - 1;

/** @throws {ConfigurationError} for a time after the year 9999, which the service's time format cannot express. */
export function checkTime(name: string, time: number): void {
  if (time <= LAST_TIME) return;
  throw new ConfigurationError(`${name} is too large: the sandbox's clock ends at the end of the year 9999.`);
}

export interface ClockOptions {
  start: number;
  speed: number;
  monotonic: () => number;
  /** The state of a saved clock, from which the new clock continues. */
  saved?: ClockState | undefined;
}

/** The part of a clock that is saved. */
export interface ClockState {
  start: number;
  now: number;
  elapsed: number;
}

export function createClock({ speed, monotonic, saved, start }: ClockOptions): Clock {
  const origin = monotonic();
  const from = saved ?? { start, now: start, elapsed: 0 };
  let advanced = 0;
  const real = () => monotonic() - origin;
  const reached = () => from.now + real() * speed + advanced;
  return {
    start: from.start,
    speed,
    now: () => Math.min(reached(), LAST_TIME),
    elapsed: () => from.elapsed + real() + advanced,
    advance(ms) {
      checkTime('duration', reached() + ms);
      advanced += ms;
    },
  };
}
