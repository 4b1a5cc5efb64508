/** One of the processes of a soak. It runs sync on a store, receives deliveries, and reports its actions on stdout. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TrackingClient } from '../../src/index.ts';
import { createSync } from '../../src/sync/index.ts';
import { createReceiver } from '../../src/webhooks/index.ts';
import { openSoakStore, type SoakSettings } from './settings.ts';

const settings = JSON.parse(process.env.SOAK ?? '{}') as SoakSettings;
const { baseUrl, windowMs, webhookUrl, secret } = settings;
const limits = { default: 100, createTrackingRequest: 100, inferNumber: 200, refreshContainer: 10 };
const client = new TrackingClient({
  baseUrl,
  apiKey: 'sandbox',
  rateLimit: { windowMs, limits },
  retry: { minDelay: 20, maxDelay: 200 },
  logger: false,
});
const { store } = await openSoakStore(settings);
const day = 86_400_000;
const sync = createSync({
  client,
  store,
  webhook: { url: webhookUrl },
  share: 1,
  history: true,
  windowMs,
  every: { reconcile: settings.reconcileDays * day, recover: 2000 },
  logger: false,
});
const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
sync.on('started', ({ phase, resumed }) => tell({ event: 'started', phase, resumed }));
sync.on('progress', ({ phase }) => tell({ event: 'progress', phase }));
sync.on('finished', ({ phase, requests, records }) => tell({ event: 'finished', phase, requests, records }));
sync.on('reader', ({ active }) => tell({ event: 'reader', active }));
sync.on('recovered', ({ records }) => tell({ event: 'recovered', records }));
sync.on('error', ({ error }) => tell({ event: 'error', message: String(error) }));

const receiver = createReceiver({ secrets: secret, inbox: sync.inbox, logger: false });
const server = createServer(receiver.node).listen(0, '127.0.0.1', () => {
  tell({ event: 'listening', port: (server.address() as AddressInfo).port });
});
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
await sync.run({ signal: stopping.signal });
process.exit(0);
