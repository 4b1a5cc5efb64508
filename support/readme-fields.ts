import type { TrackingClient } from '../src/index.ts';

/** Defines the custom fields that the README describes. */
export async function defineReadmeFields(client: TrackingClient): Promise<void> {
  for (const [api_slug, data_type] of [
    ['buyer', 'short_text'],
    ['priority', 'enum'],
    ['document_closing', 'datetime'],
  ] as const) {
    const definition = { entity_type: 'Shipment', api_slug, display_name: api_slug, data_type } as const;
    const { id } = await client.customFieldDefinitions.create(definition);
    if (data_type !== 'enum') continue;
    for (const value of ['low', 'high']) await client.customFieldOptions.create(id, { label: value, value });
  }
}
