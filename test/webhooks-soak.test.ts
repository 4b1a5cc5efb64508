import { describe, expect, test } from 'vitest';
import { soak } from '../bench/webhook-soak-run.ts';

// `node bench/webhook-soak.ts` does the same with 10,000 notifications, and on Redis.
describe('receiver and worker killed while the sandbox tells of voyages', { timeout: 60_000 }, () => {
  test('all are stored once and handled, or recovered', async () => {
    const result = await soak({ store: 'sqlite', notifications: 180, kills: 3 });
    expect(result).toMatchObject({ kills: 3, lost: 0, storedTwice: 0 });
    expect(result.dropped).toBeGreaterThan(10);
    expect(result.deliveries).toBeGreaterThan(result.notifications * 1.2);
    expect(result.handled).toBe(result.stored);
    expect(result.recovered).toBe(result.failed);
    expect(result.stored + result.recovered).toBe(result.notifications);
  });

  test('the control: whoever acknowledges first loses some, and only a recovery that knows the inbox finds them', async () => {
    const result = await soak({ store: 'sqlite', notifications: 120, kills: 2, acknowledgeFirst: true });
    expect(result.lost).toBeGreaterThan(0);
    expect(result.recovered).toBe(result.lost + result.failed);
  });
});
