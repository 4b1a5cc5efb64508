import { expect, test } from 'vitest';
import { demurrageDays, lastFreeDay, lastFreeDays } from '../../src/domain/index.ts';
import type { Container } from '../../src/model/index.ts';
import type { ScenarioName } from '../../src/sandbox/index.ts';
import { SCENARIO_NAMES } from '../../src/sandbox/world/scripts.ts';
import { attributes, call, stillSandbox } from '../../support/sandbox.ts';
import { sqlitePlace } from '../../support/sync-stores.ts';

const HOURS_A_STEP = 6;
const STEPS = (70 * 24) / HOURS_A_STEP;

/** The facts that a person finds by reading the events of a scenario (seed 1). Days are local days of the place. */
interface Told {
  /** The first reading with a known deadline. There is a reading every six hours. */
  known: string;
  source: 'terminal' | 'railway';
  day: string;
  zone: 'America/Los_Angeles' | 'America/New_York' | 'America/Chicago';
  /** The last free day of the line. In this table, it is never the earliest. */
  line?: { known: string; day: string };
  /** The gate-out, in UTC, and the number of chargeable days at that time. */
  left: string;
  charged: number;
}

const WEST = { source: 'terminal', zone: 'America/Los_Angeles' } as const;
const EAST = { source: 'terminal', zone: 'America/New_York' } as const;
const INLAND = { source: 'railway', zone: 'America/Chicago' } as const;

const TOLD: Partial<Record<ScenarioName, Told>> = {
  'direct-on-time': { ...WEST, known: '04-04T21', day: '04-08', left: '04-07T17:12', charged: 0 },
  'transshipment-delay': { ...WEST, known: '04-22T03', day: '04-27', left: '04-24T15:36', charged: 0 },
  feeder: { ...EAST, known: '04-27T15', day: '05-03', left: '04-29T13:37', charged: 0 },
  // The port has no last free day, because the train takes the container away.
  'rail-with-customs-hold': { ...INLAND, known: '04-04T15', day: '04-08', left: '04-08T13:06', charged: 0 },
  'rail-on-time': { ...INLAND, known: '03-24T09', day: '03-29', left: '03-30T15:19', charged: 1 },
  rolled: { ...WEST, known: '04-11T03', day: '04-14', left: '04-13T14:03', charged: 0 },
  // Collected on 16 March at 5 p.m. in Los Angeles.
  'fees-and-last-free-day': { ...WEST, known: '03-09T09', day: '03-11', left: '03-17T00:00', charged: 5 },
  'customs-exam': { ...WEST, known: '03-20T03', day: '03-25', left: '03-27T15:35', charged: 2 },
  delivered: {
    ...{ ...WEST, known: '03-09T09', day: '03-10', left: '03-09T15:09', charged: 0 },
    line: { known: '03-09T09', day: '03-12' },
  },
  'documents-by-email': { ...WEST, known: '03-15T21', day: '03-21', left: '03-20T17:36', charged: 0 },
  'awaiting-manifest': { ...WEST, known: '04-08T03', day: '04-13', left: '04-09T23:37', charged: 0 },
  'flaky-carrier': {
    ...{ ...WEST, known: '03-15T09', day: '03-20', left: '03-18T16:28', charged: 0 },
    line: { known: '03-15T15', day: '03-22' },
  },
};

const NEVER_SHIPPED = ['tracking-failed', 'booking-cancelled', 'carrier-unreachable'];

test('every scenario with a container is in the table', () => {
  expect(Object.keys(TOLD).sort()).toEqual(SCENARIO_NAMES.filter(name => !NEVER_SHIPPED.includes(name)).sort());
});

const instant = (short: string) => new Date(`2026-${short}${short.includes(':') ? '' : ':00'}:00Z`);
const dayIn = (zone: string, at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** The number of chargeable days at a moment, and whether the number still grows. */
function charge({ day, zone, left, charged }: Told, now: Date) {
  if (now >= instant(left)) return { state: 'ended', days: charged };
  const days = Math.max(0, daysBetween(`2026-${day}`, dayIn(zone, now)));
  return { state: days > 0 ? 'running' : 'free', days };
}

test.each(Object.entries(TOLD))(
  '%s: the last free day and the demurrage are as expected every six hours, also in the view of the database',
  { timeout: 60_000 },
  async (name, told) => {
    const sandbox = stillSandbox({ seed: 1 });
    const { requestType: request_type, number: request_number, scac } = sandbox.scenario(name as ScenarioName);
    const request = attributes('tracking_request', { request_type, request_number, scac });
    await call(sandbox, 'POST', '/tracking_requests', request);
    const place = sqlitePlace();
    const store = place.open();
    await store.migrate();
    let written = '';
    for (let step = 0; step < STEPS; step += 1) {
      sandbox.advance({ hours: HOURS_A_STEP });
      const now = sandbox.now();
      const at = now.toISOString();
      const [data] = (await call(sandbox, 'GET', '/containers')).body.data;
      if (!data) continue;
      const container = { ...data.attributes, id: data.id, type: 'container' } as Container;
      const { earliest, line, terminal, railway } = lastFreeDays(container, { now });
      const own = { terminal, railway }[told.source];
      if (now < instant(told.known)) {
        expect({ at, earliest, line, terminal, railway }).toEqual({
          ...{ at, earliest: null, line: null, terminal: null, railway: null },
        });
        expect(demurrageDays(container, { now }), at).toBeNull();
        continue;
      }
      const date = `2026-${told.day}`;
      const daysLeft = daysBetween(dayIn(told.zone, now), date);
      const hasEnded = now >= instant(told.left);
      const { source, zone: timezone } = told;
      expect(earliest, at).toMatchObject({ source, date, timezone, daysLeft, hasEnded });
      expect(own, at).toEqual(earliest);
      expect(lastFreeDay(container, { now }), at).toMatchObject({ date, timezone, daysLeft });
      expect(demurrageDays(container, { now }), at).toMatchObject({ ...charge(told, now), lastFreeDay: date });
      const ofLine = told.line && now >= instant(told.line.known) ? { ...told, day: told.line.day, charged: 0 } : null;
      expect(line?.date ?? null, at).toBe(ofLine && `2026-${ofLine.day}`);
      const lineDemurrage = demurrageDays(container, { now, by: 'line' });
      if (ofLine) expect(lineDemurrage, at).toMatchObject(charge(ofLine, now));
      else expect(lineDemurrage, at).toBeNull();

      const facts = JSON.stringify(data.attributes);
      if (facts === written) continue;
      written = facts;
      await store.write({ rows: [{ type: 'container', id: container.id, asOf: now.getTime(), record: container }] });
      const [row] = await place.sql(
        'SELECT last_free_day AS day, last_free_day_source AS source, last_free_day_timezone AS zone FROM $.pickups',
      );
      if (!hasEnded && row) expect({ ...row }, at).toEqual({ day: date, source, zone: timezone });
      expect(row === undefined || !hasEnded, at).toBe(true);
    }
    await store.close();
    await place.remove();
  },
);
