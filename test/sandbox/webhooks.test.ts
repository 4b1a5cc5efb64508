import { describe, expect, test } from 'vitest';
import { isIdentifier, type WireResource } from '../../src/jsonapi/document.ts';
import { attributes, call, get, stillSandbox } from '../../support/sandbox.ts';

const webhook = { url: 'https://hooks.example/tracking', active: true, events: ['container.updated'] };
const trigger = {
  url: 'https://hooks.example/t',
  event: 'tracking_request.succeeded',
  secret: 'sample-signing-secret',
};

describe('webhooks', () => {
  test('are created with a secret, edited and removed', async () => {
    const sandbox = stillSandbox();
    const { status, body } = await call(sandbox, 'POST', '/webhooks', attributes('webhook', webhook));
    expect(status).toBe(201);
    expect(body.data.attributes).toEqual({
      ...webhook,
      secret: expect.stringMatching(/^[0-9a-f]{32}$/),
      headers: [],
      created_at: '2026-03-09T03:00:00Z',
    });
    const path = `/webhooks/${body.data.id}`;
    const edit = attributes('webhook', { active: false });
    expect((await call(sandbox, 'PATCH', path, edit)).body.data.attributes).toEqual({
      ...body.data.attributes,
      active: false,
    });
    expect((await get(sandbox, '/webhooks')).body.data).toHaveLength(1);
    expect(await call(sandbox, 'DELETE', path)).toMatchObject({ status: 200, body: '' });
    expect((await get(sandbox, path)).status).toBe(404);
  });

  test.each([
    [{ ...webhook, url: 'http://hooks.example' }, 'url'],
    [{ ...webhook, url: 'nonsense' }, 'url'],
    [{ ...webhook, events: [] }, 'events'],
    [{ ...webhook, events: ['nonsense'] }, 'events'],
    [{ ...webhook, events: ['container.updated', 'container.updated'] }, 'events'],
    [{ ...webhook, active: 'yes' }, 'active'],
  ])('refuse %o', async (values, field) => {
    const { status, body } = await call(stillSandbox(), 'POST', '/webhooks', attributes('webhook', values));
    expect(status).toBe(422);
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].source.pointer).toBe(`/data/attributes/${field}`);
  });

  test.each([
    ['X-A\r\nX-B', 'v'],
    ['X-A', 'v\nX-B: w'],
    ['X A', 'v'],
    ['', 'v'],
    ['X-A', 'ü\u0100'],
  ])('refuse the header %j with the value %j, which HTTP cannot send', async (name, value) => {
    const sandbox = stillSandbox();
    const hook = { url: 'https://h.example', active: true, events: ['container.updated'] };
    const send = (method: string, path: string, headers: object[]) =>
      call(sandbox, method, path, attributes('webhook', { ...hook, headers }));
    const { status, body } = await send('POST', '/webhooks', [{ name, value }]);
    expect([status, body.errors?.[0].source.pointer]).toEqual([422, '/data/attributes/headers']);
    const created = await send('POST', '/webhooks', [{ name: 'X-A', value: 'v' }]);
    expect((await send('PATCH', `/webhooks/${created.body.data.id}`, [{ name, value }])).status).toBe(422);
  });

  test('may be created without events, but a change that removes all events is refused', async () => {
    const sandbox = stillSandbox();
    const { events, ...others } = webhook;
    const { status, body } = await call(sandbox, 'POST', '/webhooks', attributes('webhook', others));
    expect(status).toBe(201);
    expect(body.data.attributes.events).toEqual([]);
    const edit = attributes('webhook', { active: false });
    expect((await call(sandbox, 'PATCH', `/webhooks/${body.data.id}`, edit)).status).toBe(200);
    const none = attributes('webhook', { events: [] });
    expect((await call(sandbox, 'PATCH', `/webhooks/${body.data.id}`, none)).status).toBe(422);
  });

  test('may have an http address of this machine, so that receivers can be tested', async () => {
    const local = { ...webhook, url: 'http://127.0.0.1:8080/hooks' };
    expect((await call(stillSandbox(), 'POST', '/webhooks', attributes('webhook', local))).status).toBe(201);
  });

  test('have a list of possible events, which depends on the features of the account', async () => {
    const names = async (features: object) =>
      JSON.stringify((await get(stillSandbox({ features }), '/webhooks/events')).body);
    expect(await names({})).toContain('document.extracted');
    expect(await names({ documents: false, rail: false })).not.toMatch(/document\.|pickup_lfd_rail/);
  });

  test('come from IP addresses that are reserved for documentation', async () => {
    expect((await get(stillSandbox(), '/webhooks/ips')).body).toEqual({
      webhook_notification_ips: ['192.0.2.10', '192.0.2.11', '198.51.100.7'],
      last_updated: '2023-10-17T21:23:16Z',
    });
  });
});

