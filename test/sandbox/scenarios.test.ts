import { describe, expect, onTestFinished, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import type { Sandbox, SandboxOptions, Scenario, ScenarioName } from '../../src/sandbox/index.ts';
import { SCENARIO_NAMES } from '../../src/sandbox/world/scripts.ts';
import { EVENT_NAMES } from '../../src/webhooks/index.ts';
import { attributes, call, get, stillSandbox } from '../../support/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a body
type Body = any;

interface Received {
  event: string;
  at: number;
  body: Body;
}

async function receiving(
  options: SandboxOptions = {},
  events: readonly string[] = EVENT_NAMES,
): Promise<{ sandbox: Sandbox; received: Received[] }> {
  const received: Received[] = [];
  const sandbox = stillSandbox({
    async fetch(request) {
      const body = await request.json();
      received.push({
        event: body.data.attributes.event,
        at: Date.parse(body.data.attributes.created_at),
        body,
      });
      return new Response(null, { status: 204 });
    },
    ...options,
  });
  const webhook = { url: 'https://h.example', active: true, events };
  await call(sandbox, 'POST', '/webhooks', attributes('webhook', webhook));
  return { sandbox, received };
}

const order = (sandbox: Sandbox, { number, scac, requestType }: Scenario) =>
  call(
    sandbox,
    'POST',
    '/tracking_requests',
    attributes('tracking_request', { request_type: requestType, request_number: number, scac }),
  );

test('a webhook that subscribes only to the newer names of document events gets events with these names', async () => {
  const { sandbox, received } = await receiving({}, [
    'document_representation.created',
    'document_representation.failed',
  ]);
  await order(sandbox, sandbox.scenario('documents-by-email'));
  await pass(sandbox, 3);
  expect(received.map(({ event }) => event).toSorted()).toEqual([
    'document_representation.created',
    'document_representation.failed',
  ]);
});

async function pass(sandbox: Sandbox, days: number) {
  for (let day = 0; day < days; day++) {
    sandbox.advance({ days: 1 });
    await sandbox.flush();
  }
}

test('every event of the service occurs in a scenario, and its notification has a valid body', async () => {
  const { sandbox, received } = await receiving();
  for (const name of SCENARIO_NAMES) expect((await order(sandbox, sandbox.scenario(name))).status, name).toBe(201);
  await pass(sandbox, 110);
  const seen = new Set(received.map(({ event }) => event));
  // The webhook subscribes to both names of these events, so it gets only the notification with the older name.
  const absent = EVENT_NAMES.filter(name => !seen.has(name));
  expect(absent).toEqual(['document_representation.created', 'document_representation.failed']);
  const atRailTerminal = received.find(({ event }) => event === 'container.transport.rail_unloaded')?.body.included;
  expect(atRailTerminal.map(({ type }: Body) => type)).toEqual(expect.arrayContaining(['metro_area', 'rail_terminal']));
});

describe('a scenario announces its events', () => {
  test.each(SCENARIO_NAMES)(
    '%s: a notification is sent at the time of each step, and no other notification is sent',
    async name => {
      const { sandbox, received } = await receiving({ seed: 11 });
      const scenario = sandbox.scenario(name);
      expect(scenario).toMatchObject({ name, scac: 'MAEU' });
      expect(scenario.description).toMatch(/\.$/);
      await order(sandbox, scenario);
      await pass(sandbox, 100);
      const second = (time: number) => Math.floor(time / 1000);
      const told = received
        .filter(
          ({ event }) => !['container.updated', 'container.created', 'container.pod_terminal_changed'].includes(event),
        )
        .map(({ event, at }) => `${second(at)} ${event}`);
      const announced = scenario.steps
        .filter(({ event }) => !event.startsWith('hold.'))
        .map(({ event, at }) => `${second(at.getTime())} ${event}`);
      expect(told.toSorted()).toEqual(announced.toSorted());
    },
  );
});

/** The states of the container of a scenario and of its shipment, every three hours. */
async function watched(name: ScenarioName, days: number): Promise<Body[]> {
  const sandbox = stillSandbox();
  const scenario = sandbox.scenario(name);
  await order(sandbox, scenario);
  sandbox.advance({ minutes: 30 });
  const states: Body[] = [];
  for (let hour = 0; hour < days * 8; hour++) {
    sandbox.advance({ hours: 3 });
    const { data, included } = (await get(sandbox, '/containers?include=shipment')).body;
    if (data.length > 0) states.push({ ...data[0].attributes, shipment: included[0].attributes });
  }
  return states;
}

const valuesOf = (states: Body[], pick: (state: Body) => unknown) => [...new Set(states.map(pick))];

describe('the scenario', () => {
  test('direct-on-time keeps its estimate until the vessel arrives', async () => {
    const states = await watched('direct-on-time', 90);
    const estimates = valuesOf(states, ({ shipment }) => shipment.pod_eta_at).filter(Boolean);
    expect(estimates).toHaveLength(1);
    const arrival = Date.parse(states.at(-1).shipment.pod_ata_at);
    expect(Math.abs(arrival - Date.parse(String(estimates[0])))).toBeLessThan(3_600_000);
    expect(states.at(-1).current_status).toBe('empty_returned');
  });

  test('transshipment-delay moves the estimate by four days in a single change', async () => {
    const states = await watched('transshipment-delay', 100);
    const estimates = valuesOf(states, ({ shipment }) => shipment.pod_eta_at).filter(Boolean);
    expect(estimates.map(time => Date.parse(String(time)) - Date.parse(String(estimates[0])))).toEqual([
      0,
      4 * 86_400_000,
    ]);
  });

  test('rolled moves the departure and the arrival by a week', async () => {
    const states = await watched('rolled', 100);
    const days = (pick: (state: Body) => string) => {
      const times = valuesOf(states, pick)
        .filter(Boolean)
        .map(time => Date.parse(String(time)));
      return times.map(time => (time - (times[0] ?? 0)) / 86_400_000);
    };
    expect(days(({ shipment }) => shipment.pol_etd_at)).toEqual([0, 7]);
    expect(days(({ shipment }) => shipment.pod_eta_at)).toEqual([0, 7]);
  });

  test.each(['rolled', 'transshipment-delay'] as const)(
    '%s first announces a vessel that leaves without the container, and the client can read both vessels',
    async name => {
      const sandbox = stillSandbox();
      await order(sandbox, sandbox.scenario(name));
      const known = new Map<string, Set<string>>();
      for (let step = 0; step < 8 * 60; step++) {
        sandbox.advance({ hours: 3 });
        const [shipment] = (await get(sandbox, '/shipments')).body.data;
        const { pod_vessel_imo: imo, pod_eta_at: eta } = shipment?.attributes ?? {};
        if (imo && eta) known.set(imo, new Set(known.get(imo)).add(eta));
      }
      expect(known.size).toBe(2);
      const [before, after] = [...known.values()];
      expect([...(before ?? [])].filter(eta => after?.has(eta))).toEqual([]);
      for (const imo of known.keys()) expect((await get(sandbox, `/vessels/${imo}`)).status).toBe(200);
    },
  );

  test('fees-and-last-free-day sends a notification each day with the new fee', async () => {
    const { sandbox, received } = await receiving({}, ['container.updated']);
    await order(sandbox, sandbox.scenario('fees-and-last-free-day'));
    await pass(sandbox, 25);
    const amounts = received.flatMap(({ body }) => {
      const event = body.included.find(({ type }: Body) => type === 'container_updated_event');
      const [, fees] = event.attributes.changeset.fees_at_pod_terminal ?? [null, []];
      return fees.filter(({ type }: Body) => type === 'demurrage').map(({ amount }: Body) => amount);
    });
    expect(amounts).toEqual([185, 370, 555, 740, 925]);
  });

  test('rail-with-customs-hold has a hold at the port, and the train leaves only after the release', async () => {
    const states = await watched('rail-with-customs-hold', 60);
    const held = states.filter(({ holds_at_pod_terminal: holds }) =>
      holds.some(({ name }: Body) => name === 'customs'),
    );
    expect(held.length).toBeGreaterThan(8);
    for (const { pod_rail_loaded_at } of held) expect(pod_rail_loaded_at).toBeNull();
    expect(valuesOf(states, ({ current_status }) => current_status)).toEqual(
      expect.arrayContaining(['awaiting_inland_transfer', 'on_rail', 'available', 'picked_up']),
    );
  });

  test('fees-and-last-free-day has demurrage that grows each day after the last free day', async () => {
    const states = await watched('fees-and-last-free-day', 25);
    const fees = valuesOf(states, ({ fees_at_pod_terminal: fees }) => fees[0]?.amount).filter(Boolean) as number[];
    expect(fees.length).toBeGreaterThanOrEqual(5);
    expect(fees).toEqual(fees.toSorted((a, b) => a - b));
  });

  test('customs-exam has a customs hold and a fee for the examination', async () => {
    const states = await watched('customs-exam', 45);
    expect(states.some(({ fees_at_pod_terminal: fees }) => fees.some(({ type }: Body) => type === 'exam'))).toBe(true);
    expect(states.some(({ holds_at_pod_terminal: holds }) => holds.some(({ name }: Body) => name === 'customs'))).toBe(
      true,
    );
  });

  test('delivered has a pickup, a delivery and a return, in this order', async () => {
    const states = await watched('delivered', 30);
    const statuses = valuesOf(states, ({ current_status }) => current_status);
    expect(statuses.slice(-3)).toEqual(['picked_up', 'delivered', 'empty_returned']);
    expect(states.at(-1).delivered_at).not.toBeNull();
  });

  test('documents-by-email has a document that is read and linked, and a document that cannot be read', async () => {
    const sandbox = stillSandbox();
    await order(sandbox, sandbox.scenario('documents-by-email'));
    sandbox.advance({ hours: 2 });
    const { data } = (await get(sandbox, '/documents')).body;
    expect(data.map(({ attributes }: Body) => attributes.classification_notes)).toEqual([
      'Nothing could be read.',
      null,
    ]);
    expect(data[1].relationships.shipments.data).toHaveLength(1);
  });
});

describe('the facilities of a route', () => {
  const facilities = async (name: ScenarioName, days: number) => {
    const sandbox = stillSandbox();
    await order(sandbox, sandbox.scenario(name));
    sandbox.advance({ days });
    const [box] = (await get(sandbox, '/containers')).body.data;
    const { included } = (await get(sandbox, `/containers/${box.id}/route`)).body;
    const stops = included.filter(({ type }: Body) => type === 'route_location');
    return {
      stops: stops.map(({ relationships }: Body) => relationships.facility?.data?.type ?? null),
      last: stops.at(-1).relationships.facility?.data?.id,
      box,
    };
  };

  test('are the terminal of the port of discharge, and the rail facility for the pickup', async () => {
    const { stops, last, box } = await facilities('rail-on-time', 2);
    expect(stops).toEqual([null, 'terminal', 'terminal']);
    expect(last).toBe(box.relationships.pickup_facility.data.id);
  });

  test('are unknown until the vessel has left', async () => {
    expect((await facilities('direct-on-time', 5)).stops).toEqual([null, null]);
  });
});

test('every record of a scenario is valid for a client with strict validation, over a socket', async () => {
  const sandbox = stillSandbox({ shipments: 8 });
  for (const name of SCENARIO_NAMES) await order(sandbox, sandbox.scenario(name));
  const server = await sandbox.listen();
  const client = new TrackingClient({
    baseUrl: server.baseUrl,
    apiKey: 'sandbox',
    validation: 'strict',
    rateLimit: false,
  });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const statuses = new Set<string>();
  for (let week = 0; week < 9; week++) {
    sandbox.advance({ days: 7, hours: 3 });
    for await (const box of client.containers.list({ include: ['shipment', 'pickup_facility', 'transport_events'] })) {
      statuses.add(String(box.current_status));
      if (week % 4 === 0) await client.containers.route(box.id);
    }
    for await (const _ of client.shipments.list({ include: ['containers', 'destination', 'destination_terminal'] }));
    for await (const _ of client.trackingRequests.list());
  }
  expect(statuses).toContain('delivered');
});

test('each call of scenario() returns a new number, and each account has its own count', () => {
  const sandbox = stillSandbox({ accounts: { a: {}, b: {} } });
  const numbers = [sandbox.scenario('feeder'), sandbox.scenario('feeder')].map(({ number }) => number);
  expect(new Set(numbers).size).toBe(2);
  expect(sandbox.account('b').scenario('feeder').number).toBe(numbers[0]);
});

test('a number from scenario() follows the announced voyage even if it is tracked 20 days later', async () => {
  const sandbox = stillSandbox();
  const scenario = sandbox.scenario('feeder');
  sandbox.advance({ days: 20 });
  await order(sandbox, scenario);
  sandbox.advance({ minutes: 1 });
  const loaded = scenario.steps.find(({ event }) => event === 'container.transport.vessel_loaded');
  const [box] = sandbox.account().timelines(sandbox.account().shipments()[0]?.id ?? '') ?? [];
  const happened = box?.entries.find(({ event }) => event === 'container.transport.vessel_loaded');
  expect(happened?.reportedAt).toEqual(loaded?.at);
  expect(happened?.isKnown).toBe(true);
});

test('numbers from scenario() follow the announced voyage after saving and loading', async () => {
  const sandbox = stillSandbox();
  const scenario = sandbox.scenario('rolled');
  const loaded = stillSandbox({ state: JSON.parse(JSON.stringify(sandbox.save())) });
  loaded.advance({ days: 3 });
  await order(loaded, scenario);
  loaded.advance({ days: 40 });
  const [box] = loaded.account().timelines(loaded.account().shipments()[0]?.id ?? '') ?? [];
  for (const { event, reportedAt } of box?.entries ?? []) {
    if (reportedAt > new Date(sandbox.now().getTime() + 60_000)) {
      expect(scenario.steps).toContainEqual(expect.objectContaining({ event, at: reportedAt }));
    }
  }
});

test('an unknown scenario is refused, and the error lists all scenarios', () => {
  expect(() => stillSandbox().scenario('on-fire' as ScenarioName)).toThrow('rail-with-customs-hold');
});
