import { ConfigurationError } from '../errors.ts';
import { describeValue, objectArgument, refuseUnknownNames } from '../internal/arguments.ts';

const DAY_MS = 86_400_000;

/** Days since 1970, counted on the calendar: a day of 23 or 25 hours is one day. */
export function dayNumber(date: string): number {
  return Date.parse(date) / DAY_MS;
}

export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The moment from which a helper counts. */
export function nowOf(
  what: string,
  options: { now?: Date | undefined },
  names: readonly string[],
  example = '{ now: new Date() }',
): Date {
  refuseUnknownNames(what, objectArgument('The argument for options', options, example), names);
  return validDate('now', options.now ?? new Date());
}

/** @throws {ConfigurationError} unless the value is a valid `Date`. */
export function validDate(name: string, value: Date): Date {
  if (typeof value?.getTime === 'function' && !Number.isNaN(value.getTime())) return value;
  throw new ConfigurationError(`${name} is ${describeValue(value)}; it must be a valid Date.`);
}
