/**
 * Compares our inboxes with queue systems on the same store: `npm run bench:queues [store …]`. All of them wait until a
 * stored entry is on the disk. The other systems also wait for the disk after an entry is handled. Our inbox in
 * PostgreSQL does not wait then: after a crash of the server, it handles such an entry again. Our inboxes keep the
 * order of each container; the other systems have no order.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../support/benchmarks/measure.ts';
import { openQueue, QUEUES, type QueueName } from './queue-systems.ts';
import { STORES, type Start } from './stores.ts';

const CONCURRENCIES = [1, 10, 50];
const ENTRIES = 2000;
const ROUNDS = 3;
const SAMPLES = 100;

/** Entries per second: the median of several rounds, in which the systems take turns. */
async function throughput(store: string, names: QueueName[]): Promise<void> {
  for (const concurrency of CONCURRENCIES) {
    const rates = new Map<QueueName, number[]>(names.map(name => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of names) {
        const place = await (STORES[store] as Start)();
        const queue = await openQueue(name, place.address);
        await queue.fill(ENTRIES);
        const began = performance.now();
        let handled = 0;
        const stop = await new Promise<() => Promise<void>>((done, fail) => {
          const stopping = queue.work(concurrency, () => {
            handled += 1;
            if (handled === ENTRIES) done(stopping.then(end => end));
          });
          stopping.catch(fail);
        });
        await stop();
        rates.get(name)?.push((ENTRIES / (performance.now() - began)) * 1000);
        await queue.close();
        await place.end();
      }
    }
    const row = names.map(name => `${name} ${Math.round(median(rates.get(name) ?? []))}`);
    console.log(`${store}, ${concurrency} at a time, entries a second: ${row.join(' · ')}`);
  }
}

/** Time from the acknowledgement of an entry to the start of its handler, in ms, with one entry at a time. */
async function latency(store: string, name: QueueName, elsewhere: boolean): Promise<void> {
  const place = await (STORES[store] as Start)();
  const queue = await openQueue(name, place.address);
  await queue.fill(1);
  const started = new Map<string, number>();
  const starts = (id: string, at: number) => started.set(id, at);
  let worker: ChildProcess | undefined;
  let stop: (() => Promise<void>) | undefined;
  if (elsewhere) {
    const script = resolve(import.meta.dirname, 'queue-worker.ts');
    worker = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, name, place.address], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    worker.on('message', message => {
      const { id, at } = message as { id: string; at: number };
      starts(id, at);
    });
  } else stop = await queue.work(8, id => starts(id, performance.timeOrigin + performance.now()));
  while (started.size === 0) await sleep(10);
  const waits: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await sleep(20 + Math.random() * 20);
    const id = await queue.put(`sample-${sample}`);
    const acknowledged = performance.timeOrigin + performance.now();
    while (!started.has(id)) await sleep(1);
    waits.push((started.get(id) ?? Number.NaN) - acknowledged);
  }
  await stop?.();
  if (worker) {
    const exit = once(worker, 'exit');
    worker.kill();
    await exit;
  }
  await queue.close();
  await place.end();
  const sorted = waits.toSorted((a, b) => a - b);
  const at99 = sorted[Math.floor(SAMPLES * 0.99) - 1] ?? Number.NaN;
  const where = elsewhere ? 'another process' : 'the same process';
  console.log(`${store}, ${where}, ${name}: ${median(waits).toFixed(1)} ms, 99 %: ${at99.toFixed(1)} ms`);
}

const asked = process.argv.slice(2);
for (const store of Object.keys(STORES)) {
  if (asked.length > 0 && !asked.includes(store)) continue;
  const names = (Object.keys(QUEUES) as QueueName[]).filter(name => QUEUES[name].store === store);
  await throughput(store, names);
  for (const name of names) {
    await latency(store, name, false);
    await latency(store, name, true);
  }
}
