import type {
  CalendarDate,
  CustomField,
  CustomFieldSet,
  DateTime,
  InitialContainerCustomField,
  Ref,
} from '../model/index.ts';
import type { RequestOptions } from '../options.ts';

/** The records that can have custom fields. */
export type CustomFieldOwner = 'shipment' | 'container' | 'tracking_request';

interface FieldRules {
  /**
   * The `api_slug` of the definition.
   * @default the name of the field in the description
   */
  api_slug?: string | undefined;
  /**
   * `true` if the field may be without a value. With `false` it never reads `null` and cannot be cleared, and the
   * reading of a record without a value rejects.
   * @default true
   */
  nullable?: boolean | undefined;
}

/** A data type that needs no further description. */
export type PlainDataType = 'short_text' | 'number' | 'decimal' | 'date' | 'datetime' | 'boolean';

/** A field with any value of its data type. */
export interface PlainFieldDescription extends FieldRules {
  /** The `data_type` of the definition. */
  data_type: PlainDataType;
}

/** A field whose value is one or several of its options. */
export interface EnumFieldDescription extends FieldRules {
  /** The `data_type` of the definition. */
  data_type: 'enum' | 'enum_multi';
  /** The `value` of each option that your program knows. The definition may have more: a record with one of those rejects. */
  options: readonly string[];
}

/** A field that names another record. */
export interface ReferenceFieldDescription extends FieldRules {
  /** The `data_type` of the definition. */
  data_type: 'reference';
  /** The `reference_type` of the definition. */
  reference_type: string;
}

/**
 * The description of one custom field: its data type, and the options or the type of record that the data type needs.
 */
export type CustomFieldDescription =
  | PlainDataType
  | PlainFieldDescription
  | EnumFieldDescription
  | ReferenceFieldDescription;

/** The custom fields that a program uses, by the type of their records and by the program's own names. */
export type CustomFieldDescriptions = {
  readonly [Owner in CustomFieldOwner]?: { readonly [name: string]: CustomFieldDescription } | undefined;
};

type DataTypeOf<F> = F extends { data_type: infer T } ? T : F;

type OptionOf<F> = F extends { options: readonly (infer Option extends string)[] } ? Option : never;

type ReadTypes<F> = {
  short_text: string;
  number: number;
  decimal: number;
  date: CalendarDate;
  datetime: Date;
  boolean: boolean;
  enum: OptionOf<F>;
  enum_multi: OptionOf<F>[];
  reference: F extends { reference_type: infer T extends string } ? Ref<T> : never;
};

type WriteTypes<F> = Omit<ReadTypes<F>, 'datetime' | 'enum_multi'> & {
  datetime: Date | DateTime;
  enum_multi: readonly OptionOf<F>[];
};

type NullOf<F> = F extends { nullable: false } ? never : null;

/**
 * The values of the described fields on one record. A `date` is text (`2026-03-12`), because a day is not a moment; a
 * `datetime` is a `Date`. A field without a value is `null`.
 */
export type CustomFieldValues<Fields> = {
  -readonly [Name in keyof Fields]:
    | ReadTypes<Fields[Name]>[DataTypeOf<Fields[Name]> & keyof ReadTypes<unknown>]
    | NullOf<Fields[Name]>;
};

/** Values to write. `null` clears a field, and a field that is left out or `undefined` stays as it is. */
export type CustomFieldChanges<Fields> = {
  readonly [Name in keyof Fields]?:
    | WriteTypes<Fields[Name]>[DataTypeOf<Fields[Name]> & keyof ReadTypes<unknown>]
    | NullOf<Fields[Name]>
    | undefined;
};

/**
 * Values for the records that a tracking request finds. Fields that are left out, `undefined` or `null` get no value.
 */
export interface InitialCustomFieldValues<D extends CustomFieldDescriptions> {
  /** Values for the shipment. */
  shipment?: CustomFieldChanges<D['shipment']> | undefined;
  /** Values for every container. */
  containers?: CustomFieldChanges<D['container']> | undefined;
  /** Values for single containers, by their numbers. */
  containersByNumber?: { readonly [number: string]: CustomFieldChanges<D['container']> } | undefined;
}

