import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { notification as notificationSchema } from '../../src/schemas/index.ts';
import { EVENT_NAMES, parseNotification } from '../../src/webhooks/index.ts';
import {
  attributes,
  call,
  createSandbox,
  get,
  type Sandbox,
  type SandboxOptions,
  stillSandbox,
  track,
} from '../../support/sandbox.ts';

interface Received {
  id: string;
  event: string;
  body: string;
  signature: string | null;
  at: Date;
  request: Request;
}

/** A sandbox that delivers to this test. `status` returns the status of the response to a delivery. */
function receivingSandbox(options: SandboxOptions = {}, status: (delivery: Received) => number = () => 202) {
  const received: Received[] = [];
  const sandbox: Sandbox = stillSandbox({
    async fetch(request) {
      const body = await request.text();
      const { id, attributes } = JSON.parse(body).data;
      const signature = request.headers.get('x-svc-webhook-signature');
      const delivery = { id, event: attributes.event, body, signature, at: sandbox.now(), request };
      received.push(delivery);
      return new Response(null, { status: status(delivery) });
    },
    ...options,
  });
  return { sandbox, received };
}

const URL = 'https://hooks.example/tracking';

async function subscribe(sandbox: Sandbox, events: readonly string[] = EVENT_NAMES, others: object = {}) {
  const webhook = { url: URL, active: true, events, ...others };
  const { body } = await call(sandbox, 'POST', '/webhooks', attributes('webhook', webhook));
  return body.data as { id: string; attributes: { secret: string } };
}

const statuses = async (sandbox: Sandbox) =>
  (await get(sandbox, '/webhook_notifications?page[size]=100')).body.data.map(
    (record: { attributes: { delivery_status: string } }) => record.attributes.delivery_status,
  );

/** Moves the clock by some days, in steps of six hours. */
async function sail(sandbox: Sandbox, days: number) {
  for (let quarters = 0; quarters < days * 4; quarters++) {
    sandbox.advance({ hours: 6 });
    await sandbox.flush();
  }
}

describe('a delivery', () => {
  test('has a signature, which is made with the secret of its webhook over the bytes that are sent', async () => {
    const { sandbox, received } = receivingSandbox();
    const { attributes: webhook } = await subscribe(sandbox, ['tracking_request.succeeded'], {
      headers: [{ name: 'x-team', value: 'imports' }],
    });
    await track(sandbox, 'MAEU123456789');
    sandbox.advance({ minutes: 1 });
    await sandbox.flush();

    expect(received).toHaveLength(1);
    const [{ body, signature, request } = { body: '', signature: '', request: undefined }] = received;
    expect(signature).toBe(createHmac('sha256', webhook.secret).update(body).digest('hex'));
    expect(request?.headers.get('x-team')).toBe('imports');
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(await statuses(sandbox)).toEqual(['succeeded']);
    expect(JSON.parse(body).data.attributes.delivery_status).toBe('pending');
  });

  test('is made once to each active webhook that subscribes to the event, and to no other webhook', async () => {
    const { sandbox, received } = receivingSandbox();
    await subscribe(sandbox, ['tracking_request.succeeded'], { url: 'https://one.example/' });
    await subscribe(sandbox, ['tracking_request.succeeded', 'container.updated'], { url: 'https://two.example/' });
    await subscribe(sandbox, ['container.updated'], { url: 'https://other.example/' });
    await subscribe(sandbox, ['tracking_request.succeeded'], { url: 'https://off.example/', active: false });
    await track(sandbox, 'MAEU123456789');
    sandbox.advance({ minutes: 1 });
    await sandbox.flush();
    expect(received.map(({ request }) => request.url).sort()).toEqual(['https://one.example/', 'https://two.example/']);
    expect(new Set(received.map(({ id }) => id)).size).toBe(2);
  });

  test('is repeated after waits that double each time, and fails after 12 repetitions', async () => {
    const { sandbox, received } = receivingSandbox({}, () => 500);
    await subscribe(sandbox, ['tracking_request.succeeded']);
    await track(sandbox, 'MAEU123456789');
    for (let minute = 0; minute < 4100; minute++) {
      sandbox.advance({ minutes: 1 });
      await sandbox.flush();
    }
    const gaps = received.slice(1).map(({ at }, n) => at.getTime() - Number(received[n]?.at));
    expect(gaps.map(gap => gap / 60_000)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]);
    expect(received).toHaveLength(13);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(await statuses(sandbox)).toEqual(['failed']);
  });

  test('makes all due attempts when the clock is moved far forward', async () => {
    const { sandbox, received } = receivingSandbox({}, () => 503);
    await subscribe(sandbox, ['tracking_request.succeeded']);
    await track(sandbox, 'MAEU123456789');
    sandbox.advance({ days: 10 });
    await sandbox.flush();
    expect(received).toHaveLength(13);
  });

  test('ends with the first acknowledgement, after any number of failures', async () => {
    const answers = [500, 302, 404, 204];
    const { sandbox, received } = receivingSandbox({}, () => answers.shift() ?? 200);
    await subscribe(sandbox, ['tracking_request.succeeded']);
    await track(sandbox, 'MAEU123456789');
    await sail(sandbox, 2);
    expect(received).toHaveLength(4);
    expect(await statuses(sandbox)).toEqual(['succeeded']);
  });

  test('is made twice for some notifications: an option sets their number, and the seed selects them', async () => {
    const twice = async (seed: number) => {
      const { sandbox, received } = receivingSandbox({ seed, webhooks: { duplicateRate: 0.2 } });
      await subscribe(sandbox, ['tracking_request.succeeded']);
      for (let n = 0; n < 200; n++) await track(sandbox, `MAEU${200_000_000 + n}`);
      sandbox.advance({ minutes: 1 });
      await sandbox.flush();
      const ids = received.map(({ id }) => id);
      return ids.filter((id, index) => ids.indexOf(id) < index).sort();
    };
    const duplicates = await twice(1);
    expect(duplicates.length).toBeGreaterThan(20);
    expect(duplicates.length).toBeLessThan(60);
    expect(await twice(1)).toEqual(duplicates);
  });
});

