import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import {
  type Alert,
  changesBetween,
  changesOf,
  type EventName,
  onlyNew,
  type TrackingClient,
} from '../../src/index.ts';
import type { Sandbox, ScenarioName } from '../../src/sandbox/index.ts';
import { createSync } from '../../src/sync/index.ts';
import { parseNotification } from '../../src/webhooks/index.ts';
import { clientOn } from '../../support/client.ts';
import { attributes, call, get, stillSandbox } from '../../support/sandbox.ts';
import { sqlitePlace } from '../../support/sync-stores.ts';

const STEP_HOURS = 2;
const STEPS = (60 * 24) / STEP_HOURS;
const SCENARIOS: ScenarioName[] = [
  'rolled',
  'transshipment-delay',
  'fees-and-last-free-day',
  'customs-exam',
  'rail-with-customs-hold',
  'rail-on-time',
];

// biome-ignore lint/suspicious/noExplicitAny: wire resources hold anything
type Wire = any;
type State = Map<string, Wire>;

/** Each test has the same sixty days: the seed decides all events, and a reading changes nothing. */
async function world(bodies: string[] = []): Promise<Sandbox> {
  const sandbox = stillSandbox({
    seed: 5,
    shipments: 14,
    fetch: async request => {
      bodies.push(await request.text());
      return new Response(null, { status: 200 });
    },
  });
  const { body } = await get(sandbox, '/webhooks/events');
  const events = body.data.flatMap(({ attributes: { events } }: Wire) => events.map(({ name }: Wire) => name));
  const webhook = { url: 'https://receiver.example/', active: true, events: events as EventName[] };
  await call(sandbox, 'POST', '/webhooks', attributes('webhook', webhook));
  for (const name of SCENARIOS) {
    const { requestType: request_type, number: request_number, scac } = sandbox.scenario(name);
    const request = attributes('tracking_request', { request_type, request_number, scac });
    await call(sandbox, 'POST', '/tracking_requests', request);
  }
  sandbox.advance({ hours: 1 });
  return sandbox;
}

/** Reads every container and shipment without the SDK. */
async function stateOf(sandbox: Sandbox): Promise<State> {
  const state: State = new Map();
  for (const type of ['containers', 'shipments']) {
    const { body } = await get(sandbox, `/${type}?page[size]=50`);
    expect(body.data.length, 'all of them are on one page').toBeLessThan(50);
    for (const { id, attributes, relationships } of body.data) {
      state.set(id, { ...attributes, id, type, shipment: relationships.shipment?.data.id });
    }
  }
  return state;
}

interface History {
  states: State[];
  bodies: string[];
}

async function recorded(): Promise<History> {
  const bodies: string[] = [];
  const sandbox = await world(bodies);
  await sandbox.flush();
  bodies.length = 0;
  const states = [await stateOf(sandbox)];
  for (let step = 0; step < STEPS; step += 1) {
    sandbox.advance({ hours: STEP_HOURS });
    await sandbox.flush();
    states.push(await stateOf(sandbox));
  }
  return { states, bodies };
}

let states: State[];
let bodies: string[];

beforeAll(async () => {
  ({ states, bodies } = await recorded());
}, 240_000);

/* The oracle reads attributes of the sandbox as a person would, and shares no code with the helpers. */

const dayAt = (instant: string | null, zone: string | null) =>
  instant && new Intl.DateTimeFormat('en-CA', { timeZone: zone ?? 'UTC' }).format(new Date(instant));
const isReady = (box: Wire) => box.current_status === 'available' && heldBy(box).length === 0;
const hasLeft = (box: Wire) => ['picked_up', 'delivered', 'empty_returned'].includes(box.current_status);
const heldBy = (box: Wire): string[] =>
  box.holds_at_pod_terminal.filter(({ status }: Wire) => status === 'hold').map(({ name }: Wire) => name);
const ESTIMATES = [
  ['departure', 'pol_etd_at', 'pol_timezone'],
  ['arrival', 'pod_eta_at', 'pod_timezone'],
  ['inland_arrival', 'destination_eta_at', 'destination_timezone'],
  ['inland_arrival', 'ind_eta_at', 'final_destination_timezone'],
] as const;
const DEADLINES = [
  ['line', 'pod_timezone'],
  ['terminal', 'pod_timezone'],
  ['rail', 'final_destination_timezone'],
] as const;

