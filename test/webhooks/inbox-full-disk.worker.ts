/** `<directory> <mode>`: fills the disk of an inbox, then drains the inbox. The directory is a small separate disk. */
import { appendFileSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import { createRouter, createWorker, fakeDelivery } from '../../src/webhooks/index.ts';

const [directory = '', mode] = process.argv.slice(2);
const path = join(directory, 'inbox.db');
const padding = 'x'.repeat(Number(process.argv[4] ?? 20_000));
const body = new TextEncoder().encode(JSON.stringify({ ...fakeDelivery('container.updated'), padding }));

let inbox = sqliteInbox(path);
let count = 0;
const put = () => {
  count += 1;
  const id = `n${count}`;
  return inbox.put({ id, event: 'container.updated', group: id, order: '', body, receivedAt: 0 });
};

/** Fills the disk to the last byte. */
function fill() {
  const filler = openSync(join(directory, 'filler'), 'a');
  for (let bytes = 65_536; bytes >= 1; ) {
    try {
      writeSync(filler, Buffer.alloc(bytes, 1));
    } catch {
      bytes = Math.floor(bytes / 2);
    }
  }
  closeSync(filler);
}

let stored = 0;
for (let n = 0; n < 100; n++) if ((await put()) === 'stored') stored += 1;
fill();
// Notifications are accepted while the log has room, and refused afterwards.
let refused = 0;
for (let n = 0; n < 1000 && refused < 20; n++) {
  try {
    if ((await put()) === 'stored') stored += 1;
  } catch {
    refused += 1;
  }
}
const refusal = await put().catch(error => error.message);
if (mode === 'restart') {
  inbox.close();
  fill();
  inbox = sqliteInbox(path);
}
fill();

let handled = 0;
const errors = new Set<string>();
const router = createRouter().otherwise(() => {
  handled += 1;
});
const logger = { warn: () => {}, error: (line: string) => errors.add(line) };
const worker = createWorker({ inbox, router, pollMs: 1, logger }).start();
const until = Date.now() + 30_000;
while (handled < stored && Date.now() < until) await new Promise(resolve => setTimeout(resolve, 5));
await worker.stop();
// The freed pages of the file can store new notifications, although the disk is as full as before.
fill();
const again = await put().catch(error => error.message);
rmSync(join(directory, 'filler'));
const later = await put().catch(error => error.message);
appendFileSync(1, JSON.stringify({ stored, refused, refusal, handled, errors: [...errors], again, later }));
inbox.close();
