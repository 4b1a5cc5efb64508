import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrackingClient } from '../src/index.ts';
import { createSandbox } from '../src/sandbox/index.ts';
import { createSync } from '../src/sync/index.ts';
import { sqliteStore } from '../src/sync/sqlite/sqlite-store.ts';
import { createReceiver } from '../src/webhooks/index.ts';
import type { Requests } from '../support/benchmarks/measure.ts';

/** Number of shipments. Number of shipments. These shipments have 999 containers. */
const SHIPMENTS = 457;
const HOURS = 6;
const HOURS_A_DAY = 24;
const SEARCHES_AN_HOUR = 4;
const READINGS_AN_HOUR = 12;

/**
 * Counts the requests that sync with webhooks makes in an hour. The sandbox sends the notifications. Sync searches for
 * missed notifications every 15 minutes: at each search, the clock of the sandbox moves forward by 15 minutes.
 */
export async function notified(): Promise<Requests> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-notified-'));
  const controller = new AbortController();
  let [secret, isFilled, requests, searches] = ['', false, 0, 0];
  const deliveries = (request: Request) => receiver.fetch(request);
  const sandbox = createSandbox({ shipments: SHIPMENTS, seed: 3, speed: 0, rateLimit: false, fetch: deliveries });
  const client = new TrackingClient({
    ...{ baseUrl: 'https://service.example/v2', apiKey: 'sandbox', rateLimit: false, logger: false, validation: 'off' },
    fetch: async (input, init) => {
      const isSearch = isFilled && /\/webhooks\?/.test(String(input));
      if (isSearch) searches += 1;
      if (searches > HOURS * SEARCHES_AN_HOUR) controller.abort();
      else if (isSearch) {
        sandbox.advance({ ms: 3_600_000 / SEARCHES_AN_HOUR });
        await sandbox.flush();
      }
      if (isFilled && !controller.signal.aborted) requests += 1;
      return sandbox.fetch(input, init);
    },
  });
  const store = sqliteStore(join(folder, 'tracking.db'));
  const webhook = { url: 'https://host.example/tracking' };
  const sync = createSync({ client, store, webhook, share: 1, every: { recover: 1 }, logger: false });
  const receiver = createReceiver({ secrets: () => secret, inbox: sync.inbox, logger: false });
  sync.on('webhook', event => {
    secret = event.secret ?? '';
  });
  sync.on('finished', () => {
    isFilled = true;
  });
  await sync.run({ signal: controller.signal });
  const { requests: whole } = await sync.reconcile();
  await store.close();
  rmSync(folder, { recursive: true });
  const now = requests / HOURS + whole / HOURS_A_DAY;
  const name = '999 containers in the sandbox';
  const group = 'sync with webhooks, requests an hour';
  return { group, name, against: '0.1.0', before: whole * READINGS_AN_HOUR, now, least: 0 };
}
