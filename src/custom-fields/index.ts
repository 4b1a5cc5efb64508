import { ConfigurationError, TimeoutError, TrackingError } from '../errors.ts';
import {
  describeValue,
  milliseconds,
  objectArgument,
  oneOf,
  refuseUnknownNames,
  requiredText,
} from '../internal/arguments.ts';
import { Cached } from '../internal/cached.ts';
import { Scope } from '../internal/signal.ts';
import type { CustomField } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import { checkDefinitions } from './check.ts';
import { decodeAll, decodeValues } from './decode.ts';
import type {
  CustomFieldDescriptions,
  CustomFieldOwner,
  CustomFieldWriteOptions,
  InitialCustomFields,
  TypedCustomFieldOptions,
} from './description.ts';
import { encodeChanges } from './encode.ts';
import { type Field, type FieldsByOwner, OWNERS, readDescriptions } from './fields.ts';
import type { CustomFieldGroups, ValuesOfRecord } from './groups.ts';
import { writeChanges } from './write.ts';

interface Owner {
  type: CustomFieldOwner;
  id: string;
}

type Values = Record<string, unknown>;

/** The methods of `TypedCustomFields`, without the types that the compiler infers from a description. */
export class TypedFields {
  readonly #groups: CustomFieldGroups;
  readonly #fields: FieldsByOwner;
  readonly #definitions: Cached<void>;
  readonly #isChecked: boolean;

  /** @throws {ConfigurationError} for a description that contradicts itself. */
  constructor(
    groups: CustomFieldGroups | undefined,
    descriptions: CustomFieldDescriptions,
    options: TypedCustomFieldOptions = {},
  ) {
    if (!groups) {
      throw new ConfigurationError(
        'typed() needs the other resource groups: use client.customFields, or new CustomFields(transport, groups).',
      );
    }
    this.#groups = groups;
    this.#fields = readDescriptions(descriptions);
    refuseUnknownNames('typed()', objectArgument('The options of typed()', options ?? {}, '{ check: false }'), [
      'check',
    ]);
    this.#isChecked = options?.check !== false;
    this.#definitions = new Cached(() => checkDefinitions(groups, this.#fields));
  }

  check(options?: RequestOptions): Promise<void> {
    return within(options, ({ signal }) => this.#definitions.get(signal));
  }

  read(record: Owner, options?: RequestOptions): Promise<Values> {
    const { type, id } = ownerOf(record);
    const fields = this.#fieldsOf(type);
    return within(options, async request => {
      const list = this.#valuesOf(type).list(id, { pageSize: 100, priority: 'interactive', ...request });
      const [stored] = await Promise.all([list.toArray(), this.#checked(request.signal)]);
      return decodeValues(fields, stored, id);
    });
  }

  readAll(type: CustomFieldOwner, options?: RequestOptions): Promise<Map<string, Values>> {
    const fields = this.#fieldsOf(type);
    const entity_type = (
      { shipment: 'Shipment', container: 'Container', tracking_request: 'TrackingRequest' } as const
    )[type];
    return within(options, async request => {
      await this.#checked(request.signal);
      const list = this.#groups.customFields.list({ filter: { entity_type }, pageSize: 100, ...request });
      const stored = new Map<string, CustomField[]>();
      for await (const value of list) {
        const id = ownerOfValue(value);
        stored.set(id, [...(stored.get(id) ?? []), value]);
      }
      return decodeAll(fields, stored);
    });
  }

  async parse(type: CustomFieldOwner, values: readonly CustomField[]): Promise<Values> {
    if (!Array.isArray(values)) {
      throw new ConfigurationError(`The values are ${describeValue(values)}; they must be an array of custom fields.`);
    }
    return decodeValues(this.#fieldsOf(type), values);
  }

  async write(record: Owner, values: object, options: CustomFieldWriteOptions<Values> = {}): Promise<Values> {
    const { type, id } = ownerOf(record);
    const { known, ...request } = options ?? {};
    const fields = this.#fieldsOf(type);
    const all = encodeChanges(`The description of ${type}`, fields, values);
    const before = new Map(
      encodeChanges('known', fields, known ?? {}).map(({ field, wire }) => [field, JSON.stringify(wire)]),
    );
    const changes = all.filter(({ field, wire }) => before.get(field) !== JSON.stringify(wire));
    if (changes.length === 0) return {};
    try {
      return await within(request, async limited => {
        await this.#checked(limited.signal);
        return writeChanges(this.#valuesOf(type), { type, id }, changes, limited);
      });
    } catch (error) {
      request.signal?.throwIfAborted();
      throw error;
    }
  }

  async initial(values: {
    shipment?: object | undefined;
    containers?: object | undefined;
    containersByNumber?: Readonly<Record<string, object>> | undefined;
  }): Promise<InitialCustomFields> {
    const { shipment, containers, containersByNumber } = objectArgument(
      'The argument of initial()',
      values,
      '{ shipment: {} }',
    );
    refuseUnknownNames('initial()', values, ['shipment', 'containers', 'containersByNumber']);
    const given = (type: CustomFieldOwner, changes: object | undefined) =>
      changes === undefined
        ? []
        : encodeChanges(`The description of ${type}`, this.#fieldsOf(type), changes)
            .filter(({ wire }) => wire !== null)
            .map(({ field, wire }) => ({ api_slug: field.slug, value: wire }));
    const single = Object.entries(containersByNumber ?? {}).flatMap(([number, changes]) =>
      given('container', changes).map(value => ({
        ...value,
        number: requiredText('The number of a container', number),
      })),
    );
    await this.#checked();
    return { shipment: given('shipment', shipment), containers: [...given('container', containers), ...single] };
  }

  async #checked(signal?: AbortSignal): Promise<void> {
    if (this.#isChecked) await this.#definitions.get(signal);
  }

  #fieldsOf(type: CustomFieldOwner): readonly Field[] {
    const fields = this.#fields.get(oneOf('The type of the record', type, OWNERS)) ?? [];
    if (fields.length > 0) return fields;
    throw new ConfigurationError(`The description has no fields of ${type}.`);
  }

  #valuesOf(type: CustomFieldOwner): ValuesOfRecord {
    const { shipments, containers, trackingRequests } = this.#groups;
    return { shipment: shipments, container: containers, tracking_request: trackingRequests }[type].customFields;
  }
}

function ownerOf(record: Owner): Owner {
  const { type, id } = objectArgument('The record', record, "a shipment, or { type: 'shipment', id }");
  return { type, id: requiredText('The id of the record', id) };
}

function ownerOfValue({ id, entity }: CustomField): string {
  if (entity?.id) return entity.id;
  throw new TrackingError(`The service did not name the record of the custom field ${id}.`, {
    code: 'custom_field_value',
  });
}

/** Runs several requests of one call: `deadline` applies to all of them together. */
async function within<T>(
  options: RequestOptions | undefined,
  run: (request: RequestOptions & { signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const { signal, deadline = Infinity } = options ?? {};
  const scope = new Scope().follow(signal).limit(milliseconds('deadline', deadline), () => {
    return new TimeoutError(`The deadline of ${deadline} ms has passed`, { code: 'deadline', limitMs: deadline });
  });
  try {
    scope.signal.throwIfAborted();
    return await run({ ...options, signal: scope.signal });
  } finally {
    scope.dispose();
  }
}
