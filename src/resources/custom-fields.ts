import type {
  CustomFieldDescriptions,
  TypedCustomFieldOptions,
  TypedCustomFields,
} from '../custom-fields/description.ts';
import type { CustomFieldGroups } from '../custom-fields/groups.ts';
import type { TypedFields } from '../custom-fields/index.ts';
import { objectArgument, plainCopy } from '../internal/arguments.ts';
import { requestDocument } from '../jsonapi/serialize.ts';
import type { CustomField, CustomFieldCreate, CustomFieldFilter, CustomFieldUpdate } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import type { Transport } from '../transport/transport.ts';
import { valueDocument } from './custom-fields-of.ts';
import { type ListParameters, Resource } from './resource.ts';

/** Options of `customFields.list`. */
export interface CustomFieldListOptions extends ListOptions {
  /** Only values that match all of these filters. */
  filter?: CustomFieldFilter | undefined;
}

const VALUES: ListParameters<CustomFieldListOptions> = { filter: true };

/**
 * Values of custom fields. Each value is addressed by its id. `shipments.customFields`, `containers.customFields` and
 * `trackingRequests.customFields` address the values of one record by their slug.
 */
export class CustomFields extends Resource {
  readonly #groups: Omit<CustomFieldGroups, 'customFields'> | undefined;

  /** @param groups the groups of records that `typed` reads from. A client passes them. */
  constructor(transport: Transport, groups?: Omit<CustomFieldGroups, 'customFields'>) {
    super(transport);
    this.#groups = groups;
  }

  /**
   * The custom fields that your program uses, with types. Describe each field once. Then one call reads or writes
   * several values of a record.
   *
   * Nothing is sent before the first call of a method. That call compares the description with the definitions of the
   * account, so that every value has the right type.
   *
   * @param descriptions the fields by record type. Each key is the name of a field in your program. The key is also
   * the slug of the field in the account, unless you set `api_slug` in the description of the field.
   * @throws {ConfigurationError} if `descriptions` is not an object. A mistake inside `descriptions` makes the first
   * call reject.
   * @example
   * const fields = client.customFields.typed({
   *   shipment: { buyer: 'short_text', priority: { data_type: 'enum', options: ['low', 'high'] } },
   *   container: { weighed_on: { data_type: 'date', api_slug: 'vgm_date' } },
   * });
   * const { priority } = await fields.read(shipment); // 'low' | 'high' | null
   * await fields.write(shipment, { buyer: 'Kim', priority: null });
   */
  typed<const D extends CustomFieldDescriptions>(
    descriptions: D,
    options?: TypedCustomFieldOptions,
  ): TypedCustomFields<D> {
    objectArgument('The argument of typed()', descriptions, "{ shipment: { buyer: 'short_text' } }");
    const given = plainCopy([descriptions, options] as const, 5);
    const groups = this.#groups && { ...this.#groups, customFields: this };
    let fields: TypedFields | undefined;
    const method =
      (name: keyof TypedFields) =>
      async (...parameters: unknown[]) => {
        const copies = parameters.map(parameter => plainCopy(parameter));
        const chunk = await import('../workflows.ts');
        fields ??= new chunk.TypedFields(groups, ...given);
        return (fields[name] as (...parameters: unknown[]) => unknown)(...copies);
      };
    const names = ['check', 'read', 'readAll', 'parse', 'write', 'initial'] as const;
    return Object.fromEntries(names.map(name => [name, method(name)])) as never;
  }

  /** The values on all records, 25 per page unless `pageSize` is set. Each page is one request. */
  list(options?: CustomFieldListOptions): List<CustomField> {
    return this.fetchList({
      operation: 'customFields.list',
      type: 'custom_field',
      path: path`/custom_fields`,
      parameters: VALUES,
      options,
    });
  }

  /**
   * One value.
   *
   * @throws {NotFoundError} if the value does not exist.
   */
  get(id: string, options?: RequestOptions): APIPromise<CustomField> {
    return this.fetchOne({
      operation: 'customFields.get',
      type: 'custom_field',
      path: path`/custom_fields/${id}`,
      options,
    });
  }

  /**
   * Sets a value on a record.
   *
   * @throws {ValidationError} if the value does not match its definition.
   * @example
   * await client.customFields.create({ api_slug: 'buyer', value: 'Kim', entity: { type: 'shipment', id } });
   */
  create(attributes: CustomFieldCreate, options?: RequestOptions): APIPromise<CustomField> {
    return this.fetchOne({
      operation: 'customFields.create',
      type: 'custom_field',
      method: 'POST',
      path: path`/custom_fields`,
      body: () => valueDocument(attributes, ['entity']),
      options,
    });
  }

  /**
   * Changes a value.
   *
   * @throws {NotFoundError} if the value does not exist.
   * @throws {ValidationError} if the new value does not match its definition.
   */
  update(id: string, attributes: CustomFieldUpdate, options?: RequestOptions): APIPromise<CustomField> {
    return this.fetchOne({
      operation: 'customFields.update',
      type: 'custom_field',
      method: 'PATCH',
      path: path`/custom_fields/${id}`,
      body: () => requestDocument('custom_field', attributes, { id }),
      options,
    });
  }

  /**
   * Deletes a value.
   *
   * @throws {NotFoundError} if the value does not exist.
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.send({ operation: 'customFields.delete', method: 'DELETE', path: path`/custom_fields/${id}`, options });
  }
}
