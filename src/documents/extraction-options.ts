import { ConfigurationError } from '../errors.ts';
import { type Checks, describeValue, optionalFunction } from '../internal/arguments.ts';
import { isRecord } from '../jsonapi/document.ts';
import type { DateTime, Document, DocumentRepresentation } from '../model/index.ts';
import { checkedWaitOptions, WAIT, type WaitOptions } from '../tracking/wait-options.ts';

/** A document whose data was extracted, with a payload of a known type. */
export interface ExtractedDocument<Payload = Record<string, unknown>>
  extends Omit<Document<['last_document_representation']>, 'last_document_representation'> {
  /** The data that the service has extracted. */
  last_document_representation: Omit<DocumentRepresentation, 'payload'> & {
    /** The extracted keys and values. With the option `schema`, they have the output type of the schema. */
    payload: Payload;
  };
}

/** The state of a document during a wait. */
export interface ExtractionProgress {
  /** The document in its latest state. */
  document: Document<['last_document_representation']>;
  /** Time since the wait began, in ms. */
  elapsedMs: number;
}

/** Options for waiting for a document. */
export interface DocumentWaitOptions<Payload = Record<string, unknown>> extends Omit<WaitOptions, 'onProgress'> {
  /**
   * Called with the first state and with each change: the document was classified or linked, or its data was extracted. If it
   * returns a promise, the promise is awaited, within `waitTimeout`. If it throws or its promise rejects, the call rejects with
   * that error.
   */
  onProgress?: ((progress: ExtractionProgress) => void) | undefined;
  /**
   * A schema for the payload, from any library that follows Standard Schema, such as zod. The payload then has the output type
   * of the schema. `documentSchemas.get` returns the service's own JSON Schema.
   * @default the payload is not checked
   */
  schema?: StandardSchema<unknown, Payload> | undefined;
  /**
   * Only an outcome after this time counts. To wait again after `reextract`, pass the time of the previous outcome: the
   * `created_at` of the extraction, or the `failedAt` of the `ExtractionFailedError`.
   * @default any time
   */
  after?: DateTime | Date | undefined;
}

const WAIT_FOR_DOCUMENT = {
  ...WAIT,
  onProgress: (name, value) => optionalFunction(name, value ?? undefined),
  schema(name, value) {
    const standard: unknown = (value as { '~standard'?: unknown } | undefined)?.['~standard'];
    if (value === undefined || (isRecord(standard) && typeof standard.validate === 'function')) return value;
    throw new ConfigurationError(`${name} is ${describeValue(value)}; it must be a schema such as z.object({ … }).`);
  },
  /** The time in ms since the epoch. */
  after(name, value) {
    const time = value === undefined ? -Infinity : new Date(value).getTime();
    if (!Number.isNaN(time)) return time;
    throw new ConfigurationError(`${name} is not a time. Pass a Date or an ISO 8601 string.`);
  },
} satisfies Checks<DocumentWaitOptions<unknown>>;

export type CheckedWait = ReturnType<typeof checkedWait>;

/** @throws {ConfigurationError} for options that cannot work. */
export function checkedWait(options: object) {
  return checkedWaitOptions('waitFor()', options, WAIT_FOR_DOCUMENT);
}

/**
 * A schema of any library that follows the Standard Schema specification, version 1: zod, valibot, arktype and others.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The properties that the specification defines. */
  readonly '~standard': {
    /** Version of the specification. */
    readonly version: 1;
    /** Name of the library. */
    readonly vendor: string;
    /** Checks a value. */
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** For the compiler only. */
    readonly types?:
      | {
          /** Type of the accepted values. */
          readonly input: Input;
          /** Type of the checked values. */
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
      /** Absent, because the value is valid. */
      readonly issues?: undefined;
    }
  | {
      /** Reasons why the value is not valid. */
      readonly issues: readonly SchemaIssue[];
    };

/** A reason why a value does not match its schema. */
export interface SchemaIssue {
  /** Description of the problem, for people. */
  readonly message: string;
  /** Path to the invalid part of the value. */
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
