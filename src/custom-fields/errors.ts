import { TrackingError } from '../errors.ts';

/** The difference between one described field and the definitions of the account. */
export interface CustomFieldProblem {
  /** The described field, such as `shipment.priority`. */
  field: string;
  /** The `api_slug` that it stands for. */
  api_slug: string;
  /** The part that differs. `missing` means that no definition has the slug. */
  reason: 'missing' | 'entity_type' | 'data_type' | 'reference_type' | 'options';
  /** The same in words. */
  message: string;
}

/** The description of custom fields and the definitions of the account differ. Change one of them. */
export class CustomFieldDefinitionError extends TrackingError {
  static override readonly brand: string = 'CustomFieldDefinitionError';
  /** Every field that differs, with the difference. */
  declare readonly problems: readonly CustomFieldProblem[];

  constructor(message: string, problems: readonly CustomFieldProblem[]) {
    super(message, { code: 'custom_field_definition' });
    this.problems = problems;
  }
}

/** The values that `readAll` has read although some records have a value that does not fit. */
export interface PartlyReadCustomFields {
  /** The values of all other records, by the ids of the records. */
  readable: ReadonlyMap<string, Record<string, unknown>>;
  /** The error of each record that has such a value, by the id of the record. */
  misfits: ReadonlyMap<string, CustomFieldValueError>;
}

/** A stored value is not of the type that was described, so it was not given to the program. */
export class CustomFieldValueError extends TrackingError {
  static override readonly brand: string = 'CustomFieldValueError';
  /** The described field, such as `shipment.priority`. */
  declare readonly field: string;
  /** The value as the service sent it; `undefined` if the record has none. */
  declare readonly value: unknown;
  /** Id of the record that has the value; `undefined` for `parse`, which does not get it. */
  declare readonly recordId: string | undefined;
  /** The values of all other records, and every record that has such a value; `undefined` except for `readAll`. */
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
  /** Its name in the description. */
  field: string;
  /**
   * `refused`: it has its old value. `unknown`: there was no clear response, so it may have the old value or the new
   * one.
   */
  outcome: 'refused' | 'unknown';
  /** The reason. */
  error: unknown;
}

/** Not all values were written. To write all of them again is safe. The `cause` is the error of the first in `failed`. */
export class CustomFieldWriteError extends TrackingError {
  static override readonly brand: string = 'CustomFieldWriteError';
  /** Names of the fields that have their new values. */
  declare readonly written: readonly string[];
  /** The others, each with its error. */
  declare readonly failed: readonly UnwrittenCustomField[];

  constructor(message: string, written: readonly string[], failed: readonly UnwrittenCustomField[]) {
    super(message, { code: 'custom_field_write', cause: failed[0]?.error });
    this.written = written;
    this.failed = failed;
  }
}
