import { expect, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer, type Json, plainResult } from '../../support/mcp-peer.ts';
import { createSandbox } from '../../support/sandbox.ts';

const CLIENT = { baseUrl: 'https://service.example/v2', logger: false } as const;

/**
 * A tracked shipment with documents of the shipment and of one of its containers, and another container without
 * documents.
 */
async function withDocuments() {
  const sandbox = createSandbox({ rateLimit: false });
  const [shipment] = sandbox.seedShipments(1, { containers: 2 });
  const [box, other] = shipment?.containers ?? [];
  const client = new TrackingClient({ ...CLIENT, apiKey: 'sandbox', fetch: sandbox.fetch });
  for (const name of [`arrival notice ${box?.number}.pdf`, `packing list ${shipment?.number}.pdf`, 'invoice 7.pdf']) {
    await client.documents.upload({ file: new Blob([name], { type: 'application/pdf' }), filename: name });
    sandbox.advance({ minutes: 2 });
  }
  const { fetch } = createMcpHandler({ client: { ...CLIENT, fetch: sandbox.fetch } });
  return { sandbox, peer: httpPeer(fetch), shipment, box, other };
}

const typesOf = (result: Json) => result.documents.map(({ type }: Json) => type);

test('a container has the documents of its number and of its shipment, the newest first', async () => {
  const { peer, box } = await withDocuments();
  const result = await peer.call('get_container', { id: box?.number, include: ['documents'] });
  expect(typesOf(plainResult(result))).toEqual(['packing_list', 'arrival_notice']);
  expect(plainResult(result).documents[1]).toEqual({
    type: 'arrival_notice',
    name: expect.stringContaining('arrival notice'),
    created_at: expect.stringMatching(/^2\d{3}-/),
    source: 'api',
    id: expect.any(String),
  });
  expect(result.content[0]?.text).toMatch(
    /Documents, newest first:\ntype\|name\|.*\npacking_list\|.*\narrival_notice\|/,
  );
});

test('a shipment has its documents only if the call includes them', async () => {
  const { peer, shipment } = await withDocuments();
  const result = await peer.call('get_shipment_details', { id: shipment?.number, include_documents: true });
  expect(typesOf(plainResult(result))).toEqual(['packing_list', 'arrival_notice']);
  const without = await peer.call('get_shipment_details', { id: shipment?.number });
  expect(plainResult(without)).not.toHaveProperty('documents');
});

test('a service without documents causes a different error than a missing container', async () => {
  const { sandbox, peer, box } = await withDocuments();
  sandbox.fail({ match: { path: '/documents' }, status: 404, times: 9 });
  expect(failureIn(await peer.call('get_container', { id: box?.number, include: ['documents'] }))).toEqual({
    error: 'feature_not_enabled',
    message: 'This service has no documents. Call again without documents.',
  });
});

test('the result says if there is no document', async () => {
  const sandbox = createSandbox({ rateLimit: false });
  const [shipment] = sandbox.seedShipments(1);
  const peer = httpPeer(createMcpHandler({ client: { ...CLIENT, fetch: sandbox.fetch } }).fetch);
  const result = await peer.call('get_container', { id: shipment?.containers[0]?.number, include: ['documents'] });
  expect(plainResult(result).documents).toEqual([]);
  expect(result.content[0]?.text).toMatch(/\nDocuments: none\.$/);
});
