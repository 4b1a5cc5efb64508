import { expect, test } from 'vitest';
import { demurrageDays, lastFreeDays } from '../../src/domain/index.ts';
import type { Container } from '../../src/model/index.ts';
import { SCENARIO_NAMES } from '../../src/sandbox/world/scripts.ts';
import { attributes, call, get, stillSandbox } from '../../support/sandbox.ts';

const HOURS_A_STEP = 6;
const STEPS = (70 * 24) / HOURS_A_STEP;
const A_DAY = 185;

const feeOf = ({ fees_at_pod_terminal: fees }: Container) =>
  fees?.find(({ type }) => type === 'demurrage')?.amount ?? 0;

test.each(SCENARIO_NAMES.flatMap(name => [1, 7].map(seed => [name, seed] as const)))(
  '%s (seed %i): every six hours, the fee is the daily fee times the days since the earliest last free day',
  async (name, seed) => {
    const sandbox = stillSandbox({ seed });
    const { requestType: request_type, number: request_number, scac } = sandbox.scenario(name);
    const request = attributes('tracking_request', { request_type, request_number, scac });
    await call(sandbox, 'POST', '/tracking_requests', request);
    for (let step = 0; step < STEPS; step += 1) {
      sandbox.advance({ hours: HOURS_A_STEP });
      const now = sandbox.now();
      const [data] = (await get(sandbox, '/containers')).body.data;
      if (!data) continue;
      const container: Container = { ...data.attributes, id: data.id, type: 'container' };
      const days = demurrageDays(container, { now })?.days ?? 0;
      expect(feeOf(container), `${name} at ${now.toISOString()}`).toBe(days * A_DAY);
    }
  },
);

test('the fee counts the days from the terminal’s last free day if the last free day of the shipping line is later', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(100, { phase: 'available', containers: 1 });
  const later = new Set<string>();
  for (let step = 0; step < 60; step += 1) {
    sandbox.advance({ hours: 5 });
    const now = sandbox.now();
    const { data } = (await get(sandbox, '/containers?page[size]=50')).body;
    for (const { id, attributes: record } of data) {
      const container = { ...record, id, type: 'container' } as Container;
      const days = demurrageDays(container, { now })?.days ?? 0;
      expect(feeOf(container), `${id} at ${now.toISOString()}`).toBe(days * A_DAY);
      const { line, terminal } = lastFreeDays(container, { now });
      if (days > 0 && line && terminal && line.date > terminal.date) later.add(id);
    }
  }
  expect(later.size).toBeGreaterThan(0);
});

test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'the container of fees-and-last-free-day (seed %i) begins before its last free day, and is collected five or six days after that day',
  async seed => {
    const sandbox = stillSandbox({ seed });
    const { requestType: request_type, number: request_number, scac } = sandbox.scenario('fees-and-last-free-day');
    const request = attributes('tracking_request', { request_type, request_number, scac });
    await call(sandbox, 'POST', '/tracking_requests', request);
    sandbox.advance({ minutes: 5 });
    const [begun] = (await get(sandbox, '/containers')).body.data;
    expect(begun.attributes.current_status).toBe('available');
    expect(demurrageDays(begun.attributes, { now: sandbox.now() })).toMatchObject({ state: 'free', days: 0 });
    sandbox.advance({ days: 25 });
    const [data] = (await get(sandbox, '/containers')).body.data;
    const demurrage = demurrageDays(data.attributes, { now: sandbox.now() });
    expect(demurrage).toMatchObject({
      state: 'ended',
      days: expect.toSatisfy((days: number) => [5, 6].includes(days)),
    });
  },
);
