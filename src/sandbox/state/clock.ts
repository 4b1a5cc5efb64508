import { atLeast, knownNames, namesOf, objectArgument } from '../../arguments.ts';
import { ConfigurationError } from '../../errors.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../base/time.ts';

/** A span of time: the sum of its parts. */
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

export interface Clock {
  /** The service's time, in ms since 1970. */
  now(): number;
  /** Time that has passed for the rate limit, in ms: real time and what was advanced, whatever the speed. */
  elapsed(): number;
  /** @throws {ConfigurationError} beyond the last time that can be told. */
  advance(ms: number): void;
}

const DURATION_NAMES = namesOf<Duration>({ days: true, hours: true, minutes: true, seconds: true, ms: true });

/** @throws {ConfigurationError} for what is no duration: time does not go back. */
export function toMs(duration: Duration): number {
  knownNames('A duration', objectArgument('duration', duration, '{ days: 1 }'), DURATION_NAMES);
  const { days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 } = duration;
  return atLeast(0, 'duration', days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND + ms);
}

/** The service's format has four digits for the year. */
const LAST_TIME = Date.UTC(10_000, 0) - 1;

/** @throws {ConfigurationError} for a time that the service could not tell. */
export function checkTime(name: string, time: number): void {
  if (time <= LAST_TIME) return;
  throw new ConfigurationError(`${name} is too large: the sandbox's clock ends with the year 9999.`);
}

export function createClock(options: { start: number; speed: number; monotonic: () => number }): Clock {
  const origin = options.monotonic();
  let advanced = 0;
  const real = () => options.monotonic() - origin;
  return {
    now: () => options.start + real() * options.speed + advanced,
    elapsed: () => real() + advanced,
    advance(ms) {
      checkTime('duration', options.start + real() * options.speed + advanced + ms);
      advanced += ms;
    },
  };
}
