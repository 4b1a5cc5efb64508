import { expect, test } from 'vitest';
import { perBucket } from '../../src/rate-limit/limiter.ts';
import { LocalBudget, PRACTICALLY_UNLIMITED } from '../../src/rate-limit/redis/local-budget.ts';

const limits = { default: 100, createTrackingRequest: 7, inferNumber: 200, refreshContainer: 2 };
const make = () => new LocalBudget({ limits, cycleMs: 1000, silenceMs: 500, delayMs: 100 });
const whole = { default: 25, createTrackingRequest: 1, inferNumber: 50, refreshContainer: 0 };
const used = (count: number) => () => count;

test('a disconnected process may first use no slots, then the number of slots that it has in use, and then its share', () => {
  const localBudget = make();
  expect(localBudget.limitsAt(0, used(0))).toEqual(perBucket(() => PRACTICALLY_UNLIMITED));
  localBudget.goOffline(10_000, 0.25, 9900);
  expect(localBudget.limitsAt(10_399, used(12))).toEqual(perBucket(() => 0));
  expect(localBudget.changesAt(10_399)).toBe(10_400);
  const inUse = { default: 12, createTrackingRequest: 1, inferNumber: 12, refreshContainer: 0 };
  expect(localBudget.limitsAt(10_400, used(12))).toEqual(inUse);
  // Slots that become free later are still part of the limit, because this process uses them again.
  expect(localBudget.limitsAt(11_400, used(3))).toEqual(inUse);
  expect(localBudget.limitsAt(11_500, used(3))).toEqual(whole);
});

test('a reconnected process keeps its smaller share for a while', () => {
  const localBudget = make();
  localBudget.goOffline(0, 0.25, 0);
  localBudget.comeOnline(5000, 1, 2000);
  expect(localBudget.limitsAt(6999, used(99))).toEqual(whole);
  expect(localBudget.limitsAt(7000, used(99))).toEqual(perBucket(() => PRACTICALLY_UNLIMITED));
});

test('the wait starts again if Redis may have received a report during the wait', () => {
  const localBudget = make();
  localBudget.goOffline(0, 0.25, 0);
  expect(localBudget.limitsAt(700, used(12)).default).toBe(12);
  localBudget.contactAttempted(800);
  expect(localBudget.limitsAt(1299, used(12)).default).toBe(0);
  expect(localBudget.limitsAt(1300, used(5)).default).toBe(5);
  expect(localBudget.limitsAt(2400, used(5))).toEqual(whole);
});

test('a process that does not share the budget continues with the full limits', () => {
  const localBudget = make();
  localBudget.goOffline(0, 1, 0);
  expect(localBudget.limitsAt(0, used(0))).toEqual(limits);
  localBudget.comeOnline(10, 1, 1000);
  expect(localBudget.limitsAt(11, used(0)).default).toBe(PRACTICALLY_UNLIMITED);
});
