import { validDate } from '../domain/calendar.ts';
import { ConfigurationError } from '../errors.ts';
import {
  type Checks,
  checkedOptions,
  describeValue,
  objectArgument,
  optionalSignal,
  refuseUnknownNames,
  wholeNumber,
} from '../internal/arguments.ts';
import type { RequestOptions } from '../options.ts';

/**
 * The lists that `client.worklist` returns. Each list contains only containers that are tracked and were not picked up.
 */
export interface WorklistOptions extends Pick<RequestOptions, 'signal' | 'priority'> {
  /** Containers that can be picked up: `isReadyForPickup()`. */
  ready?: boolean | undefined;
  /**
   * Containers whose last free day is near and has not passed. If this day has passed, the containers are on the list
   * `demurrage`.
   */
  lastFreeDay?:
    | {
        /**
         * Upper bound for the number of days from today to the last free day, a whole number. 0 means today, as the
         * local day of the port or inland facility.
         */
        within: number;
      }
    | undefined;
  /** Containers beyond their last free day, with the number of days and the fees. */
  demurrage?: boolean | undefined;
  /** Containers with an active hold. */
  held?: boolean | undefined;
  /** Containers that arrive later than the first estimate, or have arrived later. */
  late?:
    | {
        /** Lower bound for the delay after the first estimate, in days of 24 hours, a whole number. */
        days: number;
      }
    | undefined;
  /**
   * Containers without news: no response of the carrier or the terminal, and no event.
   */
  silent?:
    | {
        /** Lower bound for the time without news, in days of 24 hours, a whole number. */
        days: number;
      }
    | undefined;
  /**
   * The time from which days are counted.
   * @default new Date(), at the beginning of each iteration
   */
  now?: Date | undefined;
}

const WORKLIST = {
  ready: flag,
  lastFreeDay: (list, value) => value && { within: days(list, 'within', 0, value) },
  demurrage: flag,
  held: flag,
  late: (list, value) => value && { days: days(list, 'days', 1, value) },
  silent: (list, value) => value && { days: days(list, 'days', 1, value) },
  now: (name, value) => (value === undefined ? value : validDate(name, value)),
  signal: (_, value) => optionalSignal(value),
  priority: (_, value) => value ?? 'bulk',
} satisfies Checks<WorklistOptions>;

const EXAMPLE = '{ ready: true, lastFreeDay: { within: 7 } }';

/** The checked options. A list that is not wanted is `undefined`. */
export type CheckedOptions = ReturnType<typeof checked>;
export type WantedLists = Omit<CheckedOptions, 'now' | 'signal' | 'priority'>;

/** @throws {ConfigurationError} for options that cannot work. */
export function checked(options: WorklistOptions) {
  const given = objectArgument('The argument of worklist()', options, EXAMPLE);
  const wanted = checkedOptions('worklist()', given, WORKLIST);
  const { now, signal, priority, ...lists } = wanted;
  if (Object.values(lists).some(Boolean)) return wanted;
  throw new ConfigurationError(`worklist() has no list to give; name one, such as ${EXAMPLE}.`);
}

function flag(name: string, value: boolean | undefined): true | undefined {
  if (value === undefined || typeof value === 'boolean') return value || undefined;
  throw new ConfigurationError(`${name} is ${describeValue(value)}; it must be true or false.`);
}

function days<Name extends string>(list: string, name: Name, least: number, value: { [N in Name]: number }): number {
  refuseUnknownNames(list, objectArgument(list, value, `{ ${name}: 7 }`), [name]);
  const count = wholeNumber(`${list}.${name}`, value[name], least);
  if (count <= MOST_DAYS) return count;
  throw new ConfigurationError(`${list}.${name} is ${count}; it must be at most ${MOST_DAYS}.`);
}

/** A day further away may be outside the range of `Date`. */
const MOST_DAYS = 36_525;
