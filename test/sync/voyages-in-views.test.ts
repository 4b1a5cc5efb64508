import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TrackingClient } from '../../src/client.ts';
import {
  containerState,
  type Delay,
  delays,
  isReadyForPickup,
  lastFreeDays,
  localTime,
} from '../../src/domain/index.ts';
import type { ContainerStage, LastFreeDays } from '../../src/index.ts';
import type { ScenarioName } from '../../src/sandbox/index.ts';
import { SCENARIO_NAMES, scriptNamed } from '../../src/sandbox/world/scripts.ts';
import type { SyncRow } from '../../src/sync/store.ts';
import { entriesOf } from '../../src/worklist/entries.ts';
import { checked } from '../../src/worklist/options.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { postgresPlace, type StorePlace, sqlitePlace } from '../../support/sync-stores.ts';

const HOURS_A_STEP = 6;
const STEPS = (110 * 24) / HOURS_A_STEP;
const WANTED = checked({ ready: true, lastFreeDay: { within: 1000 }, held: true, late: { days: 1 } });
const GONE: readonly ContainerStage[] = ['picked_up', 'delivered', 'empty_returned'];

const TRACKED = SCENARIO_NAMES.filter(
  name => !['tracking-failed', 'booking-cancelled', 'carrier-unreachable'].includes(name),
);

let server: PostgresServer | undefined;
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
});
afterAll(() => server?.stop());

const PLACES: [string, boolean, () => StorePlace][] = [
  ['SQLite', true, sqlitePlace],
  ['PostgreSQL', hasPostgres, () => postgresPlace(server as PostgresServer)],
];

/** The derived columns, in a form that is the same in both databases. */
const DERIVED = `stage, pickup, CASE WHEN ready_for_pickup THEN 'yes' ELSE 'no' END AS ready,
  CAST(last_free_day AS text) AS day, last_free_day_source AS source, last_free_day_timezone AS zone`;
const DELAYS = `CAST(departure_days_late AS text) AS departure, CAST(arrival_days_late AS text) AS arrival,
  CAST(destination_days_late AS text) AS destination,
  CASE WHEN has_arrived THEN 'yes' ELSE 'no' END AS arrived`;

const dayOf = (deadline: LastFreeDays['earliest']) => ({
  day: deadline?.date ?? null,
  source: deadline?.source ?? null,
  zone: deadline?.timezone ?? null,
});

const daysOf = (delay: Delay | null) => delay?.days ?? null;

/** The two databases format numbers differently, so the texts are converted to numbers. */
const numbers = ({ departure, arrival, destination, ...rest }: Record<string, unknown>) => ({
  ...rest,
  departure: departure === null ? null : Number(departure),
  arrival: arrival === null ? null : Number(arrival),
  destination: destination === null ? null : Number(destination),
});

/** The states of the container, one for each change. */
async function voyage(name: ScenarioName, seed: number) {
  const sandbox = stillSandbox({ seed });
  const baseUrl = 'https://service.example/v2';
  const client = new TrackingClient({ baseUrl, apiKey: 'sandbox', rateLimit: false, fetch: sandbox.fetch });
  const { requestType: request_type, number: request_number, scac } = sandbox.scenario(name);
  await client.trackingRequests.create({ request_type, request_number, scac });
  const moments = [];
  let before = '';
  for (let step = 0; step < STEPS; step += 1) {
    sandbox.advance({ hours: HOURS_A_STEP });
    const { data } = await client.containers.list({ include: ['shipment', 'pod_terminal', 'pickup_facility'] });
    const [container] = data;
    const facts = JSON.stringify(container);
    if (!container?.shipment || facts === before) continue;
    before = facts;
    moments.push({ now: sandbox.now(), container, shipment: container.shipment });
  }
  return moments;
}

const VOYAGES = TRACKED.flatMap(name => [1, 7].map(seed => [name, seed] as const));
const read = new Map<string, ReturnType<typeof voyage>>();

describe.each(PLACES)('%s', (_, isThere, openPlace) => {
  test.skipIf(!isThere).each(VOYAGES)(
    '%s (seed %i): the views and the table agree with the helpers at every change',
    { timeout: 120_000 },
    async (name, seed) => {
      const key = `${name} ${seed}`;
      const moments = read.get(key) ?? voyage(name, seed);
      read.set(key, moments);
      const place = openPlace();
      const store = place.open();
      await store.migrate();
      const seen = new Set<string>();
      for (const { now, container, shipment } of await moments) {
        const at = `${name} at ${now.toISOString()}`;
        const { pod_terminal, pickup_facility } = container;
        const records = [container, shipment, pod_terminal, pickup_facility].filter(each => each !== null);
        const rows = records.map(record => ({ type: record.type, id: record.id, asOf: now.getTime(), record }));
        await store.write({ rows: rows as SyncRow[] });

        const { stage, pickup } = containerState(container);
        const { earliest } = lastFreeDays(container, { now });
        const isOver = earliest?.hasEnded === true && !GONE.includes(stage);
        const ready = isReadyForPickup(container) ? 'yes' : 'no';
        const derived = { stage, pickup, ready, ...dayOf(isOver ? null : earliest) };
        const [row] = await place.sql(`SELECT ${DERIVED} FROM $.containers`);
        expect({ ...row }, at).toEqual(derived);

        const isAtPort = stage === 'at_port';
        const terminal = (isAtPort ? pod_terminal : pickup_facility)?.name ?? null;
        const timezone = isAtPort ? container.pod_timezone : container.final_destination_timezone;
        const standing = isAtPort || stage === 'at_inland' ? [{ ...derived, terminal, timezone }] : [];
        const pickups = await place.sql(`SELECT ${DERIVED}, terminal, timezone FROM $.pickups`);
        expect(
          pickups.map(each => ({ ...each })),
          at,
        ).toEqual(standing);

        const { departure, arrival, destination } = delays(shipment);
        const days = { departure: daysOf(departure), arrival: daysOf(arrival), destination: daysOf(destination) };
        const [late] = await place.sql(`SELECT ${DELAYS} FROM $.delays`);
        if (late) expect(numbers(late), at).toEqual({ ...days, arrived: shipment.pod_ata_at ? 'yes' : 'no' });
        expect(late !== undefined, at).toBe([departure, arrival, destination].some(delay => delay?.isLate));

        const entries = entriesOf(container, WANTED, now);
        const list = (name: string) => entries.find(entry => entry.list === name);
        expect(list('ready') !== undefined, at).toBe(standing[0]?.ready === 'yes');
        const isNear =
          !GONE.includes(stage) &&
          derived.day !== null &&
          derived.day >= (localTime(now.toISOString(), derived.zone)?.date ?? '');
        if (isNear || list('lastFreeDay')) expect(list('lastFreeDay')?.deadline?.date, at).toBe(derived.day);
        if (standing.length > 0) for (const entry of entries) expect(entry.terminal, at).toBe(terminal);
        expect(list('held') !== undefined, at).toBe(containerState(container).reasons.includes('hold'));
        const isLate = [arrival, destination].some(delay => (delay?.days ?? 0) >= 1.1) && !GONE.includes(stage);
        if (isLate) expect(list('late'), at).toBeDefined();
        else if (list('late')) expect(late, at).toBeDefined();
        seen.add(stage).add(String(derived.source));
      }
      const source = scriptNamed(name).rail ? 'railway' : 'terminal';
      expect([...seen]).toEqual(expect.arrayContaining(['at_port', 'empty_returned', source]));
      await store.close();
      await place.remove();
    },
  );
});
