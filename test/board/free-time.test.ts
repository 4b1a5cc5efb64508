import { expect, test } from 'vitest';
import { freeTimeOf } from '../../examples/board/src/data/free-time.ts';
import { phaseOf, summarize } from '../../examples/board/src/data/summary.ts';
import { TrackingClient } from '../../src/client.ts';
import { demurrageDays, lastFreeDays } from '../../src/domain/index.ts';
import type { LastFreeDays } from '../../src/index.ts';
import { SCENARIO_NAMES } from '../../src/sandbox/world/scripts.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const HOURS_A_STEP = 6;
const STEPS = (70 * 24) / HOURS_A_STEP;
const TRACKED = SCENARIO_NAMES.filter(
  name => !['tracking-failed', 'booking-cancelled', 'carrier-unreachable'].includes(name),
);

/** The words for a deadline that has not passed. */
function running({ daysLeft }: NonNullable<LastFreeDays['earliest']>): string {
  if (daysLeft === 0) return 'Today is the last';
  const count = Math.abs(daysLeft);
  return `${count} ${count === 1 ? 'day' : 'days'} ${daysLeft < 0 ? 'over' : 'left'}`;
}

/** The warnings in the list, for a shipment with one container. */
function warnings(earliest: LastFreeDays['earliest']): string[] {
  if (earliest === null || earliest.hasEnded || earliest.daysLeft > 2) return [];
  if (earliest.daysLeft < 0) return ['Demurrage'];
  const plural = earliest.daysLeft === 1 ? 'day' : 'days';
  return [earliest.daysLeft === 0 ? 'Last free day' : `${earliest.daysLeft} free ${plural} left`];
}

test.each(TRACKED)(
  '%s: the board is read every six hours, and shows the last free day that the helpers return',
  async name => {
    const sandbox = stillSandbox({ seed: 1 });
    const baseUrl = 'https://service.example/v2';
    const client = new TrackingClient({ baseUrl, apiKey: 'sandbox', rateLimit: false, fetch: sandbox.fetch });
    const { requestType: request_type, number: request_number, scac } = sandbox.scenario(name);
    await client.trackingRequests.create({ request_type, request_number, scac });
    const seen = new Set<string>();
    for (let step = 0; step < STEPS; step += 1) {
      sandbox.advance({ hours: HOURS_A_STEP });
      const now = sandbox.now();
      const at = now.toISOString();
      const [shipment] = (await client.shipments.list({ include: ['containers'] })).data;
      const [container] = shipment?.containers ?? [];
      if (!shipment || !container) continue;
      const { earliest } = lastFreeDays(container, { now });
      const shown = freeTimeOf(container, now);
      expect(shown.lastFreeDay, at).toBe(earliest?.date);
      const over = demurrageDays(container, { now })?.days;
      if (earliest === null) expect(shown.text, at).toBe('Not known yet');
      else if (!earliest.hasEnded) expect(shown.text, at).toBe(running(earliest));
      else expect(shown.text, at).toMatch(over ? new RegExp(`^${over} days? over$`) : /^Collected in time$/);

      const alerts = summarize(shipment, now).alerts.filter(alert => !alert.endsWith(' hold'));
      expect(alerts, at).toEqual(phaseOf(container) === 'arrived' ? warnings(earliest) : []);
      seen.add(shown.tone);
    }
    expect([...seen]).toEqual(expect.arrayContaining(['plain']));
    expect(seen.size).toBeGreaterThan(1);
  },
);

test('the board shows "Left by rail", not a pickup, if a train has left the port before the deadline', () => {
  const container = {
    pod_timezone: 'America/New_York',
    final_destination_timezone: 'America/Chicago',
    import_deadlines: { pickup_lfd_line: null, pickup_lfd_terminal: '2026-05-12T04:00:00Z', pickup_lfd_rail: null },
    pod_discharged_at: '2026-05-08T00:00:00Z',
    pod_rail_loaded_at: '2026-05-11T00:00:00Z',
    pod_rail_departed_at: '2026-05-11T12:00:00Z',
  };
  expect(freeTimeOf(container, new Date('2026-05-20T12:00:00Z'))).toEqual({
    tone: 'plain',
    text: 'Left by rail in time',
    lastFreeDay: '2026-05-12',
  });
});
