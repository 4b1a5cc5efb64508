/** A worker whose handlers take some time. Each handler appends a line to the log when it ends. Arguments: `<store> <log> <leaseMs>`. */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRouter, createWorker } from '../src/webhooks/index.ts';
import { openStore } from '../support/webhook-soak/store.ts';

const [store = '', log = '', leaseMs] = process.argv.slice(2);
const note = (line: string) => appendFileSync(log, `${line}\n`);
const { inbox } = await openStore(store);
const router = createRouter().otherwise(async ({ id }, { fence, signal }) => {
  signal?.addEventListener('abort', () => note(`aborted ${id} ${fence}`));
  await sleep(20, undefined, { signal });
  note(`ended ${id} ${fence}`);
});
const logger = {
  warn: (line: string) => note(line.includes('is discarded') ? `discarded ${line}` : line),
  error: note,
};
createWorker({ inbox, router, leaseMs: Number(leaseMs), pollMs: 10, logger }).start();
process.stdout.write('ready');
