import { atLeast, knownNames, namesOf, objectArgument } from '../arguments.ts';

export interface Duration {
  days?: number | undefined;
  hours?: number | undefined;
  minutes?: number | undefined;
  seconds?: number | undefined;
  ms?: number | undefined;
}

export interface Clock {
  /** The service's time, in ms since 1970. */
  now(): number;
  /** Time that has passed for the rate limit, in ms: real time and what was advanced, whatever the speed. */
  elapsed(): number;
  advance(ms: number): void;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const DURATION_NAMES = namesOf<Duration>({ days: true, hours: true, minutes: true, seconds: true, ms: true });

/** @throws {ConfigurationError} for what is no duration: time does not go back. */
export function toMs(duration: Duration): number {
  knownNames('A duration', objectArgument('duration', duration, '{ days: 1 }'), DURATION_NAMES);
  const { days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 } = duration;
  return atLeast(0, 'duration', days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND + ms);
}

export function createClock(options: { start: number; speed: number; monotonic: () => number }): Clock {
  const origin = options.monotonic();
  let advanced = 0;
  const real = () => options.monotonic() - origin;
  return {
    now: () => options.start + real() * options.speed + advanced,
    elapsed: () => real() + advanced,
    advance(ms) {
      advanced += ms;
    },
  };
}
