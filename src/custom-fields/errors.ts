import { TrackingError } from '../errors.ts';

/** The difference between one described field and the definitions of the account. */
export interface CustomFieldProblem {
  /** The described field, such as `shipment.priority`. */
  field: string;
  /** The `api_slug` of the described field. */
  api_slug: string;
  /** The part of the definition that differs. `missing`: the account has no definition with the slug. */
  reason: 'missing' | 'entity_type' | 'data_type' | 'reference_type' | 'options';
  /** The difference, in words. */
  message: string;
}

/**
 * The description of custom fields differs from the definitions of the account. Change the description or the
 * definitions.
 */
export class CustomFieldDefinitionError extends TrackingError {
  static override readonly brand: string = 'CustomFieldDefinitionError';
  /** All described fields that differ, each with its difference. */
  declare readonly problems: readonly CustomFieldProblem[];

  constructor(message: string, problems: readonly CustomFieldProblem[]) {
    super(message, { code: 'custom_field_definition' });
    this.problems = problems;
  }
}

/** The result of `readAll` if some records have a value that does not have the described type. */
export interface PartlyReadCustomFields {
  /** The values of the records without an error, by the ids of the records. */
  readable: ReadonlyMap<string, Record<string, unknown>>;
  /** The error of each record with a value that does not have the described type, by the id of the record. */
  misfits: ReadonlyMap<string, CustomFieldValueError>;
}

/** A stored value does not have the described type, so it was not returned to the program. */
export class CustomFieldValueError extends TrackingError {
  static override readonly brand: string = 'CustomFieldValueError';
  /** The described field, such as `shipment.priority`. */
  declare readonly field: string;
  /** The value as the service sent it; `undefined` if the record has no value. */
  declare readonly value: unknown;
  /** Id of the record that has the value; `undefined` for `parse`, which does not receive the id. */
  declare readonly recordId: string | undefined;
  /**
   * For `readAll`: the error of every record with a value that does not have the described type, and the values of all
   * other records. Otherwise `undefined`.
   */
  declare readonly all: PartlyReadCustomFields | undefined;

  constructor(message: string, field: string, value: unknown, recordId?: string, all?: PartlyReadCustomFields) {
    super(message, { code: 'custom_field_value' });
    this.field = field;
    this.value = value;
    this.recordId = recordId;
    this.all = all;
  }
}

/** A field that `write` could not write. */
export interface UnwrittenCustomField {
  /** Name of the field in the description. */
  field: string;
  /**
   * `refused`: the field has its old value. `unknown`: there was no clear response, so the field may have the old or
   * the new value.
   */
  outcome: 'refused' | 'unknown';
  /** The reason. */
  error: unknown;
}

/**
 * Some values were not written. It is safe to write all values again. The `cause` is the error of the first field in
 * `failed`.
 */
export class CustomFieldWriteError extends TrackingError {
  static override readonly brand: string = 'CustomFieldWriteError';
  /** Names of the fields that have their new values. */
  declare readonly written: readonly string[];
  /** The fields that were not written, each with its error. */
  declare readonly failed: readonly UnwrittenCustomField[];

  constructor(message: string, written: readonly string[], failed: readonly UnwrittenCustomField[]) {
    super(message, { code: 'custom_field_write', cause: failed[0]?.error });
    this.written = written;
    this.failed = failed;
  }
}
