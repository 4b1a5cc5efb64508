import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from '../support/redis.ts';
import { openStore } from '../support/webhook-soak/store.ts';

const SCRIPT = resolve(import.meta.dirname, 'paused-worker.ts');
const LEASE_MS = 1000;
const GROUPS = 20;

/**
 * Two workers on one store. Each worker is stopped again and again, in the middle of its handlers, for longer than its
 * lease. Returns the number of writes that a user's database with a check of the fencing token would refuse, and of
 * writes that it would accept out of order.
 */
export async function pausedWorkers(count: number): Promise<Record<string, unknown>[]> {
  return [await pause('sqlite', count, 0), await pause('sqlite', count, 8), await pause('redis', count, 8)];
}

async function pause(store: 'sqlite' | 'redis', count: number, pauses: number): Promise<Record<string, unknown>> {
  const directory = mkdtempSync(join(tmpdir(), 'paused-'));
  const redis = store === 'redis' ? await startRedis() : undefined;
  const address = redis?.url ?? join(directory, 'inbox.db');
  const log = join(directory, 'log');
  const workers: ChildProcess[] = [];
  try {
    const { inbox, close } = await openStore(address);
    for (let n = 0; n < count; n++) {
      const id = `n${n}`;
      const notification = { data: { id, type: 'webhook_notification', attributes: { event: 'container.updated' } } };
      const body = new TextEncoder().encode(JSON.stringify(notification));
      const order = String(n).padStart(8, '0');
      await inbox.put({ id, event: 'container.updated', group: `g${n % GROUPS}`, order, body, receivedAt: 0 });
    }
    for (let n = 0; n < 2; n++) workers.push(spawn(process.execPath, [SCRIPT, address, log, String(LEASE_MS)]));
    await Promise.all(workers.map(worker => once(worker.stdout as NodeJS.ReadableStream, 'data')));
    for (let n = 0; n < pauses; n++) {
      const worker = workers[n % 2];
      worker?.kill('SIGSTOP');
      await sleep(2 * LEASE_MS);
      worker?.kill('SIGCONT');
      await sleep(LEASE_MS / 4);
    }
    const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
    const handled = () => new Set(lines().flatMap(line => /^ended (\S+)/.exec(line)?.[1] ?? []));
    for (let waits = 0; waits < 600 && handled().size < count; waits++) await sleep(100);
    await sleep(2 * LEASE_MS);
    const stages = lines();
    const left = await inbox.claim({ limit: 10, leaseMs: 1 });
    const dead = await inbox.deadLetters();
    close();
    return {
      store: pauses === 0 ? `${store}, no pause` : store,
      notifications: count,
      pauses,
      handled: handled().size,
      discarded: stages.filter(line => line.startsWith('discarded')).length,
      aborted: stages.filter(line => line.startsWith('aborted')).length,
      ...written(stages),
      left: left.length,
      dead: dead.length,
    };
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
    await redis?.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Simulates a database that keeps the highest fencing token of each group, and refuses a lower token. Returns the
 * number of refused (`stale`) writes, and of accepted writes that are out of order.
 */
function written(lines: string[]): { stale: number; outOfOrder: number } {
  const last = new Map<string, { fence: number; n: number }>();
  let [stale, outOfOrder] = [0, 0];
  for (const line of lines) {
    const [, id = '', fence] = /^ended (\S+) (\d+)/.exec(line) ?? [];
    if (!id) continue;
    const n = Number(id.slice(1));
    const group = `g${n % GROUPS}`;
    const before = last.get(group);
    if (before && Number(fence) < before.fence) {
      stale += 1;
      continue;
    }
    if (before && n < before.n) outOfOrder += 1;
    last.set(group, { fence: Number(fence), n });
  }
  return { stale, outOfOrder };
}
