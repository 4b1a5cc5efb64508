/** `<name> <file of the inbox> <log>`: a worker. If its name is `slow`, its handler runs until its signal aborts. */
import { appendFileSync } from 'node:fs';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import { createRouter, createWorker } from '../../src/webhooks/index.ts';

const [name = '', path = '', log = ''] = process.argv.slice(2);
const note = (line: string) => appendFileSync(log, `${name} ${line}\n`);
const router = createRouter().otherwise(async (n, { fence, signal }) => {
  note(`begins ${n.id} ${fence}`);
  if (name === 'slow') await new Promise(resolve => signal?.addEventListener('abort', resolve));
  note(`ends ${n.id} ${fence}`);
});
const logger = { warn: note, error: note };
createWorker({ inbox: sqliteInbox(path), router, concurrency: 1, leaseMs: 400, pollMs: 10, logger }).start();
