import { expect, test } from 'vitest';
import { containerState } from '../../src/domain/index.ts';
import { pickupView } from '../../src/mcp-server/views/lifecycle.ts';
import { pickup } from '../../src/worklist/words.ts';

const RAIL = {
  pod_discharged_at: '2026-03-02T08:00:00Z',
  pod_rail_loaded_at: '2026-03-03T08:00:00Z',
  pod_rail_departed_at: '2026-03-03T12:00:00Z',
};

test.each([
  ['travels on a train', {}, 'Wait for its train, then collect it.', 'It is on a train.'],
  [
    'has arrived inland and is not unloaded',
    { ind_ata_at: '2026-03-05T12:00:00Z' },
    'Wait until it is unloaded, then collect it.',
    'Its train has arrived inland, and it has not been unloaded yet.',
  ],
])('the next step and the reason show that a container %s', (_, facts, next, reason) => {
  const state = containerState({ ...RAIL, ...facts });
  expect(pickup(state, null)).toBe(next);
  expect(pickupView(state).reasons).toContain(reason);
});
