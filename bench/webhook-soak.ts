/**
 * Sends 10,000 notifications, a fifth of them twice. Meanwhile responses are dropped, and the receiver and the worker
 * are killed three times. Then it measures full stores, paused workers, and the cost of a claim in a store with many
 * entries. Run no other program at the same time.
 */

import { soak } from '../support/webhook-soak/run.ts';
import { fullRedis } from './full-redis.ts';
import { inboxCosts } from './inbox.ts';
import { pausedWorkers } from './paused-workers.ts';

const notifications = Number(process.argv[2] ?? 10_000);
const results = [];
for (const [store, acknowledgeFirst] of [
  ['sqlite', false],
  ['redis', false],
  ['sqlite', true],
] as const) {
  const result = await soak({ store, acknowledgeFirst, notifications, kills: 3 });
  results.push({ receiver: `${store}${acknowledgeFirst ? ', acknowledges first' : ''}`, ...result });
}
console.table(results.map(({ seconds, ...result }) => ({ ...result, seconds: Math.round(seconds) })));

const sound = results.slice(0, 2);
const isSound = sound.every(
  ({ lost, storedTwice, stored, handled, failed, recovered }) =>
    lost + storedTwice === 0 && stored === handled && failed === recovered,
);
if (!isSound || results.at(-1)?.lost === 0) process.exitCode = 1;

const drained = await fullRedis(2000);
console.table(drained);
if (drained.some(({ stored, handled, left }) => stored !== handled || left !== 0)) process.exitCode = 1;

const paused = await pausedWorkers(2000);
console.table(paused);
const isOrderly = paused.every(
  ({ notifications, handled, outOfOrder, left, dead }) =>
    notifications === handled && outOfOrder === 0 && !left && !dead,
);
if (!isOrderly || paused.at(-1)?.discarded === 0) process.exitCode = 1;

const costs = await inboxCosts();
console.table(costs);
if (costs.some(({ ofEmpty }) => ofEmpty > 2)) process.exitCode = 1;
