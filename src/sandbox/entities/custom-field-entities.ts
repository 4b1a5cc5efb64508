import { defined } from '../base/checks.ts';
import { iso } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type {
  CustomField,
  CustomFieldDefinition,
  CustomFieldEntity,
  CustomFieldOption,
  Entity,
} from '../state/store.ts';
import { entity } from '../state/store.ts';
import { container, shipment, trackingRequest } from './tracking-entities.ts';

export function definition(backend: Backend, record: CustomFieldDefinition): Entity<'custom_field_definition'> {
  return entity('custom_field_definition', record.id, () => ({
    attributes: {
      entity_type: record.entityType,
      api_slug: record.slug,
      display_name: record.displayName,
      description: record.description,
      data_type: record.dataType,
      reference_type: record.referenceType,
      validation: record.validation,
      default_format: record.defaultFormat,
      default_value: record.defaultValue,
      template_id: null,
      reference_number: record.isReference ?? false,
      sensitive: record.isSensitive ?? false,
      discarded_at: null,
      created_at: iso(record.createdAt),
      updated_at: iso(record.updatedAt),
    },
    relationships: {
      account: null,
      fields: backend.store.customFields
        .newestFirst()
        .filter(item => item.definition === record)
        .map(item => field(backend, item)),
      options: record.options.map(option),
    },
  }));
}

export function option({ id, label, value, position }: CustomFieldOption): Entity<'custom_field_option'> {
  return entity('custom_field_option', id, () => ({ attributes: { label, value, position } }));
}

export function field(backend: Backend, record: CustomField): Entity<'custom_field'> {
  return entity('custom_field', record.id, () => ({
    attributes: {
      api_slug: record.definition.slug,
      value: record.value,
      display_value: displayValue(record),
      ...(record.updatedAt !== undefined && { updated_at: iso(record.updatedAt) }),
    },
    relationships: {
      entity: entityOf(backend, record.entity),
      definition: definition(backend, record.definition),
    },
  }));
}

function entityOf(backend: Backend, { type, id }: CustomFieldEntity) {
  const { shipments, containers, trackingRequests } = backend.store;
  switch (type) {
    case 'shipment':
      return shipment(backend, defined(shipments.get(id)));
    case 'container':
      return container(backend, defined(containers.get(id)));
    case 'tracking_request':
      return trackingRequest(backend, defined(trackingRequests.get(id)));
  }
}

/** The value as the dashboard shows it to people. */
function displayValue({ definition, value }: CustomField): string | null {
  if (value === null || definition.dataType === 'reference') return null;
  const labelOf = (item: unknown) => definition.options.find(option => option.value === item)?.label ?? String(item);
  switch (definition.dataType) {
    case 'boolean':
      return value ? 'Yes' : 'No';
    case 'datetime':
      return new Date(String(value)).toISOString().slice(0, 19).replace('T', ' ');
    case 'enum':
    case 'enum_multi':
      return [value].flat().map(labelOf).join(', ');
    default:
      return String(value);
  }
}
