import type { DateTime } from './scalars.ts';

/** One value, or several: a record matches if it has any of them. */
export type AnyOf<T> = T | readonly T[];

/** The existence of a value. */
export interface Presence {
  /** `true` for records that have a value, `false` for records without a value. */
  exists: boolean;
}

/** A value that this version does not know: see `unknownValue()`. */
export interface UnknownValue {
  /** The value, as the service spells it. */
  readonly unknownValue: string;
}

/** Text: one value, or several. The value `{ exists: false }` selects records without a value. */
export type TextFilter<T extends string | UnknownValue = string> = AnyOf<T | Presence>;

/**
 * A calendar day: `YYYY-MM-DD`, `today`, or a number of days such as `3.days.ago` and `7.days.from_now`. The service compares
 * the date in UTC, without the time zone of the port.
 */
export type Day = 'today' | `${number}.days.ago` | `${number}.days.from_now` | (string & {});

/** A lower bound. */
export type LowerBound<T> =
  | {
      /** At least this. */
      gte: T;
      /** Not allowed together with `gte`. */
      gt?: undefined;
    }
  | {
      /** More than this. */
      gt: T;
      /** Not allowed together with `gt`. */
      gte?: undefined;
    };

/** An upper bound. */
export type UpperBound<T> =
  | {
      /** At most this. */
      lte: T;
      /** Not allowed together with `lte`. */
      lt?: undefined;
    }
  | {
      /** Less than this. */
      lt: T;
      /** Not allowed together with `lt`. */
      lte?: undefined;
    };

/** A lower bound that may be missing. */
export interface MaybeLower<T> {
  /** At least this. */
  gte?: T | undefined;
  /** More than this. Not allowed together with `gte`. */
  gt?: T | undefined;
}

/** An upper bound that may be missing. */
export interface MaybeUpper<T> {
  /** At most this. */
  lte?: T | undefined;
  /** Less than this. Not allowed together with `lte`. */
  lt?: T | undefined;
}

/** A lower bound, an upper bound, or both. `gte` and `lte` include their value, `gt` and `lt` do not. */
export type Range<T> = (LowerBound<T> & MaybeUpper<T>) | (UpperBound<T> & MaybeLower<T>);

/** One day, several days, a range of days, or the existence of a day. */
export type DayFilter = AnyOf<Day> | Range<Day> | Presence;

/** A range of days. The first and the last day are included. */
export interface DayWindow {
  /** The first day. */
  gte: Day;
  /** The last day. */
  lte: Day;
}

/** A moment: a `Date`, or ISO 8601 with `Z` or an offset. */
export type Moment = Date | DateTime;

/** One moment, a range, or the existence of a moment. */
export type InstantFilter = Moment | Range<Moment> | Presence;

/** A range of moments with a lower bound, and possibly an upper bound. */
export type SinceFilter = LowerBound<Moment> & MaybeUpper<Moment>;

/** A time span. */
export interface TimeSpan {
  /** After this time. */
  start?: Moment | undefined;
  /** Before this time. */
  end?: Moment | undefined;
}

/** Ids of parties: a record matches if it has any of them or, with `all`, if it has all of them. */
export type PartyFilter =
  | AnyOf<string>
  | {
      /** Ids of parties that must all be on the same record. */
      all: readonly string[];
    };

/** Ids of parties by their role, or the existence of a party. */
export type RoleFilter<Role extends string> = { readonly [R in Role]?: TextFilter | undefined };

/**
 * The value of a custom field, by its data type. Text: the value must contain at least one of the given texts. Number:
 * the exact value. Boolean: `true` or `false`. Date: a day, or one bound. For every type: the existence of a value.
 */
export type CustomFieldValueFilter = AnyOf<string> | number | boolean | Presence | LowerBound<Day> | UpperBound<Day>;

/**
 * A filter value that the service has, but this version of the package does not know. Filters accept unknown values
 * only in this form, because the service responds to a misspelt value with an empty list.
 *
 * @example
 * const page = await client.containers.list({ filter: { current_status: unknownValue('at_customs') } });
 */
export function unknownValue(value: string): UnknownValue {
  return { unknownValue: value };
}
