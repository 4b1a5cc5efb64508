import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConnectionError, TrackingClient } from '../../src/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { handlers } from '../../src/sandbox/msw.ts';

const baseUrl = 'https://tracking.example/v2';
const sandbox = createSandbox({ trackingDelayMs: 50 });
const server = setupServer(...handlers(sandbox, { baseUrl }));

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());

test('a client is served by the sandbox through msw, without a socket', async () => {
  const client = new TrackingClient({ baseUrl, apiKey: 'sandbox', rateLimit: { windowMs: 1000 } });
  const { shipment } = await client.track({ number: 'TEST-TR-SUCCEEDED', scac: 'TEST', type: 'bill_of_lading' });
  const { containers } = await client.shipments.get(shipment.id, { include: ['containers'] });
  expect(containers.length).toBeGreaterThan(0);
});

test('a fault that drops the connection is a network error through msw', async () => {
  sandbox.fail({ drop: 'before' });
  const client = new TrackingClient({ baseUrl, apiKey: 'sandbox', retry: false });
  await expect(client.parties.list()).rejects.toBeInstanceOf(ConnectionError);
});