describe('a webhook', () => {
  test('stays active by default after any number of failures', async () => {
    const { sandbox } = receivingSandbox({}, () => 500);
    const { id } = await subscribe(sandbox, ['tracking_request.succeeded']);
    for (let n = 0; n < 5; n++) await track(sandbox, `MAEU${200_000_000 + n}`);
    sandbox.advance({ days: 10 });
    await sandbox.flush();
    expect((await get(sandbox, `/webhooks/${id}`)).body.data.attributes.active).toBe(true);
  });

  test('is deactivated after consecutive failures, and then gets nothing until it is switched on', async () => {
    let isUp = false;
    const { sandbox, received } = receivingSandbox({ webhooks: { deactivateAfter: 2, concurrency: 1 } }, () =>
      isUp ? 200 : 500,
    );
    const { id } = await subscribe(sandbox, ['tracking_request.succeeded']);
    const isActive = async () => (await get(sandbox, `/webhooks/${id}`)).body.data.attributes.active;
    for (const number of ['MAEU200000001', 'MAEU200000002']) {
      expect(await isActive()).toBe(true);
      await track(sandbox, number);
      sandbox.advance({ days: 10 });
      await sandbox.flush();
    }
    expect(await isActive()).toBe(false);

    isUp = true;
    received.length = 0;
    await track(sandbox, 'MAEU200000003');
    await sail(sandbox, 1);
    expect(received).toEqual([]);
    await call(sandbox, 'PATCH', `/webhooks/${id}`, attributes('webhook', { active: true }));
    await track(sandbox, 'MAEU200000004');
    await sail(sandbox, 1);
    expect(received).toHaveLength(1);
    expect(await statuses(sandbox)).toEqual(['succeeded', 'failed', 'failed']);
  });

  test('that is removed is not notified again', async () => {
    const { sandbox, received } = receivingSandbox({}, () => 500);
    const { id } = await subscribe(sandbox, ['tracking_request.succeeded']);
    await track(sandbox, 'MAEU200000001');
    sandbox.advance({ minutes: 1 });
    await sandbox.flush();
    await call(sandbox, 'DELETE', `/webhooks/${id}`);
    sandbox.advance({ days: 10 });
    await sandbox.flush();
    expect(received).toHaveLength(1);
  });
});

