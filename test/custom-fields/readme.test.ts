import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { defineReadmeFields } from '../../support/readme-fields.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const README = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
const CODE = /### Custom fields[\s\S]*?```ts\n([\s\S]*?)```/.exec(README)?.[1] ?? '';

test('the lines in the README do what they say', async () => {
  const sandbox = stillSandbox();
  const server = await sandbox.listen({ port: 0 });
  onTestFinished(() => server.close());
  const client = new TrackingClient({
    baseUrl: server.baseUrl,
    apiKey: 'sandbox',
    rateLimit: false,
    validation: 'strict',
    logger: false,
  });
  await defineReadmeFields(client);
  const { shipment } = await trackOne();
  await client.shipments.customFields.set(shipment.id, { api_slug: 'priority', value: 'high' });

  const { outputText } = ts.transpileModule(CODE, { compilerOptions: { target: ts.ScriptTarget.ESNext } });
  const run = new Function('client', 'id', `return (async () => {${outputText}\nreturn { fields, priority }; })()`);
  const { fields, priority } = await run(client, shipment.id);
  expect(priority).toBe('high');
  expect(await fields.read(shipment)).toEqual({ buyer: 'Kim', priority: null, closing: expect.any(Date) });

  async function trackOne() {
    const { id } = await client.trackingRequests.create({
      request_type: 'bill_of_lading',
      request_number: 'MAEU123456789',
      scac: 'MAEU',
    });
    sandbox.advance({ hours: 1 });
    const { tracked_object } = await client.trackingRequests.get(id, { include: ['tracked_object'] });
    if (!tracked_object) throw new Error('The sandbox found no shipment.');
    return { shipment: tracked_object };
  }
});
