import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TrackingClient } from '../src/index.ts';
import { connectMcp } from '../src/mcp/index.ts';
import { createSync } from '../src/sync/index.ts';
import { memoryInbox } from '../src/webhooks/index.ts';
import { clientFor, KEY } from '../support/client.ts';
import { createSandbox } from '../support/sandbox.ts';
import { memoryStore } from './sync/memory-store.ts';

/** A service that accepts every request and never responds. */
async function silentService(): Promise<{ origin: string; baseUrl: string; asked: Promise<void> }> {
  let ask = () => {};
  const asked = new Promise<void>(resolve => {
    ask = resolve;
  });
  const server = createServer(() => ask()).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, baseUrl: `${origin}/v2`, asked };
}

interface Target {
  client: TrackingClient;
  origin: string;
  signal: AbortSignal;
}

type Start = (target: Target) => PromiseLike<unknown>;

const first = (items: AsyncIterable<unknown>) => items[Symbol.asyncIterator]().next();
const every = async (items: AsyncIterable<unknown>) => {
  for await (const _ of items);
};
const NUMBER = { number: 'BL1', scac: 'MAEU', type: 'bill_of_lading' } as const;
const file = () => ({ file: new Uint8Array([1]), name: 'a.pdf' });
const slotAt = (url: string) => ({
  id: '1',
  key: 'k',
  metadata: {},
  service_name: 'storage',
  created_at: '2026-03-09T03:00:00Z',
  signed_id: 's',
  byte_size: 1,
  checksum: createHash('md5').update(Uint8Array.of(1)).digest('base64'),
  content_type: 'application/pdf',
  filename: 'a.pdf',
  direct_upload: { url, headers: { 'Content-Type': 'application/pdf', 'Content-MD5': 'x' } },
});
const syncOf = (client: TrackingClient) => createSync({ client, store: memoryStore(), logger: false });

const GIVES: Record<string, Start> = {
  'a call': ({ client, signal }) => client.containers.get('1', { signal }),
  'client.request()': ({ client, signal }) => client.request({ method: 'GET', path: '/containers', signal }),
  'client.search()': ({ client, signal }) => client.search('a', { signal }),
  'a list that is awaited': ({ client, signal }) => client.shipments.list({ signal }),
  'a list': ({ client, signal }) => first(client.shipments.list({ signal })),
  'the pages of a list': ({ client, signal }) => first(client.shipments.list({ signal }).pages()),
  'a list with concurrency': ({ client, signal }) => first(client.shipments.list({ signal, concurrency: 4 })),
  'toArray()': ({ client, signal }) => client.containers.list({ signal }).toArray(),
  'worklist()': ({ client, signal }) => first(client.worklist({ ready: true, signal })),
  'estimate() of a worklist': ({ client, signal }) => client.worklist({ ready: true, signal }).estimate(),
  'containers.watch()': ({ client, signal }) => first(client.containers.watch({ signal })),
  'shipments.watch()': ({ client, signal }) => first(client.shipments.watch({ signal })),
  'trackingRequests.watch()': ({ client, signal }) => first(client.trackingRequests.watch({ signal })),
  'watch() with ids': ({ client, signal }) => first(client.containers.watch({ ids: ['1'], signal })),
  'watch() with an inbox': ({ client, signal }) =>
    first(client.containers.watch({ inbox: memoryInbox({ ephemeral: true }), signal })),
  'recover()': ({ client, signal }) => first(client.webhookNotifications.recover({ since: new Date(), signal })),
  'track()': ({ client, signal }) => client.track({ ...NUMBER, signal }),
  'trackMany()': ({ client, signal }) => first(client.trackMany([NUMBER], { signal })),
  'trackingRequests.waitFor()': ({ client, signal }) => client.trackingRequests.waitFor('1', { signal }),
  'documents.waitFor()': ({ client, signal }) => client.documents.waitFor('1', { signal }),
  'documents.upload()': ({ client, signal }) => client.documents.upload({ ...file(), signal }),
  'documents.uploadMany()': ({ client, signal }) => every(client.documents.uploadMany([file()], { signal })),
  'documents.download()': ({ client, signal }) => client.documents.download('1', { signal }),
  'shippingLines.find()': ({ client, signal }) => client.shippingLines.find('a', { signal }),
  'shippingLines.byScac()': ({ client, signal }) => client.shippingLines.byScac('MAEU', { signal }),
  'webhooks.ensure()': ({ client, signal }) =>
    client.webhooks.ensure({ url: 'https://host.example/a', events: ['container.updated'] }, { signal }),
  'directUploads.put()': ({ client, origin, signal }) =>
    client.directUploads.put(slotAt(`${origin}/storage`), new Uint8Array([1]), { signal }),
  'backfill() of sync': ({ client, signal }) => syncOf(client).backfill({ signal }),
  'reconcile() of sync': ({ client, signal }) => syncOf(client).reconcile({ signal }),
  'connectMcp()': ({ origin, signal }) =>
    connectMcp({ url: `${origin}/mcp`, auth: { apiKey: KEY }, rateLimit: false, logger: false, signal }),
};

const RUNS: Record<string, Start> = {
  'run() of sync': ({ client, signal }) => syncOf(client).run({ signal }),
  'follow() of sync': ({ client, signal }) => syncOf(client).follow({ signal }),
};

const REASON = new Error('It is enough.');

async function aborted(start: Start, when: 'before' | 'while it waits'): Promise<unknown> {
  const { origin, baseUrl, asked } = await silentService();
  const stopping = new AbortController();
  if (when === 'before') stopping.abort(REASON);
  const client = clientFor({ baseUrl }, { timeout: 60_000 });
  onTestFinished(() => client.close());
  const ending = Promise.resolve()
    .then(() => start({ client, origin, signal: stopping.signal }))
    .then(
      () => 'resolved',
      (error: unknown) => error,
    );
  await Promise.race([asked, ending]);
  stopping.abort(REASON);
  return ending;
}

describe.each(['before', 'while it waits'] as const)('a signal that aborts (%s)', when => {
  test.each(Object.entries(GIVES))('ends %s with the reason of the signal', async (_, start) => {
    expect(await aborted(start, when)).toBe(REASON);
  });

  test.each(Object.entries(RUNS))('ends %s without an error', async (_, start) => {
    expect(await aborted(start, when)).toBe('resolved');
  });

  test('ends stream() of an inbox with the reason of the signal', async () => {
    const stopping = new AbortController();
    if (when === 'before') stopping.abort(REASON);
    const ending = expect(first(memoryInbox({ ephemeral: true }).stream({ signal: stopping.signal }))).rejects.toBe(
      REASON,
    );
    setImmediate(() => stopping.abort(REASON));
    await ending;
  });

  test('ends a call of a tool with the reason of the signal', async () => {
    const server = await createSandbox({ speed: 0, apiKeys: [KEY] }).listen({ port: 0 });
    onTestFinished(() => server.close());
    const stopping = new AbortController();
    if (when === 'before') stopping.abort(REASON);
    const mcp = await connectMcp({ url: server.mcpUrl, auth: { apiKey: KEY }, rateLimit: false, logger: false });
    onTestFinished(() => mcp.close());
    const listing = mcp.listTools({ signal: stopping.signal });
    stopping.abort(REASON);
    await expect(listing).rejects.toBe(REASON);
  });
});
