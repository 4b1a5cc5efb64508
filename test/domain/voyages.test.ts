import { expect, test } from 'vitest';
import { phaseOf } from '../../examples/board/src/data/summary.ts';
import { type ContainerStage, containerState, isReadyForPickup } from '../../src/domain/index.ts';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import type { Container } from '../../src/model/index.ts';
import type { Sandbox, Scenario, ScenarioName, ScenarioStep } from '../../src/sandbox/index.ts';
import { SCENARIO_NAMES, scriptNamed } from '../../src/sandbox/world/scripts.ts';
import { httpPeer, type Json, plainResult } from '../../support/mcp-peer.ts';
import { attributes, call, stillSandbox } from '../../support/sandbox.ts';
import { sqlitePlace } from '../../support/sync-stores.ts';

const HOURS_A_STEP = 6;
const STEPS = (110 * 24) / HOURS_A_STEP;

/** The stage of the container after this event. */
const STAGE_AFTER: Partial<Record<ScenarioStep['event'], ContainerStage>> = {
  'container.transport.empty_out': 'at_origin',
  'container.transport.full_in': 'at_origin',
  'container.transport.vessel_loaded': 'on_ship',
  'container.transport.vessel_departed': 'on_ship',
  'container.transport.vessel_arrived': 'arrived_at_port',
  'container.transport.vessel_discharged': 'at_port',
  'container.transport.rail_loaded': 'on_rail',
  'container.transport.rail_departed': 'on_rail',
  'container.transport.arrived_at_inland_destination': 'arrived_inland',
  'container.transport.rail_unloaded': 'at_inland',
  'container.transport.full_out': 'picked_up',
  'container.transport.delivered': 'delivered',
  'container.transport.empty_in': 'empty_returned',
};
const ORDER = ['booked', ...new Set(Object.values(STAGE_AFTER))];
const STANDING = ['at_port', 'at_inland'];

/**
 * The stage that the sandbox has planned for a time. Before the first step, it is the stage of the phase in which the
 * scenario begins.
 */
function planned({ name, steps }: Scenario, now: Date) {
  const known = steps.filter(({ at }) => at <= now).map(({ event }) => event);
  const { phase } = scriptNamed(name);
  const begin = ({ booked: 'booked', at_sea: 'on_ship', available: 'at_port' } as Record<string, ContainerStage>)[
    phase
  ];
  const stages = [begin ?? 'unknown', ...known.flatMap(event => STAGE_AFTER[event] ?? [])];
  const stage = stages.reduce((last, next) => (ORDER.indexOf(next) > ORDER.indexOf(last) ? next : last));
  const words = known.filter(event => /\.(not_)?available$/.test(event));
  const isAvailable = words.length > 0 ? words.at(-1) === 'container.transport.available' : phase === 'available';
  const holds =
    known.filter(event => event === 'hold.placed').length - known.filter(event => event === 'hold.released').length;
  const isReady = STANDING.includes(stage) && isAvailable && holds === 0;
  return { stage, pickup: isReady ? 'yes' : 'no', isHeld: STANDING.includes(stage) && holds > 0 };
}

async function begun(name: ScenarioName, seed: number): Promise<{ sandbox: Sandbox; scenario: Scenario }> {
  const sandbox = stillSandbox({ seed });
  const scenario = sandbox.scenario(name);
  const { requestType: request_type, number: request_number, scac } = scenario;
  await call(
    sandbox,
    'POST',
    '/tracking_requests',
    attributes('tracking_request', { request_type, request_number, scac }),
  );
  return { sandbox, scenario };
}

const PHASES: Partial<Record<ContainerStage, string>> = {
  booked: 'origin',
  at_origin: 'origin',
  on_ship: 'sea',
  picked_up: 'done',
  delivered: 'done',
  empty_returned: 'done',
};

const TRACKED = SCENARIO_NAMES.filter(
  name => !['tracking-failed', 'booking-cancelled', 'carrier-unreachable'].includes(name),
);

