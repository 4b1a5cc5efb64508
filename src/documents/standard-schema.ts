/**
 * A schema of any library that follows the Standard Schema specification, version 1: zod, valibot, arktype and others.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The properties that the specification defines. */
  readonly '~standard': {
    /** Version of the specification. */
    readonly version: 1;
    /** The library. */
    readonly vendor: string;
    /** Checks a value. */
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** For the compiler only. */
    readonly types?:
      | {
          /** What it takes. */
          readonly input: Input;
          /** What it gives. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** The result of checking a value. */
export type SchemaResult<Output> =
  | {
      /** The checked value. */
      readonly value: Output;
      /** Absent: the value fits. */
      readonly issues?: undefined;
    }
  | {
      /** Why the value does not fit. */
      readonly issues: readonly SchemaIssue[];
    };

/** Why a value does not fit its schema. */
export interface SchemaIssue {
  /** What is wrong, for people. */
  readonly message: string;
  /** The place in the value. */
  readonly path?:
    | readonly (
        | PropertyKey
        | {
            /** A name or an index. */
            readonly key: PropertyKey;
          }
      )[]
    | undefined;
}
