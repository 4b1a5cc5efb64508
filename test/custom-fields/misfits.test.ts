import { expect, test } from 'vitest';
import { CustomFieldValueError } from '../../src/index.ts';
import { clientOf, serveScript } from '../../support/paged-server.ts';

const value = (id: string, owner: string, stored: unknown) => ({
  type: 'custom_field',
  id,
  attributes: { api_slug: 'quantity', entity_type: 'Shipment', entity_id: owner, value: stored },
  relationships: { entity: { data: { type: 'shipment', id: owner } } },
});

test('the error for a wrong value names its record, and has the values of the other records', async () => {
  const data = [value('v1', 's1', 1), value('v2', 's2', 'many'), value('v3', 's3', 3)];
  const server = await serveScript(() => ({ body: { data, meta: { total: 3 }, links: {} } }));
  const fields = clientOf(server).customFields.typed({ shipment: { quantity: 'number' } }, { check: false });
  const error = await fields.readAll('shipment').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CustomFieldValueError);
  const { all, message, recordId } = error as CustomFieldValueError;
  expect(recordId).toBe('s2');
  const { readable, misfits } = all ?? { readable: new Map(), misfits: new Map() };
  expect([...readable]).toEqual([
    ['s1', { quantity: 1 }],
    ['s3', { quantity: 3 }],
  ]);
  expect([...misfits.keys()]).toEqual(['s2']);
  expect(misfits.get('s2')).toBeInstanceOf(CustomFieldValueError);
  expect(misfits.get('s2')).toMatchObject({ field: 'shipment.quantity', value: 'many' });
  expect(message).toContain('s2');
});
