/** Type and id of a record, as a request names it. */
export type Ref<T extends string> = T extends string
  ? {
      /** Name of its resource type. */
      type: T;
      /** Id of the record. */
      id: string;
    }
  : never;

/** A set of values that the service may extend: the known ones are completed, any other string is accepted. */
export type Open<Known extends string> = Known | (string & {});

/**
 * A point in time as ISO 8601 text, such as `2026-03-09T03:04:40Z`. Offsets and fractions of a second may occur. The
 * documentation of the field names its time zone: see `localTime()`.
 */
// Not simply `string`, so that editors show the name. It is assignable both ways.
export type DateTime = string & {};

/** A calendar day as text, `YYYY-MM-DD`. */
export type CalendarDate = string & {};

/** For each name a flag, true if the source provides it, and a note about it. */
export type ProvidedData<Name extends string> = { [N in Name]?: boolean } & { [N in Name as `${N}_notes`]?: string };

/** The value before and the value after a change. */
export type Change<Value> = [before: Value, after: Value];