/** The value that `trackingRequests.create` takes as `initial_custom_fields`. */
export interface InitialCustomFields {
  /** Values for the shipment. */
  shipment: CustomFieldSet[];
  /** Values for its containers. */
  containers: InitialContainerCustomField[];
}

/** Options of `write`. */
export interface CustomFieldWriteOptions<Fields> extends RequestOptions {
  /** Values that `read` gave before. Fields that already have the value are not sent. */
  known?: CustomFieldChanges<Fields> | undefined;
}

/** Options of `customFields.typed`. */
export interface TypedCustomFieldOptions {
  /**
   * `true` if the first call compares the description with the definitions of the account. With `false`, a value of
   * another type still rejects when it is read, and the service refuses it when it is written. `false` is for programs
   * that make only one call.
   * @default true
   */
  check?: boolean | undefined;
}

/**
 * Custom fields with the types of your description. Before its first request it compares the description with the definitions
 * of the account: once, with one request and one more for each enumeration. All methods reject with a
 * `CustomFieldDefinitionError` if they differ, and check again at the next call.
 */
export interface TypedCustomFields<D extends CustomFieldDescriptions> {
  /**
   * Compares the description with the definitions of the account now: at the start of a program, for example.
   *
   * @throws {ConfigurationError} if the description contradicts itself.
   * @throws {CustomFieldDefinitionError} with every field that differs.
   */
  check(options?: RequestOptions): Promise<void>;

  /**
   * Reads the values on a record. Records do not contain them and cannot include them: this is one request.
   *
   * @param record the record, or only its `type` and `id`.
   * @throws {CustomFieldValueError} if a stored value is not of the described type.
   * @throws {NotFoundError} if the record does not exist.
   */
  read<T extends keyof D & CustomFieldOwner>(
    record: Owner<T>,
    options?: RequestOptions,
  ): Promise<CustomFieldValues<D[T]>>;

  /**
   * Reads the values on all records of a type, by the ids of the records, 100 values a request. Records without any value are
   * not in the result.
   *
   * @throws {CustomFieldValueError} if stored values are not of the described type. All records are read first: `recordId` names
   * the first that does not fit, and `all` has the values of the others and the error of each.
   */
  readAll<T extends keyof D & CustomFieldOwner>(
    type: T,
    options?: RequestOptions,
  ): Promise<Map<string, CustomFieldValues<D[T]>>>;

  /**
   * The values in records that were read before, such as those of `client.shipments.customFields.list(id)`.
   *
   * @throws {CustomFieldValueError} if a value is not of the described type.
   */
  parse<T extends keyof D & CustomFieldOwner>(
    type: T,
    values: readonly Pick<CustomField, 'api_slug' | 'value'>[],
  ): Promise<CustomFieldValues<D[T]>>;

  /**
   * Writes values on a record: one request for each field, all at the same time. The service has no transactions. All
   * values are checked before the first request, so only the service itself can refuse a single value.
   *
   * @returns the written fields with the values that the service has stored.
   * @throws {ConfigurationError} for a value that does not fit. Nothing is sent.
   * @throws {CustomFieldWriteError} if not all were written. It names those that were. It is safe to write again.
   */
  write<T extends keyof D & CustomFieldOwner>(
    record: Owner<T>,
    values: CustomFieldChanges<D[T]>,
    options?: CustomFieldWriteOptions<D[T]>,
  ): Promise<Partial<CustomFieldValues<D[T]>>>;

  /**
   * The `initial_custom_fields` of a tracking request to create.
   *
   * @throws {ConfigurationError} for a value that does not fit.
   * @example
   * const initial_custom_fields = await fields.initial({ shipment: { buyer: 'Kim' } });
   * await client.trackingRequests.create({ request_type, request_number, scac, initial_custom_fields });
   */
  initial(values: InitialCustomFieldValues<D>): Promise<InitialCustomFields>;
}

/** A record, or only its type and id. */
interface Owner<T extends string> {
  readonly type: T;
  readonly id: string;
}
