import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceClock } from '../../src/sync/service-clock.ts';

const header = (ms: number) => new Date(ms).toUTCString();
const START = Date.parse('2026-03-09T03:00:00.700Z');

test('the clock never gives a response a later time than the time at which the service made it, with any delays and any difference between the clocks', () => {
  const answer = fc.record({
    pause: fc.integer({ min: 0, max: 5000 }),
    /**
     * The delays in ms: from the sending of the request to the making of the body, then to the Date header, then to the
     * arrival.
     */
    delays: fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 3000 }))),
  });
  fc.assert(
    fc.property(fc.array(answer, { minLength: 1, maxLength: 30 }), fc.integer(), (answers, difference) => {
      let local = 0;
      const clock = new ServiceClock(() => local);
      const service = () => START + (Math.abs(difference) % 86_400_000) + local;
      for (const { pause, delays } of answers) {
        local += pause;
        const sentAt = local;
        local += delays[0] ?? 0;
        const assembled = service();
        local += delays[1] ?? 0;
        const date = header(service());
        local += delays[2] ?? 0;
        const asOf = clock.date({ sentAt, receivedAt: local, date });
        expect(asOf).toBeLessThanOrEqual(assembled);
        expect(asOf % 1000).toBe(0);
      }
    }),
  );
});

test('the clock dates the reads of one process in the order in which they began', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 2, maxLength: 40 }), steps => {
      let local = 0;
      const clock = new ServiceClock(() => local);
      let last = 0;
      for (const [index, step] of steps.entries()) {
        const sentAt = local;
        local += step;
        const asOf = clock.date({ sentAt, receivedAt: local, date: header(START + local - (index % 3) * (step / 3)) });
        expect(asOf).toBeGreaterThanOrEqual(last);
        last = asOf;
      }
    }),
  );
});

test('the clock is exact to about a second after some responses, because the Date header has whole seconds', () => {
  let local = 0;
  const clock = new ServiceClock(() => local);
  for (let count = 0; count < 40; count += 1) {
    const sentAt = local;
    local += 20;
    clock.date({ sentAt, receivedAt: local, date: header(START + local) });
    local += 617;
  }
  const error = START + local - clock.at(local);
  expect(error).toBeLessThan(1100);
});

test('the clock follows the clock of the service when the service moves its clock forward or back', () => {
  let local = 0;
  const clock = new ServiceClock(() => local);
  const read = (service: number) => clock.date({ sentAt: local, receivedAt: local + 10, date: header(service) });
  read(START);
  const jumped = START + 3_600_000;
  // After a jump, the clock gives the first response a time that is too early. That does no harm.
  expect(read(jumped)).toBeLessThan(jumped);
  local += 100;
  expect(read(jumped + 100)).toBeGreaterThan(jumped - 2000);
  expect(read(START + 200)).toBeLessThanOrEqual(START + 200);
  local += 100;
  expect(Math.abs(clock.now() - (START + 300))).toBeLessThan(2000);
});

test('the clock is five minutes behind the local clock if the service sends no time', () => {
  const clock = new ServiceClock();
  const asOf = clock.date({ sentAt: clock.local(), receivedAt: clock.local(), date: null });
  expect(Date.now() - asOf).toBeGreaterThanOrEqual(300_000);
  expect(Date.now() - asOf).toBeLessThan(310_000);
});