describe('the events of a voyage', () => {
  test('cause one notification each when they happen, and each payload fits the schema', async () => {
    const { sandbox, received } = receivingSandbox({ webhooks: { concurrency: 1 } });
    await subscribe(sandbox);
    const { body } = await track(sandbox, 'MAEU-BOOKED-31', { request_type: 'booking_number' });
    await sail(sandbox, 110);

    const milestones = [
      ...['tracking_request.succeeded', 'container.created', 'container.transport.empty_out'],
      ...['container.transport.full_in', 'container.transport.vessel_loaded', 'container.transport.vessel_departed'],
      ...['container.pod_terminal_changed', 'container.transport.vessel_arrived', 'shipment.estimated.arrival'],
      ...['container.transport.vessel_discharged', 'container.transport.full_out', 'container.transport.empty_in'],
      'tracking_request.tracking_stopped',
    ];
    const events = received.map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(milestones));
    expect(events[0]).toBe('tracking_request.succeeded');
    expect(events.at(-1)).toBe('tracking_request.tracking_stopped');
    expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
    for (const delivery of received) {
      expect(notificationSchema.safeParse(JSON.parse(delivery.body)).error).toBeUndefined();
      const { created_at } = JSON.parse(delivery.body).data.attributes;
      expect(delivery.at.getTime() - Date.parse(created_at)).toBeLessThanOrEqual(6 * 3_600_000 + 1000);
    }

    // A notification was sent at the time of every event that the API shows for the containers.
    const request = (await get(sandbox, `/tracking_requests/${body.data.id}?include=tracked_object`)).body;
    const boxes = request.included[0].relationships.containers.data;
    const told = new Set(received.map(({ body }) => JSON.parse(body).data.relationships.reference_object.data.id));
    for (const { id } of boxes) {
      const shown = (await get(sandbox, `/containers/${id}/transport_events`)).body.data;
      const createdAt = request.included[0].attributes.created_at;
      const since = shown.filter((e: { attributes: { created_at: string } }) => e.attributes.created_at > createdAt);
      expect(since.length).toBeGreaterThan(5);
      expect(since.filter((e: { id: string }) => !told.has(e.id))).toEqual([]);
    }
  });

  test('include the changes at the terminal', async () => {
    const { sandbox, received } = receivingSandbox();
    await subscribe(sandbox, ['container.updated']);
    sandbox.seedShipments(12, { phase: 'held', containers: 1 });
    await sail(sandbox, 12);
    const changesets = received.map(({ body }) => {
      const n = parseNotification(body);
      return n.event === 'container.updated' ? (n.reference_object.changeset ?? {}) : {};
    });
    expect(changesets.map(changes => changes.available_for_pickup)).toContainEqual([false, true]);
    expect(changesets.map(changes => changes.holds_at_pod_terminal?.[1])).toContainEqual([]);
    for (const changes of changesets) {
      for (const [before, after] of Object.values(changes).filter(change => change !== undefined)) {
        expect(before).not.toEqual(after);
      }
    }
  });

  test('do not cause a notification if they happened before the subscription', async () => {
    const { sandbox, received } = receivingSandbox();
    await track(sandbox, 'MAEU-ATSEA-1');
    await sail(sandbox, 3);
    await subscribe(sandbox);
    const since = sandbox.now().getTime();
    await sail(sandbox, 60);
    expect(received.length).toBeGreaterThan(5);
    for (const { body } of received) {
      expect(Date.parse(JSON.parse(body).data.attributes.created_at)).toBeGreaterThan(since);
    }
    expect(received.map(({ event }) => event)).not.toContain('tracking_request.succeeded');
  });

  test('do not cause a notification while tracking is stopped', async () => {
    const { sandbox, received } = receivingSandbox();
    await subscribe(sandbox);
    const [shipment] = sandbox.seedShipments(1, { phase: 'at_sea' });
    await call(sandbox, 'PATCH', `/shipments/${shipment?.id}/stop_tracking`);
    await sail(sandbox, 60);
    expect(received).toEqual([]);
  });

  test('still cause notifications for the other shipments after one shipment is removed', async () => {
    const { sandbox, received } = receivingSandbox();
    await subscribe(sandbox);
    const [gone, kept] = sandbox.seedShipments(2, { phase: 'at_sea' });
    sandbox.removeShipment(gone?.id ?? '');
    await sail(sandbox, 60);
    expect(received.length).toBeGreaterThan(5);
    const numbers = received.flatMap(({ body }) => body.match(/"bill_of_lading_number":"[^"]*"/g) ?? []);
    expect(new Set(numbers)).toEqual(new Set([`"bill_of_lading_number":"${kept?.number}"`]));
  });
});

