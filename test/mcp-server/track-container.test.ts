import { expect, onTestFinished, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer, plainResult } from '../../support/mcp-peer.ts';
import { call, stillSandbox, track } from '../../support/sandbox.ts';

const BOX = '5b7c9d80-0000-4000-8000-000000000001';
const SHIPMENT = '5b7c9d80-0000-4000-8000-000000000002';

const CREATED = {
  data: {
    type: 'tracking_request',
    id: '5b7c9d80-0000-4000-8000-000000000003',
    attributes: { request_number: 'MSCU1234566', request_type: 'container', scac: 'MSCU', status: 'created' },
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
  data: { type: 'container', id: BOX, attributes: { number: 'MSCU1234566' }, relationships: {} },
};

/** Tracks a number for which the service immediately creates a shipment with one container. */
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
  const args = { number: 'MSCU1234566', number_type: 'container', scac: 'MSCU' };
  const result = await httpPeer(handler.fetch).call('track_container', args);
  return { result, made };
}

test('a new request has the facts about its only container if this container can be read immediately', async () => {
  const { result, made } = await tracked(() => Response.json(DETAILS));
  expect(made).toEqual(['/v2/tracking_requests']);
  expect(plainResult(result)).toMatchObject({
    id: BOX,
    container_number: 'MSCU1234566',
    outcome: 'tracked',
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
])('a new request is reported as created even if its container %s', async (_, readBox) => {
  const { result, made } = await tracked(readBox);
  expect(made).toEqual(['/v2/tracking_requests']);
  expect(result.isError).toBeUndefined();
  expect(plainResult(result)).toMatchObject({
    tracking_request_created: true,
    outcome: 'tracked',
    tracking_request: { id: CREATED.data.id, shipment_id: SHIPMENT, request_number: 'MSCU1234566', status: 'created' },
    infer_result: { source: 'arguments' },
  });
  expect(plainResult(result)).not.toHaveProperty('error');
});

function sandboxPeer() {
  const sandbox = stillSandbox();
  const client = { baseUrl: 'https://service.example/v2', logger: false, fetch: sandbox.fetch } as const;
  const handler = createMcpHandler({ client });
  onTestFinished(() => handler.close());
  return { sandbox, peer: httpPeer(handler.fetch) };
}

test.each<[string, object, string, string?]>([
  ['a wrong check digit', { number: 'mscu 123456-5' }, '«mscu 123456-5» has the check digit 5; 6 is', 'MSCU1234566'],
  ['no check digit', { number: 'MSCU123456', number_type: 'container' }, 'has no check digit; 6 is', 'MSCU1234566'],
  ['the form of no container', { number: 'MSCU12', number_type: 'container' }, 'four letters and seven digits'],
  ['two words', { number: 'hello world', number_type: 'booking_number', scac: 'MAEU' }, '«hello world» is not'],
  ['hyphens between its digits', { number: 'MAEU 987-654 321', scac: 'MAEU' }, 'has a hyphen', 'MAEU987654321'],
  ['no letter and no digit', { number: '??? !', number_type: 'booking_number', scac: 'MAEU' }, '«??? !» is not'],
])(
  'a number with %s causes the failure invalid_number, and no request is sent',
  async (_, args, message, expected_number) => {
    const { sandbox, peer } = sandboxPeer();
    await peer.request('ping');
    const before = sandbox.requests.length;
    const failure = failureIn(await peer.call('track_container', args));
    expect(failure).toMatchObject({ error: 'invalid_number', message: expect.stringContaining(message) });
    expect(failure.expected_number).toBe(expected_number);
    expect(sandbox.requests).toHaveLength(before);
  },
);

test.each([
  ['the user insists', { number: 'MSCU1234565', number_type: 'container', ignore_check_digit: true }],
  ['it is a bill of lading', { number: 'MSCU1234565', number_type: 'bill_of_lading' }],
])('a number that looks like a mistyped container number is requested if %s', async (_, args) => {
  const { peer } = sandboxPeer();
  const result = await peer.call('track_container', { ...args, scac: 'MSCU' });
  expect(plainResult(result)).toMatchObject({
    outcome: 'requested',
    tracking_request: { number_type: args.number_type },
  });
});

test.each([
  ['unknown', { number: 'MAEU555666777', number_type: 'bill_of_lading', scac: 'XXXX' }, 'XXXX is not a carrier'],
  ['a name', { number: 'MAEU555666777', scac: 'not a\ncode' }, '«NOT A CODE» is not a carrier'],
  ['unknown, of a number without a kind', { number: '123456789', scac: 'ZZZZ' }, 'ZZZZ is not a carrier'],
])('a carrier that is %s is refused, and the message names it', async (_, args, named) => {
  const { peer } = sandboxPeer();
  expect(failureIn(await peer.call('track_container', args))).toEqual({
    error: 'unknown_carrier',
    message: expect.stringContaining(named),
  });
});

test.each(['Maersk', 'maer', 'maeu'])('%s is accepted as the carrier, in place of its code', async scac => {
  const { peer } = sandboxPeer();
  const result = plainResult(await peer.call('track_container', { number: 'MAEU-ATSEA-8', scac }));
  expect(result).toMatchObject({ tracking_request_created: true, tracking_request: { scac: 'MAEU' } });
});

test('a part of the names of several carriers starts nothing, and the message lists the carriers', async () => {
  const { sandbox, peer } = sandboxPeer();
  const failure = failureIn(await peer.call('track_container', { number: 'MAEU-ATSEA-8', scac: 'sealand' }));
  expect(failure).toEqual({
    error: 'ambiguous',
    message: expect.stringMatching(/^\d carriers fit sealand: .*«SEAU Sealand Americas.*Nothing was requested\./),
  });
  expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('a misspelt carrier is refused with the nearest carrier', async () => {
  const { peer } = sandboxPeer();
  const args = { number: 'MAEU555666777', number_type: 'bill_of_lading', scac: 'Maersck' };
  expect(failureIn(await peer.call('track_container', args))).toMatchObject({
    error: 'unknown_carrier',
    message: expect.stringContaining('Did you mean «MAEU Maersk»?'),
  });
});

test('a number is requested until its shipment exists; after that, it is already tracked, and the result has the ids', async () => {
  const { sandbox, peer } = sandboxPeer();
  const request = async () => plainResult(await peer.call('track_container', { number: 'MAEU-ATSEA-7', scac: 'MAEU' }));
  const first = await request();
  expect(first).toMatchObject({ outcome: 'requested', tracking_request_created: true });
  const { id } = first.tracking_request;
  const posts = () => sandbox.requests.filter(({ method }) => method === 'POST').length;
  const before = posts();
  expect(await request()).toMatchObject({
    outcome: 'requested',
    tracking_request_created: false,
    tracking_request: { id, status: 'pending', request_number: 'MAEU-ATSEA-7' },
  });
  expect(posts()).toBe(before);
  sandbox.advance({ minutes: 5 });
  const [listed] = plainResult(await peer.call('list_tracking_requests')).items;
  const tracked = await request();
  expect(tracked).toMatchObject({ outcome: 'already_tracked', tracking_request_created: false });
  const refs = await peer.call('track_container', { number: 'MAEU-ATSEA-7', scac: 'MAEU', ref_numbers: ['PO 7'] });
  expect(plainResult(refs).ref_numbers_not_stored).toEqual(['PO 7']);
  expect(refs.content[0]?.text).toContain('This call has requested nothing, so ref_numbers is not stored.');
  expect(tracked.shipment?.id).toBe(listed.shipment.id);
  expect(tracked.id ?? tracked.containers[0].id).toMatch(/^[0-9a-f-]{36}$/);
});

test('a number that failed before is requested again only with retry, and the result explains the earlier failure', async () => {
  const { sandbox, peer } = sandboxPeer();
  const args = { number: 'MAEU-INVALID-1', scac: 'MAEU' };
  const posts = () => sandbox.requests.filter(({ method, path }) => method === 'POST' && path === '/tracking_requests');
  await peer.call('track_container', args);
  sandbox.advance({ days: 1 });
  const [{ id, status }] = plainResult(await peer.call('list_tracking_requests')).items;
  expect(status).toBe('failed');
  const earlier_failure = expect.stringMatching(
    /^An earlier request of 2\d{3}-\d\d-\d\d failed: \w+\. .*Another request/,
  );
  const again = await peer.call('track_container', args);
  expect(plainResult(again)).toMatchObject({
    outcome: 'failed',
    tracking_request_created: false,
    tracking_request: { id, status: 'failed', failed_reason: 'invalid_number' },
    earlier_failure,
  });
  expect(again.content[0]?.text).toMatch(/^Outcome: failed\. An earlier request of 2[\s\S]*retry: true/);
  expect(posts()).toHaveLength(1);
  const retried = await peer.call('track_container', { ...args, retry: true });
  expect(plainResult(retried)).toMatchObject({ outcome: 'requested', tracking_request_created: true, earlier_failure });
  expect(retried.content[0]?.text).toContain('Outcome: requested. An earlier request of 2');
  expect(posts()).toHaveLength(2);
});

test('a hyphen is a part of a number whose kind is given', async () => {
  const { peer } = sandboxPeer();
  const args = { number: 'MAEU987-654-321', number_type: 'booking_number', scac: 'MAEU' };
  expect(plainResult(await peer.call('track_container', args))).toMatchObject({
    tracking_request: { request_number: args.number },
  });
});

test('a failed number that is requested again has the kind and the carrier of the failed request', async () => {
  const { sandbox, peer } = sandboxPeer();
  const number = 'MAEU-INVALID-1';
  await peer.call('track_container', { number, number_type: 'booking_number', scac: 'ONEY' });
  sandbox.advance({ days: 1 });
  expect(plainResult(await peer.call('track_container', { number, retry: true }))).toMatchObject({
    tracking_request_created: true,
    tracking_request: { number_type: 'booking_number', scac: 'ONEY' },
  });
});

test('the result for a shipment says if its tracking has stopped', async () => {
  const { sandbox, peer } = sandboxPeer();
  const [shipment] = sandbox.seedShipments(1, { containers: 2 });
  await call(sandbox, 'PATCH', `/shipments/${shipment?.id}/stop_tracking`);
  const { content } = await peer.call('track_container', { number: shipment?.number });
  expect(content[0]?.text).toContain('Tracking with the shipping line has stopped');
});

test('a pending number is not requested again, even after an earlier failure of the same number', async () => {
  const { sandbox, peer } = sandboxPeer();
  const args = { number: 'MAEU-INVALID-1', scac: 'MAEU' };
  await peer.call('track_container', args);
  sandbox.advance({ days: 1 });
  const second = plainResult(await peer.call('track_container', { ...args, retry: true }));
  const again = await peer.call('track_container', { number: args.number, number_type: 'bill_of_lading' });
  expect(again.content[0]?.text).toContain('It was requested before, so this call has requested nothing');
  const third = plainResult(again);
  expect(third).toMatchObject({
    outcome: 'requested',
    tracking_request_created: false,
    tracking_request: { id: second.tracking_request.id },
  });
  expect(third).not.toHaveProperty('earlier_failure');
});

test('a pending number whose carrier is not known yet is not requested again, even if the call names a carrier', async () => {
  const { sandbox, peer } = sandboxPeer();
  await track(sandbox, 'MAEU-ATSEA-7', { scac: undefined, auto_detect_vocc_scac: true });
  expect(plainResult(await peer.call('track_container', { number: 'MAEU-ATSEA-7', scac: 'MAEU' }))).toMatchObject({
    outcome: 'requested',
    tracking_request_created: false,
  });
});

test.each([
  ['blank', '\u200b'],
  ['cut', 'X'.repeat(400)],
])('if the number of the new request is %s, the text has the id of the request', async (_, request_number) => {
  const { id, attributes, ...others } = CREATED.data;
  const created = { ...others, id, attributes: { ...attributes, request_number, status: 'pending'.repeat(100) } };
  const fetch = async (_input: unknown, init?: RequestInit) =>
    Response.json({ data: init?.method === 'POST' ? { ...created, relationships: {} } : [] });
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const handler = createMcpHandler({ client });
  onTestFinished(() => handler.close());
  const args = { number: 'MSCU1234566', number_type: 'container', scac: 'MSCU' };
  const { content } = await httpPeer(handler.fetch).call('track_container', args);
  expect(content[0]?.text).toContain(`- Request id: ${id}`);
});
