import { expect, onTestFinished, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { httpPeer, plainResult } from '../../support/mcp-peer.ts';

const BOX = '5b7c9d80-0000-4000-8000-000000000001';
const SHIPMENT = '5b7c9d80-0000-4000-8000-000000000002';

const CREATED = {
  data: {
    type: 'tracking_request',
    id: '5b7c9d80-0000-4000-8000-000000000003',
    attributes: { request_number: 'MSCU1234565', request_type: 'container', scac: 'MSCU', status: 'created' },
    relationships: { tracked_object: { data: { type: 'shipment', id: SHIPMENT } } },
  },
  included: [
    {
      type: 'shipment',
      id: SHIPMENT,
      attributes: { bill_of_lading_number: 'X1' },
      relationships: { containers: { data: [{ type: 'container', id: BOX }] } },
    },
  ],
};

const DETAILS = {
  data: { type: 'container', id: BOX, attributes: { number: 'MSCU1234565' }, relationships: {} },
};

/** Tracks a number of which the service makes a shipment with one box at once. */
async function tracked(readBox: () => Response) {
  const made: string[] = [];
  const fetch = async (input: unknown, init?: RequestInit) => {
    const { pathname } = new URL(String(input));
    if (pathname === `/v2/containers/${BOX}`) return readBox();
    if (init?.method !== 'POST') return Response.json({ data: [] });
    made.push(pathname);
    return Response.json(CREATED, { status: 201 });
  };
  const client = {
    baseUrl: 'https://service.example/v2',
    logger: false,
    rateLimit: false,
    retry: false,
    fetch,
  } as const;
  const handler = createMcpHandler({ client });
  onTestFinished(() => handler.close());
  const args = { number: 'MSCU1234565', number_type: 'container', scac: 'MSCU' };
  const result = await httpPeer(handler.fetch).call('track_container', args);
  return { result, made };
}

test('a new request whose only box can be read at once comes with the box', async () => {
  const { result, made } = await tracked(() => Response.json(DETAILS));
  expect(made).toEqual(['/v2/tracking_requests']);
  expect(plainResult(result)).toMatchObject({
    id: BOX,
    container_number: 'MSCU1234565',
    tracking_request_created: true,
    infer_result: { source: 'arguments' },
  });
});

test.each<[string, () => Response]>([
  ['cannot be found yet', () => Response.json({ errors: [{ title: 'Not found' }] }, { status: 404 })],
  ['is beyond the request budget', () => new Response(null, { status: 429, headers: { 'retry-after': '9' } })],
  ['cannot be read because the service fails', () => new Response(null, { status: 503 })],
  [
    'cannot be read because nothing is reached',
    () => {
      throw new TypeError('fetch failed');
    },
  ],
])('a new request is told as made where its box %s', async (_, readBox) => {
  const { result, made } = await tracked(readBox);
  expect(made).toEqual(['/v2/tracking_requests']);
  expect(result.isError).toBeUndefined();
  expect(plainResult(result)).toMatchObject({
    tracking_request_created: true,
    tracking_request: { id: CREATED.data.id, request_number: 'MSCU1234565', status: 'created' },
    infer_result: { source: 'arguments' },
  });
  expect(plainResult(result)).not.toHaveProperty('error');
});