test.each([
  ['MAEU-NOTFOUND-1', {}, ['tracking_request.awaiting_manifest', 'tracking_request.failed']],
  ['MAEU-MANIFEST-1', {}, ['tracking_request.awaiting_manifest', 'tracking_request.succeeded']],
  ['MAEU-INVALID-1', {}, ['tracking_request.failed']],
  ['MAEU-FLAKY-1', {}, ['tracking_request.succeeded']],
  ['TEST-TR-SUCCEEDED', { scac: 'TEST' }, ['tracking_request.succeeded']],
  ['TEST-TR-FAILED', { scac: 'TEST' }, ['tracking_request.failed']],
])('the life cycle of %s causes notifications', async (number, values, events) => {
  const { sandbox, received } = receivingSandbox();
  const lifeCycle = EVENT_NAMES.filter(name => name.startsWith('tracking_request.') && !name.endsWith('stopped'));
  await subscribe(sandbox, lifeCycle);
  await track(sandbox, number, values);
  await sail(sandbox, 8);
  expect(received.map(({ event }) => event)).toEqual(events);
});

test('a notification is sent when tracking is stopped by hand', async () => {
  const { sandbox, received } = receivingSandbox();
  await subscribe(sandbox, ['tracking_request.tracking_stopped']);
  const { body } = await track(sandbox, 'MAEU-ATSEA-2');
  sandbox.advance({ minutes: 1 });
  const request = (await get(sandbox, `/tracking_requests/${body.data.id}`)).body.data;
  await call(sandbox, 'PATCH', `/shipments/${request.relationships.tracked_object.data.id}/stop_tracking`);
  await sandbox.flush();
  const [delivery] = received;
  expect(received).toHaveLength(1);
  expect(parseNotification(delivery?.body ?? '').tracking_request?.status).toBe('tracking_stopped');
});

test('a notification can be read later, together with the record that it is about', async () => {
  const { sandbox, received } = receivingSandbox();
  await subscribe(sandbox);
  sandbox.seedShipments(1, { phase: 'at_sea' });
  await sail(sandbox, 40);
  const { body } = await get(sandbox, '/webhook_notifications?page[size]=100&include=reference_object');
  expect(body.data.map(({ id }: { id: string }) => id).sort()).toEqual(received.map(({ id }) => id).sort());
  const times = body.data.map((n: { attributes: { created_at: string } }) => n.attributes.created_at);
  expect(times).toEqual([...times].sort().reverse());
});

describe('over sockets', () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await Promise.all(closers.splice(0).map(close => close()));
  });

  test('events happen in real time while the sandbox is served', async () => {
    const received: string[] = [];
    const sandbox = createSandbox({
      speed: 1000,
      trackingDelayMs: 30_000,
      fetch: async request => {
        received.push(JSON.parse(await request.text()).data.attributes.event);
        return new Response(null, { status: 204 });
      },
    });
    const server = await sandbox.listen();
    closers.push(server.close);
    await subscribe(sandbox, ['tracking_request.succeeded']);
    await track(sandbox, 'MAEU123456789');
    await vi.waitUntil(() => received.length > 0, { timeout: 5000, interval: 10 });
    expect(received).toEqual(['tracking_request.succeeded']);
  });

  test('a refused connection counts as a failed delivery', async () => {
    const sandbox = stillSandbox();
    await subscribe(sandbox, ['tracking_request.succeeded'], { url: 'http://127.0.0.1:9/' });
    await track(sandbox, 'MAEU123456789');
    sandbox.advance({ days: 10 });
    await sandbox.flush();
    expect(await statuses(sandbox)).toEqual(['failed']);
  });
});
