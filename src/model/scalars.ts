/** Type and id of a record, for a request. */
export type Ref<T extends string> = T extends string
  ? {
      /** Name of the resource type. */
      type: T;
      /** Id of the record. */
      id: string;
    }
  : never;

/** A set of values that the service may extend. Editors complete the known values; any other string is accepted. */
export type Open<Known extends string> = Known | (string & {});

/**
 * A point in time as ISO 8601 text, such as `2026-03-09T03:04:40Z`. Offsets and fractions of a second may occur. The
 * time zone is in the documentation of the field: see `localTime()`.
 */
// The type is not simply `string`, so that editors show its name. The two types are assignable to each other.
export type DateTime = string & {};

/** A calendar day as text, `YYYY-MM-DD`. */
export type CalendarDate = string & {};

/** Each name has a flag and a note. The flag is true if the source provides the data. */
export type ProvidedData<Name extends string> = { [N in Name]?: boolean } & { [N in Name as `${N}_notes`]?: string };

/** The value before and the value after a change. */
export type Change<Value> = [before: Value, after: Value];
