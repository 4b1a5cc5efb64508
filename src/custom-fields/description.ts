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
   * `true` if the field may have no value. With `false`, the value is never `null` and cannot be cleared. If a record
   * has no value, reading the record then rejects.
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
  /**
   * The `value` of each option that your program knows. The read of a record rejects if the record has another option
   * of the definition.
   */
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

/** The custom fields that a program uses, by record type and by the program's own names for the fields. */
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

/** Values to write. `null` clears a field. A field that is left out or `undefined` stays as it is. */
export type CustomFieldChanges<Fields> = {
  readonly [Name in keyof Fields]?:
    | WriteTypes<Fields[Name]>[DataTypeOf<Fields[Name]> & keyof ReadTypes<unknown>]
    | NullOf<Fields[Name]>
    | undefined;
};

/**
 * Values for the records that a tracking request finds. Fields that are left out, `undefined` or `null` are not set.
 */
export interface InitialCustomFieldValues<D extends CustomFieldDescriptions> {
  /** Values for the shipment. */
  shipment?: CustomFieldChanges<D['shipment']> | undefined;
  /** Values for every container. */
  containers?: CustomFieldChanges<D['container']> | undefined;
  /** Values for single containers, by container number. */
  containersByNumber?: { readonly [number: string]: CustomFieldChanges<D['container']> } | undefined;
}

/** The value for the attribute `initial_custom_fields` of `trackingRequests.create`. */
export interface InitialCustomFields {
  /** Values for the shipment. */
  shipment: CustomFieldSet[];
  /** Values for the containers of the shipment. */
  containers: InitialContainerCustomField[];
}

/** Options of `write`. */
export interface CustomFieldWriteOptions<Fields> extends RequestOptions {
  /** Values that `read` returned before. Fields that already have the new value are not sent. */
  known?: CustomFieldChanges<Fields> | undefined;
}

/** Options of `customFields.typed`. */
export interface TypedCustomFieldOptions {
  /**
   * `true` if the first call compares the description with the definitions of the account. With `false`, reading a value of
   * another type still rejects, and the service refuses to write a value of another type. `false` is for programs
   * that make only one call.
   * @default true
   */
  check?: boolean | undefined;
}

/**
 * Custom fields with the types of your description. Before the first request of a method, the description is compared
 * once with the definitions of the account. This takes one request, and one more for each field with options. If they
 * differ, all methods reject with a `CustomFieldDefinitionError`, and the next call compares again.
 */
export interface TypedCustomFields<D extends CustomFieldDescriptions> {
  /**
   * Compares the description with the definitions of the account now, for example at the start of a program.
   *
   * @throws {ConfigurationError} if the description contradicts itself.
   * @throws {CustomFieldDefinitionError} with every field that differs.
   */
  check(options?: RequestOptions): Promise<void>;

  /**
   * Reads the values on a record, with one request. The record itself does not contain its custom fields, and `include`
   * cannot add them.
   *
   * @param record the record, or only its `type` and `id`.
   * @throws {CustomFieldValueError} if a stored value does not have the described type.
   * @throws {NotFoundError} if the record does not exist.
   */
  read<T extends keyof D & CustomFieldOwner>(
    record: Owner<T>,
    options?: RequestOptions,
  ): Promise<CustomFieldValues<D[T]>>;

  /**
   * Reads the values on all records of a type, 100 values per request. The keys of the map are the ids of the records.
   * Records without any value are not in the map.
   *
   * @throws {CustomFieldValueError} if stored values do not have the described type. All records are read first. Then
   * `recordId` is the id of the first record with such a value, and `all` has the values of the other records and every
   * error.
   */
  readAll<T extends keyof D & CustomFieldOwner>(
    type: T,
    options?: RequestOptions,
  ): Promise<Map<string, CustomFieldValues<D[T]>>>;

  /**
   * Decodes values that were read before, such as the values of `client.shipments.customFields.list(id)`.
   *
   * @throws {CustomFieldValueError} if a value does not have the described type.
   */
  parse<T extends keyof D & CustomFieldOwner>(
    type: T,
    values: readonly Pick<CustomField, 'api_slug' | 'value'>[],
  ): Promise<CustomFieldValues<D[T]>>;

  /**
   * Writes values on a record: one request for each field, all at the same time. The service has no transactions, so it
   * may store some values and refuse others. All values are checked before the first request.
   *
   * @returns the written fields with the values that the service has stored.
   * @throws {ConfigurationError} for a value that does not have the described type. Nothing is sent.
   * @throws {CustomFieldWriteError} if some fields were not written. The error lists the written fields. Writing again is safe.
   */
  write<T extends keyof D & CustomFieldOwner>(
    record: Owner<T>,
    values: CustomFieldChanges<D[T]>,
    options?: CustomFieldWriteOptions<D[T]>,
  ): Promise<Partial<CustomFieldValues<D[T]>>>;

  /**
   * Makes the `initial_custom_fields` of a tracking request that you create.
   *
   * @throws {ConfigurationError} for a value that does not have the described type.
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