describe('a trigger', () => {
  test('sends a sample that is signed over its bytes, and returns the result', async () => {
    const received: { request: Request; body: string }[] = [];
    const sandbox = stillSandbox({
      fetch: async request => {
        received.push({ request, body: await request.text() });
        return new Response('thanks', { status: 202, headers: { 'x-receiver': 'mine' } });
      },
    });
    const { status, body } = await call(sandbox, 'POST', '/webhooks/trigger', trigger);
    expect(status).toBe(200);
    const [sent] = received;
    expect(sent?.request.method).toBe('POST');
    expect(sent?.request.url).toBe(trigger.url);
    expect(JSON.parse(sent?.body ?? '').data.attributes).toMatchObject({
      event: trigger.event,
      delivery_status: 'pending',
    });
    expect(sent?.request.headers.get('x-svc-webhook-signature')).toBe(await hmac(sent?.body ?? '', trigger.secret));
    expect(body).toEqual({
      url: trigger.url,
      succeeded: true,
      error: null,
      status_code: 202,
      request_headers: expect.objectContaining({ 'Content-Type': 'application/json' }),
      request_body: sent?.body,
      response_headers: expect.objectContaining({ 'x-receiver': 'mine' }),
      response_body: 'thanks',
    });
  });

  test('has a different id after a start at a different time, so an inbox that was kept does not refuse the trigger', async () => {
    const idAfterStart = async (now: string) => {
      const sandbox = stillSandbox({ now, fetch: async () => new Response() });
      const { body } = await call(sandbox, 'POST', '/webhooks/trigger', trigger);
      return JSON.parse(body.request_body).data.id;
    };
    const first = await idAfterStart('2026-03-02T08:00:00.000Z');
    expect(await idAfterStart('2026-03-02T08:00:00.001Z')).not.toBe(first);
    expect(await idAfterStart('2026-03-02T08:00:00.000Z')).toBe(first);
  });

  test.each([
    ['container.transport.empty_out', ['shipment', 'container', 'metro_area', 'transport_event']],
    ['container.transport.rail_arrived', ['shipment', 'container', 'metro_area', 'rail_terminal', 'transport_event']],
    ['container.transport.rail_unloaded', ['shipment', 'container', 'metro_area', 'rail_terminal', 'transport_event']],
  ])('of %s sends a sample that is located in a metro area, as in the catalogue', async (event, types) => {
    const sandbox = stillSandbox({ fetch: async () => new Response() });
    const { body } = await call(sandbox, 'POST', '/webhooks/trigger', { ...trigger, event });
    const { included } = JSON.parse(body.request_body) as { included: WireResource[] };
    expect(included.map(({ type }) => type)).toEqual(types);
    const { location, terminal } = included.at(-1)?.relationships ?? {};
    for (const place of [location?.data, terminal?.data].filter(isIdentifier)) {
      expect(included).toContainEqual(expect.objectContaining(place));
    }
  });

  test.each([
    ['', 'event is required'],
    ['container.update', 'there is no event with the name container.update'],
  ])('of the event "%s" is refused with the reason', async (event, detail) => {
    const { status, body } = await call(stillSandbox(), 'POST', '/webhooks/trigger', { ...trigger, event });
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: [expect.objectContaining({ detail })] });
  });

  test('without a secret is not signed', async () => {
    const sandbox = stillSandbox({ fetch: async () => new Response(null, { status: 204 }) });
    const { body } = await call(sandbox, 'POST', '/webhooks/trigger', { ...trigger, secret: undefined });
    expect(body.succeeded).toBe(true);
    expect(body.request_headers).not.toHaveProperty('X-SVC-Webhook-Signature');
  });

  test('gets a 200 even if the receiver does not acknowledge the sample, or does not respond', async () => {
    const refusing = stillSandbox({ fetch: async () => new Response('no', { status: 500 }) });
    expect(await call(refusing, 'POST', '/webhooks/trigger', trigger)).toMatchObject({
      status: 200,
      body: { succeeded: false, status_code: 500, response_body: 'no' },
    });
    const silent = stillSandbox({ fetch: () => Promise.reject(new Error('connection timed out')) });
    expect(await call(silent, 'POST', '/webhooks/trigger', trigger)).toMatchObject({
      status: 200,
      body: { succeeded: false, error: 'connection timed out', status_code: null, response_headers: null },
    });
  });

  test('needs an address', async () => {
    const { status, body } = await call(stillSandbox(), 'POST', '/webhooks/trigger', { event: trigger.event });
    expect([status, body]).toEqual([422, { errors: [{ detail: 'url is required' }] }]);
  });
});

async function hmac(body: string, secret: string): Promise<string> {
  const { createHmac } = await import('node:crypto');
  return createHmac('sha256', secret).update(body).digest('hex');
}
