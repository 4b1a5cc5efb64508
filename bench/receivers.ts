/**
 * Compares two receivers, our receiver with an inbox and a receiver that is written by hand:
 * `npm run bench:receivers [store …]`. Both check the signature, and acknowledge a delivery when it is on the disk. The
 * receiver that is written by hand stores the id and the body of a delivery in one statement. Another process sends the
 * deliveries.
 */
import { fork } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { createClient } from 'redis';
import { postgresInbox } from '../src/webhooks/inbox/postgres-inbox.ts';
import { redisInbox } from '../src/webhooks/inbox/redis-inbox.ts';
import { sqliteInbox } from '../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import { createReceiver, type Inbox } from '../src/webhooks/index.ts';
import { median } from '../support/benchmarks/measure.ts';
import { STORES } from './stores.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLwSw';
const HEADER = 'x-svc-webhook-signature';
const CONCURRENCIES = [1, 16];
const DELIVERIES = 2000;
const TURNS = 5;

interface Opened {
  inbox: Inbox;
  /** Stores a delivery, with the statement of a user who writes the receiver by hand. */
  store(id: string, body: Buffer): Promise<unknown>;
  close(): unknown;
}

const OPEN: Record<string, (address: string) => Promise<Opened>> = {
  async postgres(connectionString) {
    const pool = new pg.Pool({ connectionString });
    await pool.query('CREATE TABLE deliveries (id text PRIMARY KEY, body bytea NOT NULL, state text NOT NULL)');
    const text = "INSERT INTO deliveries VALUES ($1, $2, 'open') ON CONFLICT DO NOTHING";
    const inbox = postgresInbox({ pool });
    return {
      inbox,
      store: (id, body) => pool.query({ name: 'store', text, values: [id, body] }),
      close: () => pool.end(),
    };
  },
  async redis(url) {
    const client = await createClient({ url }).connect();
    return {
      inbox: redisInbox({ client }),
      store: (id, body) => client.multi().set(`delivery:${id}`, body, { NX: true }).lPush('deliveries', id).exec(),
      close: () => client.close(),
    };
  },
  async sqlite(path) {
    const database = new DatabaseSync(`${path}.by-hand`);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    database.exec('CREATE TABLE deliveries (id TEXT PRIMARY KEY, body BLOB NOT NULL, state TEXT NOT NULL)');
    const statement = database.prepare("INSERT INTO deliveries VALUES (?, ?, 'open') ON CONFLICT DO NOTHING");
    const inbox = sqliteInbox(path);
    return {
      inbox,
      store: async (id, body) => statement.run(id, body),
      close() {
        database.close();
        inbox.close();
      },
    };
  },
};

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

function byHand({ store }: Opened): Handler {
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const digest = createHmac('sha256', SECRET).update(body).digest();
    if (!timingSafeEqual(digest, Buffer.from(String(request.headers[HEADER]), 'hex'))) {
      response.writeHead(401).end();
      return;
    }
    await store(JSON.parse(body.toString()).data.id, body);
    response.writeHead(200).end();
  };
}

if (process.send) await send();
else await main();

async function main(): Promise<void> {
  const asked = process.argv.slice(2);
  for (const [store, start] of Object.entries(STORES)) {
    if (asked.length > 0 && !asked.includes(store)) continue;
    const place = await start();
    const opened = await (OPEN[store] as (address: string) => Promise<Opened>)(place.address);
    const handlers = [createReceiver({ secrets: [SECRET], inbox: opened.inbox }).node, byHand(opened)];
    for (const concurrency of CONCURRENCIES) {
      const rates: number[][] = [[], []];
      for (let turn = 0; turn < 2 * TURNS; turn += 1) {
        rates[turn % 2]?.push(await deliver(handlers[turn % 2] as Handler, concurrency));
      }
      const [ours = 0, other = 0] = rates.map(median);
      console.log(
        `${store}, ${concurrency} at a time, deliveries a second: receiver ${Math.round(ours)} · by hand ${Math.round(other)} · ratio ${(ours / other).toFixed(2)}`,
      );
    }
    await opened.close();
    await place.end();
  }
}

/** Resolves to the number of deliveries a second. */
async function deliver(handler: Handler, concurrency: number): Promise<number> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sender = fork(import.meta.filename, [String(port), String(concurrency)]);
  const failed = once(sender, 'exit').then(() => Promise.reject(new Error('The sender has failed.')));
  failed.catch(() => {});
  const [message] = (await Promise.race([once(sender, 'message'), failed])) as [number];
  server.close();
  server.closeAllConnections();
  return message;
}

/** The other process. It signs the deliveries before it sends the first of them. */
async function send(): Promise<void> {
  const { Agent, request } = await import('node:http');
  const [port, concurrency = 1] = process.argv.slice(2).map(Number);
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const run = crypto.randomUUID();
  const deliveries = Array.from({ length: DELIVERIES }, (_, index) => {
    const attributes = { event: 'container.updated', padding: 'x'.repeat(4000) };
    const body = JSON.stringify({ data: { id: `${run}-${index}`, type: 'webhook_notification', attributes } });
    return { body, signature: createHmac('sha256', SECRET).update(body).digest('hex') };
  }).values();
  const post = ({ body, signature }: { body: string; signature: string }) =>
    new Promise<void>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', [HEADER]: signature };
      const outgoing = request({ port, agent, method: 'POST', headers }, response => {
        if (response.statusCode !== 200 && response.statusCode !== 202)
          reject(new Error(`The response is ${response.statusCode}.`));
        response.resume().on('end', resolve);
      });
      outgoing.on('error', reject).end(body);
    });
  const began = performance.now();
  const sendAll = async () => {
    for (const delivery of deliveries) await post(delivery);
  };
  await Promise.all(Array.from({ length: concurrency }, sendAll));
  process.send?.((DELIVERIES / (performance.now() - began)) * 1000, () => process.exit());
}
