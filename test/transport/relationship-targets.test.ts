import { expect, test } from 'vitest';
import { ResponseFormatError, type SchemaMismatch, TrackingClient } from '../../src/index.ts';
import { serve } from '../../support/server.ts';

/** A relationship that leads to a record of a wrong or unknown type. */
const wrong = (type: string) => ({
  data: {
    type: 'shipment',
    id: '1',
    attributes: { bill_of_lading_number: 'A' },
    relationships: { pod_terminal: { data: { type, id: '2' } }, containers: { data: [] } },
  },
  included: [{ type, id: '2', attributes: { name: 'Somewhere' } }],
});

async function ask(validation: 'off' | 'warn' | 'strict', type: string) {
  const server = await serve({ body: wrong(type) });
  const mismatches: SchemaMismatch[] = [];
  const client = new TrackingClient({
    baseUrl: server.baseUrl,
    apiKey: 'key',
    logger: false,
    validation,
    hooks: { onSchemaMismatch: ({ mismatch }) => void mismatches.push(mismatch) },
  });
  return { mismatches, client, get: () => client.shipments.get('1', { include: ['pod_terminal'] }) };
}

const expected = {
  resourceType: 'shipment',
  path: 'relationships.pod_terminal.data',
  expected: 'a reference to terminal',
  received: 'another type',
  message: 'expected a reference to terminal, received another type',
};

test.each(['vessel', 'drone_port'])('warn: the record is unchanged, and the type %s is reported once', async type => {
  const { get, mismatches } = await ask('warn', type);
  const shipment = await get();
  expect(shipment.pod_terminal).toEqual({ type, id: '2', name: 'Somewhere' });
  await expect.poll(() => mismatches.length).toBe(1);
  await get();
  expect(mismatches).toEqual([expected]);
});

test.each(['vessel', 'drone_port'])('strict: the type %s is refused, and the error has its path', async type => {
  const { get } = await ask('strict', type);
  const error = await get().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect((error as ResponseFormatError).mismatches).toEqual([expected]);
});

test('off: nothing is checked', async () => {
  const { get, mismatches } = await ask('off', 'vessel');
  expect((await get()).pod_terminal?.id).toBe('2');
  expect(mismatches).toEqual([]);
});
