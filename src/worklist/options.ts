import { ConfigurationError } from '../errors.ts';
import {
  describeValue,
  objectArgument,
  optionalSignal,
  optionNames,
  refuseUnknownNames,
  wholeNumber,
} from '../internal/arguments.ts';
import type { RequestOptions } from '../options.ts';
import type { WorklistRows } from './rows.ts';

/** Which lists `client.worklist` gives, each of containers that are tracked and were not picked up. */
export interface WorklistOptions extends Pick<RequestOptions, 'signal' | 'priority'> {
  /** Containers that can be picked up: `isReadyForPickup()`. */
  ready?: boolean | undefined;
  /** Containers whose last free day has not passed, and is at most `within` days away. 0 is today, at the place. */
  lastFreeDay?: { within: number } | undefined;
  /** Containers beyond their last free day, with the days and the fees. */
  demurrage?: boolean | undefined;
  /** Containers with an active hold. */
  held?: boolean | undefined;
  /** Containers that arrive at least so many days (of 24 hours) after the first estimate, or have arrived so late. */
  late?: { days: number } | undefined;
  /**
   * Containers of which nothing was heard for so many days (of 24 hours): no response of the carrier or the terminal, and nothing
   * that has happened to them.
   */
  silent?: { days: number } | undefined;
  /**
   * The moment that days are counted from.
   * @default new Date(), at the beginning of each iteration
   */
  now?: Date | undefined;
}

/** The same, checked. A list that is not wanted is `undefined`. */
export interface CheckedOptions {
  ready: true | undefined;
  lastFreeDay: { within: number } | undefined;
  demurrage: true | undefined;
  held: true | undefined;
  late: { days: number } | undefined;
  silent: { days: number } | undefined;
  now: Date | undefined;
  signal: AbortSignal | undefined;
  priority: RequestOptions['priority'];
}

const LISTS = optionNames<WorklistRows>({
  ready: true,
  lastFreeDay: true,
  demurrage: true,
  held: true,
  late: true,
  silent: true,
});
const NAMES = [...LISTS, 'now', 'signal', 'priority'];
const EXAMPLE = '{ ready: true, lastFreeDay: { within: 7 } }';

/** @throws {ConfigurationError} for options that cannot work. */
export function checked(options: WorklistOptions): CheckedOptions {
  refuseUnknownNames('worklist()', objectArgument('The argument of worklist()', options, EXAMPLE), NAMES);
  const { ready, lastFreeDay, demurrage, held, late, silent, now, signal, priority } = options;
  const lists = {
    ready: flag('ready', ready),
    lastFreeDay: lastFreeDay && { within: days('lastFreeDay', 'within', 0, lastFreeDay) },
    demurrage: flag('demurrage', demurrage),
    held: flag('held', held),
    late: late && { days: days('late', 'days', 1, late) },
    silent: silent && { days: days('silent', 'days', 1, silent) },
  };
  if (!Object.values(lists).some(Boolean)) {
    throw new ConfigurationError(`worklist() has no list to give; name one, such as ${EXAMPLE}.`);
  }
  if (now !== undefined && !(now instanceof Date && !Number.isNaN(now.getTime()))) {
    throw new ConfigurationError(`now is ${describeValue(now)}; it must be a valid Date.`);
  }
  return { ...lists, now, signal: optionalSignal(signal), priority };
}

function flag(name: string, value: unknown): true | undefined {
  if (value === undefined || typeof value === 'boolean') return value || undefined;
  throw new ConfigurationError(`${name} is ${describeValue(value)}; it must be true or false.`);
}

function days<Name extends string>(list: string, name: Name, least: number, value: { [N in Name]: number }): number {
  refuseUnknownNames(list, objectArgument(list, value, `{ ${name}: 7 }`), [name]);
  const count = wholeNumber(`${list}.${name}`, value[name], least);
  if (count <= MOST_DAYS) return count;
  throw new ConfigurationError(`${list}.${name} is ${count}; it must be at most ${MOST_DAYS}, which is 100 years.`);
}

/** A day that is further away may have no date. */
const MOST_DAYS = 36_525;