function differences(was: Wire, is: Wire): string[] {
  const found: string[] = [];
  for (const [estimate, name, zone] of ESTIMATES) {
    if (!was[name] || !is[name]) continue;
    const [from, to] = [dayAt(was[name], is[zone]), dayAt(is[name], is[zone])];
    if (from !== to) found.push(`${estimate} ${is.id} ${from} ${to}`);
  }
  if (is.type === 'shipments') {
    if (was.pod_vessel_imo && is.pod_vessel_imo !== was.pod_vessel_imo) {
      found.push(`${is.pol_atd_at ? 'transshipment_missed' : 'rolled'} ${is.id} ${is.pod_vessel_imo}`);
    }
    return found;
  }
  for (const name of heldBy(is)) if (!heldBy(was).includes(name)) found.push(`hold_added ${is.id} ${name}`);
  for (const name of heldBy(was)) if (!heldBy(is).includes(name)) found.push(`hold_cleared ${is.id} ${name}`);
  for (const { type, amount } of is.fees_at_pod_terminal) {
    const known = was.fees_at_pod_terminal.find((fee: Wire) => fee.type === type)?.amount;
    if (known === undefined) found.push(`fee_added ${is.id} ${type} ${amount} USD`);
    else if (known !== amount) found.push(`fee_changed ${is.id} ${type} ${known} ${amount} USD`);
  }
  if (hasLeft(is)) return found;
  if (isReady(is) !== isReady(was)) found.push(`${isReady(is) ? 'available' : 'unavailable'} ${is.id}`);
  for (const [source, zone] of DEADLINES) {
    const [before, after] = [was, is].map(box => box.import_deadlines[`pickup_lfd_${source}`]);
    if (after !== before) found.push(`last_free_day_moved ${is.id} ${source} ${dayAt(after, is[zone])}`);
  }
  return found;
}

/** All differences between two consecutive readings of the states. */
function oracle(every = 1): string[] {
  const found: string[] = [];
  for (let index = every; index < states.length; index += every) {
    const before = states[index - every];
    for (const [id, is] of states[index] ?? []) {
      const was = before?.get(id);
      if (was) found.push(...differences(was, is));
    }
  }
  return found.sort();
}

/** Converts an alert to the form of the oracle. */
function worded(alert: Alert): string {
  const { kind, id } = alert;
  switch (kind) {
    case 'estimate_moved':
      return `${alert.estimate} ${id} ${dayAt(alert.from, alert.timezone)} ${dayAt(alert.to, alert.timezone)}`;
    case 'hold_added':
    case 'hold_cleared':
      return `${kind} ${id} ${alert.hold}`;
    case 'fee_added':
      return `${kind} ${id} ${alert.fee} ${alert.amount} ${alert.currency}`;
    case 'fee_changed':
      return `${kind} ${id} ${alert.fee} ${alert.from} ${alert.amount} ${alert.currency}`;
    case 'last_free_day_moved':
      return `${kind} ${id} ${alert.source.replace('railway', 'rail')} ${alert.to}`;
    case 'rolled':
    case 'transshipment_missed':
      return `${kind} ${id} ${alert.to.imo}`;
    default:
      return `${kind} ${id}`;
  }
}

const inWords = (alerts: readonly Alert[]) => alerts.map(worded).sort();

test('the sixty days have alerts of every kind, with one exception: no container stops being available', async () => {
  const kinds = new Set(oracle().map(line => line.split(' ')[0]));
  expect([...kinds].sort()).toEqual([
    'arrival',
    'available',
    'departure',
    'fee_added',
    'fee_changed',
    'hold_added',
    'hold_cleared',
    'inland_arrival',
    'last_free_day_moved',
    'rolled',
    'transshipment_missed',
  ]);
});

/** Removes the alerts that notifications do not show; the guide explains these alerts. */
function shownByDeliveries(): string[] {
  const [begin, end] = [states[0] as State, states.at(-1) as State];
  const isReported = (id: string) => end.get(id)?.terminal_checked_at !== null;
  const others = oracle().filter(line => {
    const [kind = '', id = ''] = line.split(' ');
    if (/^(departure|arrival|inland_arrival|rolled|transshipment_missed)$/.test(kind)) return false;
    return kind === 'last_free_day_moved' || isReported(id);
  });
  const estimates = new Set<string>();
  for (const [index, state] of states.entries()) {
    for (const [id, is] of state) {
      const was = (states[index - 1] ?? begin).get(id);
      const shipment = is.type === 'shipments' ? is : state.get(is.shipment);
      const [name, zone, first, kind] =
        is.type === 'shipments'
          ? ['pod_eta_at', 'pod_timezone', 'pod_original_eta_at', 'arrival']
          : ['ind_eta_at', 'final_destination_timezone', 'destination_original_eta_at', 'inland_arrival'];
      if (!is[name] || is[name] === was?.[name] || !shipment[first]) continue;
      const [day, firstDay] = [dayAt(is[name], is[zone]), dayAt(shipment[first], is[zone])];
      if (day !== firstDay) estimates.add(`${kind} ${id} null ${day}`);
    }
  }
  return [...others, ...estimates].sort();
}

