/** A receiver or a worker on an SQLite inbox, to be killed: `receiver <file> <port> [acknowledge-first]`, `worker <file> <log>`. */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqliteInbox } from '../src/node/sqlite-inbox.ts';
import { createReceiver, createRouter, createWorker, type InboxEntry } from '../src/webhooks/index.ts';

const [role, path = '', target = '', mode] = process.argv.slice(2);
const inbox = sqliteInbox(path);

if (role === 'receiver') {
  const acknowledgeFirst = {
    async put(entry: InboxEntry) {
      setTimeout(() => inbox.put(entry), 20);
      return 'stored' as const;
    },
  };
  const receiver = createReceiver({ secrets: 'secret', inbox: mode ? acknowledgeFirst : inbox });
  const server = createServer((request, response) => {
    // Some answers do not reach the service.
    if (Math.random() < 0.1) response.end = () => response.destroy();
    void receiver.node(request, response);
  });
  server.listen(Number(target), '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
} else {
  const router = createRouter().otherwise(async n => {
    await sleep(1);
    appendFileSync(target, `${n.id}\n`);
  });
  createWorker({ inbox, router, leaseMs: 200, pollMs: 10 }).start();
  console.log('ready');
}
