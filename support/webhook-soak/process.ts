/**
 * A program that is a receiver or a worker in its own process, so that it can be killed. Its arguments are
 * `receiver <store> <log> <port> [acknowledge-first]` or `worker <store> <log>`. The program writes to the log the id
 * of each notification that it has stored or handled.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createReceiver, createRouter, createWorker, type InboxEntry } from '../../src/webhooks/index.ts';
import { openStore } from './store.ts';

const [role, store = '', log = '', port, mode] = process.argv.slice(2);
const { inbox } = await openStore(store);
const note = (id: string) => appendFileSync(log, `${id}\n`);
// The program ends when the process that has started it ends, even if that process is killed.
process.stdin.once('end', () => process.exit()).resume();

if (role === 'receiver') {
  const storing = {
    async put(entry: InboxEntry) {
      const outcome = await inbox.put(entry);
      if (outcome === 'stored') note(entry.id);
      return outcome;
    },
  };
  const later = new Set<Promise<unknown>>();
  const acknowledgingFirst = {
    async put(entry: InboxEntry) {
      const put = sleep(20).then(() => storing.put(entry));
      later.add(put);
      put.finally(() => later.delete(put));
      return 'stored' as const;
    },
  };
  const receiver = createReceiver({
    secrets: [process.env.TRACKING_WEBHOOK_SECRET],
    inbox: mode ? acknowledgingFirst : storing,
    logger: false,
  });
  process.once('SIGTERM', async () => {
    await receiver.close();
    await Promise.allSettled(later);
    process.exit();
  });
  const server = createServer(receiver.node).on('listening', () => console.log('ready'));
  const listen = () => server.listen(Number(port), '127.0.0.1');
  // While the receiver was dead, a server of another test may have taken its port.
  server.on('error', () => setTimeout(listen, 50));
  listen();
} else {
  const router = createRouter().otherwise(n => note(n.id));
  createWorker({ inbox, router, leaseMs: 1000, pollMs: 20, logger: false }).start();
  console.log('ready');
}
