import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { AuthenticationError, ConfigurationError, ConnectionError, TrackingClient } from '../../src/index.ts';
import { connectMcp, type McpHttpOptions } from '../../src/mcp/index.ts';
import { handlers } from '../../src/sandbox/msw.ts';
import { createSandbox } from '../../support/sandbox.ts';

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

test('the MCP client works through msw, with a key and after a sign-in', async () => {
  const [shipment] = sandbox.seedShipments(1);
  const url = 'https://tracking.example/mcp';
  const options = { url, rateLimit: false, logger: false } as const;
  // The test itself receives the redirect to the program, because no request may leave the process.
  let arrived: (location: string) => void = () => {};
  const received = new Promise<string>(resolve => {
    arrived = resolve;
  });
  const signIn = {
    async openBrowser(page: URL) {
      const body = new URLSearchParams(page.searchParams);
      body.set('decision', 'allow');
      const clicked = await fetch(new URL('/oauth/authorize', page), { method: 'POST', body, redirect: 'manual' });
      arrived(clicked.headers.get('location') ?? '');
    },
    redirect: { url: 'https://program.example/callback', received: () => received },
  };
  for (const auth of [{ apiKey: 'sandbox' }, { oauth: signIn }]) {
    const mcp = await connectMcp({ ...options, auth } as McpHttpOptions);
    expect(await mcp.getShipmentDetails({ id: shipment?.id ?? '' })).toMatchObject({
      bill_of_lading: shipment?.number,
    });
    await mcp.close();
  }
  await expect(connectMcp({ ...options, auth: { apiKey: 'wrong' } })).rejects.toBeInstanceOf(AuthenticationError);
});

test('without a base URL, the handlers serve every host', async () => {
  const everywhere = setupServer(...handlers(sandbox));
  everywhere.listen();
  onTestFinished(() => everywhere.close());
  const mcp = await connectMcp({ url: 'https://another.example/mcp', auth: { apiKey: 'sandbox' }, logger: false });
  expect(await mcp.listTools()).toHaveLength(10);
  await mcp.close();
});

test.each([
  'https://host.example/tracking/v2',
  'https://host.example',
  'https://host.example/v2/x',
  '*/tracking/v2',
  7,
])('a base URL is refused if the sandbox does not have its paths: %s', wrong => {
  expect(() => handlers(sandbox, { baseUrl: wrong as string })).toThrow(ConfigurationError);
  expect(() => handlers(sandbox, { baseUrl: wrong as string })).toThrow('/v2 directly after the host');
});

test.each([
  'https://host.example/v2/',
  'http://127.0.0.1:4010/v2',
  'https://*.example/v2',
  '*/v2',
  '*.example/v2',
  '/v2',
])('the base URL %s is accepted', right => expect(handlers(sandbox, { baseUrl: right }).length).toBeGreaterThan(1));
