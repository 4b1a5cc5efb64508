import type { TrackingClient } from '../../client.ts';
import { ENTITY_TYPES } from '../../custom-fields/check.ts';
import { ValidationError } from '../../errors.ts';
import { hintOf } from '../../internal/meant-name.ts';
import type { CustomField, CustomFieldDefinition, CustomFieldValue, DynamicInclude } from '../../model/index.ts';
import { printable } from '../../printable.ts';
import { isDate, isDateTime } from '../../schemas/date-time.ts';
import { isGone } from '../../tracking/read-errors.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, type CommandError, failed, wrongUsage } from '../command.ts';
import { codeCell } from '../output/cell.ts';
import type { Column } from '../output/columns.ts';
import { printRecords, say, tableOptions } from '../output/print.ts';
import { timeHere } from '../output/times.ts';
import { idOf, listCommand, type RecordGroup } from '../records.ts';
import { containers } from './containers.ts';
import { shipments } from './shipments.ts';
import { trackingRequests } from './tracking-requests.ts';

const definitions: RecordGroup<CustomFieldDefinition<DynamicInclude>> = {
  type: 'custom_field_definition',
  operation: 'customFieldDefinitions.list',
  list: (client, options) => client.customFieldDefinitions.list(options),
  get: (client, id, { signal }) => client.customFieldDefinitions.get(id, { signal }),
  filterExample: 'entity_type=Shipment',
  includeExample: 'options',
  columns: [
    ['SLUG', ({ api_slug }) => api_slug, 'whole'],
    ['OF', ({ entity_type }) => codeCell(entity_type)],
    ['TYPE', ({ data_type }) => codeCell(data_type)],
    ['NAME', ({ display_name }) => display_name],
    ['DESCRIPTION', ({ description }) => description],
    ['ID', ({ id }) => id, 'whole'],
  ],
};

export const list: Command = listCommand(definitions);

/** The groups of records that have custom fields, with the entity types of their definitions. */
const OWNERS = {
  shipments: { group: shipments, entityTypes: ENTITY_TYPES.shipment },
  containers: { group: containers, entityTypes: ENTITY_TYPES.container },
  'tracking-requests': { group: trackingRequests, entityTypes: ENTITY_TYPES.tracking_request },
} as const;
const OWNER_NAMES = Object.keys(OWNERS) as (keyof typeof OWNERS)[];
const ARGUMENTS = [OWNER_NAMES.join('|'), 'ID|NUMBER'] as const;

/** The custom fields of the record that the arguments name. */
async function ownerOf(client: TrackingClient, owner: string, name: string, signal: AbortSignal) {
  const known = OWNER_NAMES.find(each => each === owner);
  if (known === undefined)
    throw wrongUsage(`There are no ${owner}, only ${OWNER_NAMES.join(', ')}.${hintOf(owner, OWNER_NAMES)}`);
  const { group, entityTypes } = OWNERS[known];
  const { customFields } = known === 'tracking-requests' ? client.trackingRequests : client[known];
  return { customFields, entityTypes, id: await idOf(group, client, name, signal) };
}

const COLUMNS: readonly Column<CustomField>[] = [
  ['SLUG', ({ api_slug }) => api_slug, 'whole'],
  ['VALUE', ({ display_value, value }) => display_value ?? value],
  ['UPDATED', ({ updated_at }) => timeHere(updated_at), 'whole'],
];

export const get: Command = {
  about: 'The values of one record.',
  options: { ...tableOptions(COLUMNS), ...API_OPTIONS },
  arguments: ARGUMENTS,
  argumentValues: OWNER_NAMES,
  run: (values, [owner = '', name = '']) =>
    withClient(values, async (client, signal) => {
      const { customFields, id } = await ownerOf(client, owner, name, signal);
      await printRecords(values, customFields.list(id, { signal }), COLUMNS);
    }),
};

export const set: Command = {
  about:
    'Sets values of one record. The data type of a field decides how its value is read: 5, true, 2026-10-01, the id of a record, or several with commas. An empty value removes the value of the field.',
  options: { ...tableOptions(COLUMNS), ...API_OPTIONS },
  arguments: [...ARGUMENTS, 'SLUG=VALUE...'],
  argumentValues: OWNER_NAMES,
  run: (values, [owner = '', name = '', ...assignments]) =>
    withClient(values, async (client, signal) => {
      const given = assignments.map(text => /^([^=]+)=(.*)$/s.exec(text)?.slice(1) as [string, string] | undefined);
      const wrong = assignments.find((_, index) => given[index] === undefined);
      if (wrong !== undefined) throw wrongUsage(`A value must be like slug=value, not ${wrong}.`);
      const { customFields, entityTypes, id } = await ownerOf(client, owner, name, signal);
      const known = await client.customFieldDefinitions.list({ pageSize: 100, signal }).toArray();
      const own = new Map(
        known.filter(({ entity_type }) => entityTypes.includes(entity_type)).map(each => [each.api_slug, each]),
      );
      const fields = given.flatMap(each => (each ? [[each[0], typedValue(own, ...each)] as const] : []));
      const set: CustomField[] = [];
      for (const [api_slug, value] of fields) {
        try {
          if (value !== null) set.push(await customFields.set(id, { api_slug, value }, { signal }));
          else {
            await customFields.delete(id, api_slug, { signal });
            say(`${api_slug} is removed.`);
          }
        } catch (error) {
          if (value === null && isGone(error)) say(`${api_slug} has no value.`);
          else if (error instanceof ValidationError) throw refused(api_slug, value, error);
          else throw error;
        }
      }
      if (set.length > 0) await printRecords(values, set, COLUMNS);
    }),
};

function refused(slug: string, value: CustomFieldValue, { errors }: ValidationError): CommandError {
  const reasons = errors.map(({ detail, title }) => detail ?? title).join('; ');
  return failed(printable(`The service refuses ${slug}=${JSON.stringify(value)}: ${reasons}.`));
}

/**
 * @throws {CommandError} for a field that does not exist, and for a value that does not fit the data type of the field.
 */
function typedValue(known: ReadonlyMap<string, CustomFieldDefinition>, slug: string, text: string): CustomFieldValue {
  const definition = known.get(slug);
  if (definition === undefined) {
    const slugs = [...known.keys()];
    throw wrongUsage(
      `There is no custom field ${slug}.${hintOf(slug, slugs)} There are: ${slugs.join(', ') || 'none'}.`,
    );
  }
  if (text === '') return null;
  switch (definition.data_type) {
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw wrongUsage(`${slug} must be true or false, not ${text}.`);
      return text === 'true';
    case 'number':
    case 'decimal':
      if (!Number.isFinite(Number(text))) throw wrongUsage(`${slug} must be a number, not ${text}.`);
      return Number(text);
    case 'date':
      if (!isDate(text)) throw wrongUsage(`${slug} must be a day such as 2026-10-01, not ${text}.`);
      return text;
    case 'datetime':
      if (!isDateTime(text)) throw wrongUsage(`${slug} must be a time such as 2026-10-01T08:00:00Z, not ${text}.`);
      return text;
    case 'reference':
      return { type: definition.reference_type, id: text };
    case 'enum_multi':
      return text.split(',');
    default:
      return text;
  }
}