test.each(TRACKED.flatMap(name => [1, 7].map(seed => [name, seed] as const)))(
  '%s (seed %i): the rule, the MCP server, the board and the view of the database agree with the plan every six hours',
  { timeout: 120_000 },
  async (name, seed) => {
    const { sandbox, scenario } = await begun(name, seed);
    const baseUrl = 'https://service.example/v2';
    const client = { baseUrl, logger: false, rateLimit: false, fetch: sandbox.fetch } as const;
    const peer = httpPeer(createMcpHandler({ client, now: () => sandbox.now() }).fetch);
    const place = sqlitePlace();
    const store = place.open();
    await store.migrate();
    const seen = new Set<string>();
    let before = '';
    for (let step = 0; step < STEPS; step += 1) {
      sandbox.advance({ hours: HOURS_A_STEP });
      const [data] = (await call(sandbox, 'GET', '/containers')).body.data;
      if (!data) continue;
      const container = { ...data.attributes, id: data.id, type: 'container' } as Container;
      const state = containerState(container);
      const plan = planned(scenario, sandbox.now());
      const at = `${name} at ${sandbox.now().toISOString()}`;
      expect({ at, stage: state.stage, pickup: state.pickup, isHeld: state.holds.length > 0 }).toEqual({ at, ...plan });
      expect(isReadyForPickup(container), at).toBe(plan.pickup === 'yes');
      expect(state.reasons.includes('hold'), at).toBe(plan.isHeld);
      seen.add(state.stage);

      const now = JSON.stringify([state, container.current_status]);
      if (now === before) continue;
      before = now;
      const told = plainResult(await peer.call('get_container', { id: container.id }));
      expectTold(told, container, plan, at);
      expect(phaseOf(container), at).toBe(PHASES[state.stage] ?? 'arrived');
      await store.write({
        rows: [{ type: 'container', id: container.id, asOf: sandbox.now().getTime(), record: container }],
      });
      const rows = await place.sql('SELECT stage, pickup, ready_for_pickup AS ready FROM $.pickups');
      const row = { stage: state.stage, pickup: state.pickup, ready: isReadyForPickup(container) ? 1 : 0 };
      expect(
        rows.map(each => ({ ...each })),
        at,
      ).toEqual(STANDING.includes(state.stage) ? [row] : []);
    }
    expect([...seen]).toEqual(expect.arrayContaining(['at_port', 'picked_up', 'empty_returned']));
    if (scriptNamed(name).rail) expect([...seen]).toEqual(expect.arrayContaining(['on_rail', 'at_inland']));

    const [{ id }] = (await call(sandbox, 'GET', '/containers')).body.data;
    const { milestones } = plainResult(await peer.call('get_container_transport_events', { id }));
    const { journey } = plainResult(await peer.call('get_container', { id }));
    expect(milestones.gate_out_at).toBe(journey.gate_out_at);
    expect(milestones.delivered_at).toBe(journey.delivered_at);
    expect(milestones.empty_returned_at).toBe(journey.empty_returned_at);
    expect(journey.delivered_at !== undefined).toBe(name === 'delivered');
    await store.close();
    await place.remove();
  },
);

const GUIDANCE: Partial<Record<ContainerStage, RegExp>> = {
  on_rail: /travels inland by train/,
  arrived_inland: /train has arrived/,
  picked_up: /has left the terminal/,
  delivered: /marked the container as delivered/,
  empty_returned: /empty container is back/,
};

/** Seconds since the epoch. The two compared times differ in their offset and in fractions of a second. */
function instantOf(time: string | null | undefined): number | undefined {
  return time ? Math.floor(Date.parse(time) / 1_000) : undefined;
}

function expectTold(told: Json, container: Container, plan: ReturnType<typeof planned>, at: string): void {
  expect(told.status, at).toBe(container.current_status);
  expect(told.pickup.possible, at).toBe(plan.pickup);
  const standing = plan.pickup === 'yes' ? /can be picked up\./ : /cannot be picked up\./;
  const guidance = STANDING.includes(plan.stage) ? standing : GUIDANCE[plan.stage];
  if (guidance) expect(told._metadata.presentation_guidance, at).toMatch(guidance);
  else expect(told._metadata.presentation_guidance, at).not.toMatch(/picked up|train|left/);
  const { stage, gate_out_at, delivered_at, empty_returned_at } = told.journey;
  const times = [gate_out_at, delivered_at, empty_returned_at].map(instantOf);
  const { final_destination_full_out_at, pod_full_out_at, empty_terminated_at } = container;
  const sent = [final_destination_full_out_at ?? pod_full_out_at, container.delivered_at, empty_terminated_at];
  expect([stage, ...times], at).toEqual([plan.stage, ...sent.map(instantOf)]);
  const isGone = ['picked_up', 'delivered', 'empty_returned'].includes(plan.stage);
  if (isGone) expect(told.demurrage.urgency, at).toMatch(/none|unknown/);
}

test('pickup is unknown, and never refused, at a terminal that reports nothing', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(100);
  const pickups = new Set<string>();
  for (let day = 0; day < 40; day += 1) {
    sandbox.advance({ days: 1 });
    const { body } = await call(sandbox, 'GET', '/containers?page[size]=100');
    for (const { attributes: container } of body.data) {
      const { stage, pickup } = containerState(container);
      if (STANDING.includes(stage) && !container.availability_known) pickups.add(pickup);
    }
  }
  expect([...pickups]).toEqual(['unknown']);
});
