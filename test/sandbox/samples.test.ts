import { expect, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { EVENT_NAMES, parseNotification, refreshSubject } from '../../src/webhooks/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';

/** A sandbox with a client, and the body of each sample that the sandbox sends. */
function setUp(shipments = 40) {
  const bodies: string[] = [];
  const sandbox = stillSandbox({
    shipments,
    fetch: async request => {
      bodies.push(await request.text());
      return new Response(null, { status: 204 });
    },
  });
  const client = new TrackingClient({
    baseUrl: 'https://sandbox.example/v2',
    apiKey: 'sandbox',
    fetch: (input, init) => sandbox.fetch(new Request(input, init)),
    rateLimit: false,
    retry: false,
  });
  return { sandbox, client, bodies };
}

const url = 'https://hooks.example/t';

test.each([
  'tracking_request.succeeded',
  'container.created',
  'container.updated',
  'container.pod_terminal_changed',
  'container.transport.vessel_departed',
  'container.transport.vessel_discharged',
  'shipment.estimated.arrival',
] as const)('a handler of a sample of %s can read its record', async event => {
  const { client, bodies } = setUp();
  await client.webhooks.trigger({ url, event });
  const [body = ''] = bodies;
  const notification = parseNotification(body);
  expect(notification.event).toBe(event);
  const record = await refreshSubject(notification, client);
  expect(record?.id).toEqual(expect.any(String));
  expect(body).toContain(record?.id);
});

test('the samples of a selfCheck are about a record that a handler can read', async () => {
  const { client, bodies } = setUp();
  await client.webhooks.selfCheck({ url, secret: 's3cret' });
  for (const body of bodies) {
    expect(await refreshSubject(parseNotification(body), client)).toMatchObject({ type: 'tracking_request' });
  }
});

test('every event has a sample, with or without records in the account', async () => {
  for (const { client, bodies } of [setUp(), setUp(0)]) {
    for (const event of EVENT_NAMES) await client.webhooks.trigger({ url, event });
    expect(bodies.map(body => parseNotification(body).event)).toEqual(EVENT_NAMES);
  }
});