/** The items in a random order, which the seed decides. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
  return items
    .map(item => [next(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}

test.each([
  ['in their original order', (sent: string[]) => sent],
  ['that are sent twice each', (sent: string[]) => sent.flatMap(body => [body, body])],
  ['in reverse order', (sent: string[]) => sent.toReversed()],
  ['that are shuffled and sent twice each', (sent: string[]) => shuffled([...sent, ...sent], 7)],
  ['that are shuffled in another way', (sent: string[]) => shuffled(sent, 11)],
])('deliveries %s report each change once, and nothing else', async (_, order) => {
  const isNew = onlyNew(new Set());
  const alerts = order(bodies).flatMap(body => changesOf(parseNotification(body)).filter(isNew));
  expect(inWords(alerts)).toEqual(shownByDeliveries());
});

test('several notifications about one change have the same alert', async () => {
  const times = new Map<string, Set<string>>();
  for (const body of bodies) {
    const notification = parseNotification(body);
    for (const { key, kind } of changesOf(notification)) {
      if (kind === 'last_free_day_moved') times.set(key, new Set(times.get(key)).add(notification.event));
    }
  }
  expect([...times.values()].map(events => events.size)).toContain(2);
});

test('a last free day that is delivered without its container is reported when the notification is read again', async () => {
  const sent: string[] = [];
  const sandbox = await world(sent);
  const client = clientOn(sandbox.fetch, { validation: 'off' });
  const alerts: Alert[] = [];
  for (let step = 0; step < STEPS && alerts.length < 4; step += 1) {
    sandbox.advance({ hours: STEP_HOURS });
    await sandbox.flush();
    for (const notification of sent.splice(0).map(body => parseNotification(body))) {
      if (!/\.pickup_lfd_(rail|terminal)\.changed$/.test(notification.event)) continue;
      expect(changesOf(notification)).toEqual([]);
      alerts.push(...changesOf(await client.webhookNotifications.get(notification.id)));
    }
  }
  expect(alerts).toHaveLength(4);
  expect(oracle()).toEqual(expect.arrayContaining(inWords(alerts)));
});

/** Reads repeatedly, and advances the time between the readings. */
async function watched(type: 'containers' | 'shipments'): Promise<Alert[]> {
  const sandbox = await world();
  const end = new AbortController();
  let readings = 0;
  const client = clientOn(
    async (input, init) => {
      if (new URL(input).pathname.endsWith(`/${type}`)) {
        if (readings > STEPS) end.abort();
        else if (readings > 0) sandbox.advance({ hours: STEP_HOURS });
        readings += 1;
      }
      return sandbox.fetch(input, init);
    },
    { validation: 'off' },
  );
  const isNew = onlyNew(new Set());
  const alerts: Alert[] = [];
  const options = { every: 1, reconcile: 1, signal: end.signal };
  const feed = type === 'containers' ? client.containers.watch(options) : client.shipments.watch(options);
  const reading = (async () => {
    for await (const change of feed) alerts.push(...changesOf(change).filter(isNew));
  })();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  return alerts;
}

test('feeds report each change once, and nothing else', { timeout: 120_000 }, async () => {
  const alerts = [...(await watched('containers')), ...(await watched('shipments'))];
  expect(inWords(alerts)).toEqual(oracle());
});

test('the rows that sync writes report each change once, and nothing else', { timeout: 120_000 }, async () => {
  // With an interval of a day, one reading would have both the last day of demurrage and the gate-out.
  const every = 12;
  const sandbox = await world();
  const place = sqlitePlace();
  const store = place.open();
  const client: TrackingClient = clientOn(sandbox.fetch, { validation: 'off' });
  const sync = createSync({ client, store, logger: false, tables: ['container', 'shipment'] });
  await sync.migrate();
  const alerts: Alert[] = [];
  const kept = new DatabaseSync(':memory:');
  kept.exec('CREATE TABLE seen (id TEXT PRIMARY KEY, record TEXT NOT NULL)');
  const before = kept.prepare('SELECT record FROM seen WHERE id = ?');
  const keep = kept.prepare('INSERT INTO seen VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record');
  async function look(): Promise<void> {
    for (const table of ['containers', 'shipments']) {
      for (const { id, record, as_of } of await place.sql(`SELECT id, record, as_of FROM ${table}`)) {
        const known = before.get(String(id))?.record;
        if (known === record) continue;
        const at = String(as_of);
        if (known) alerts.push(...changesBetween(JSON.parse(String(known)), JSON.parse(String(record)), { at }));
        keep.run(String(id), String(record));
      }
    }
  }
  await sync.backfill();
  await look();
  for (let step = 0; step < STEPS; step += every) {
    sandbox.advance({ hours: every * STEP_HOURS });
    await sync.reconcile();
    await look();
  }
  kept.close();
  await store.close();
  await place.remove();
  expect(inWords(alerts)).toEqual(oracle(every));
  expect(new Set(alerts.map(({ key }) => key)).size).toBe(alerts.length);
});
