import { describe, expect, test } from 'vitest';
import { hasProgram } from '../../support/needs.ts';
import { soak } from '../../support/webhook-soak/run.ts';

const stores = ['sqlite', ...(hasProgram('redis-server') ? ['redis' as const] : [])] as const;

// `npm run bench:webhooks` does the same with 10,000 notifications.
describe('a receiver and a worker that are killed while the sandbox sends notifications', { timeout: 240_000 }, () => {
  test.each(stores)('store each notification once, and handle or recover it (inbox: %s)', async store => {
    const result = await soak({ store, notifications: 180, kills: 3 });
    expect(result).toMatchObject({ kills: 3, lost: 0, storedTwice: 0 });
    expect(result.dropped).toBeGreaterThan(10);
    expect(result.deliveries).toBeGreaterThan(result.notifications * 1.2);
    expect(result.handled).toBe(result.stored);
    // Only entries that were being handled when the worker was killed may be handled twice.
    expect(result.handledTwice).toBeLessThanOrEqual(result.kills * 8);
    expect(result.recovered).toBe(result.failed);
    expect(result.stored + result.recovered).toBe(result.notifications);
  });

  test('lose notifications if the receiver acknowledges before it stores, and only a recovery with the inbox finds them', async () => {
    const result = await soak({ store: 'sqlite', notifications: 120, kills: 2, acknowledgeFirst: true });
    expect(result.lost).toBeGreaterThan(0);
    expect(result.recovered).toBe(result.lost + result.failed);
  });
});
