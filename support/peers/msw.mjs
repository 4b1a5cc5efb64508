import assert from 'node:assert/strict';
import { TrackingClient } from 'container-tracking-sdk';
import { createSandbox } from 'container-tracking-sdk/sandbox';
import { handlers } from 'container-tracking-sdk/sandbox/msw';
import { setupServer } from 'msw/node';

const baseUrl = 'https://tracking.example/v2';
const server = setupServer(...handlers(createSandbox(), { baseUrl }));
server.listen();
const client = new TrackingClient({ baseUrl, apiKey: 'sandbox' });
assert.equal((await client.shippingLines.list().toArray()).length, 38);
server.close();
