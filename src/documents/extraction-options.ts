import { ConfigurationError } from '../errors.ts';
import { describeValue, optionNames } from '../internal/arguments.ts';
import { isRecord } from '../jsonapi/document.ts';
import type { DateTime, Document, DocumentRepresentation } from '../model/index.ts';
import { checkWaiting, DEFAULT_WAIT_MS, WAIT_NAMES, type WaitOptions } from '../tracking/wait-options.ts';

/** A document that was read, with a payload of a known type. */
export interface ExtractedDocument<Payload = Record<string, unknown>>
  extends Omit<Document<['last_document_representation']>, 'last_document_representation'> {
  /** What the service has read from it. */
  last_document_representation: Omit<DocumentRepresentation, 'payload'> & {
    /** Keys and values. Of the type of the schema, if one was given and fits. */
    payload: Payload;
  };
}

/** The state of a document during the waiting. */
export interface ExtractionProgress {
  /** The document as it was just read. */
  document: Document<['last_document_representation']>;
  /** Time since the waiting began, in ms. */
  elapsedMs: number;
}

/** How to wait for a document. */
export interface DocumentWaitOptions<Payload = Record<string, unknown>> extends Omit<WaitOptions, 'onProgress'> {
  /**
   * Called with the first state and with each change: the document was classified, linked or read. A promise that it
   * returns is awaited, within `waitTimeout`. The call rejects with the error that it throws or rejects with.
   */
  onProgress?: ((progress: ExtractionProgress) => void) | undefined;
  /**
   * A schema for the payload, of any library that follows Standard Schema, such as zod. The payload then has the type of its
   * output. `documentSchemas.get` gives the service's own JSON Schema.
   * @default the payload is not checked
   */
  schema?: StandardSchema<unknown, Payload> | undefined;
  /**
   * Only what was read, or failed, after this time counts. To wait again after `reextract`, pass the time of the outcome before:
   * the `created_at` of the extraction, or the `failedAt` of the `ExtractionFailedError`.
   * @default any time
   */
  after?: DateTime | Date | undefined;
}

/** The same, checked. */
export interface CheckedWait {
  waitTimeout: number;
  signal: AbortSignal | undefined;
  onProgress: ((progress: ExtractionProgress) => void) | undefined;
  schema: StandardSchema | undefined;
  /** In ms since the epoch. */
  after: number;
}

const NAMES = [
  ...WAIT_NAMES,
  ...optionNames<Pick<DocumentWaitOptions, 'schema' | 'after'>>({ schema: true, after: true }),
];

/** @throws {ConfigurationError} for options that cannot work. */
export function checkedWait(options: object): CheckedWait {
  checkWaiting('waitFor()', options, NAMES);
  const { waitTimeout, signal, onProgress, schema, after } = options as DocumentWaitOptions;
  const standard: unknown = (schema as { '~standard'?: unknown } | undefined)?.['~standard'];
  if (schema !== undefined && !(isRecord(standard) && typeof standard.validate === 'function')) {
    throw new ConfigurationError(`schema is ${describeValue(schema)}; it must be a schema such as z.object({ … }).`);
  }
  const time = after === undefined ? Number.NEGATIVE_INFINITY : new Date(after).getTime();
  if (Number.isNaN(time)) throw new ConfigurationError('after is not a time. Pass a Date or an ISO 8601 string.');
  return {
    waitTimeout: waitTimeout ?? DEFAULT_WAIT_MS,
    signal,
    onProgress,
    schema: schema as StandardSchema | undefined,
    after: time,
  };
}

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
