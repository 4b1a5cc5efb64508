import { type CustomFieldDefinitionCreate, TrackingClient } from 'container-tracking-sdk';

export const client: TrackingClient = new TrackingClient();

/** The definitions that the page uses. */
const DEFINITIONS: Pick<CustomFieldDefinitionCreate, 'entity_type' | 'api_slug' | 'data_type'>[] = [
  { entity_type: 'Shipment', api_slug: 'buyer', data_type: 'short_text' },
  { entity_type: 'Shipment', api_slug: 'priority', data_type: 'enum' },
  { entity_type: 'Shipment', api_slug: 'quantity', data_type: 'number' },
  { entity_type: 'Shipment', api_slug: 'document_closing', data_type: 'datetime' },
  { entity_type: 'Container', api_slug: 'checked', data_type: 'boolean' },
];
for (const definition of DEFINITIONS) {
  const { id } = await client.customFieldDefinitions.create({ ...definition, display_name: definition.api_slug });
  if (definition.data_type !== 'enum') continue;
  for (const value of ['low', 'high']) await client.customFieldOptions.create(id, { label: value, value });
}

const { data } = await client.shipments.list({ pageSize: 1 });
export const shipmentId: string = data[0]?.id ?? '';
