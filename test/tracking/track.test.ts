import { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  type ClientOptions,
  ConfigurationError,
  InferenceError,
  type TrackItem,
  TrackingFailedError,
  TrackingPendingError,
  type TrackResult,
  ValidationError,
} from '../../src/index.ts';
import type { WireResource } from '../../src/jsonapi/document.ts';
import { gate } from '../../support/gate.ts';
import { startIdleClock } from '../../support/idle-clock.ts';
import { clientOf, pageOf, type Received, type Script, serveScript } from '../../support/paged-server.ts';
import type { Answer } from '../../support/server.ts';
import { notFound, readTrackingRequests, trackingRequest } from '../../support/tracking-requests.ts';
import { unhandledRejections } from '../../support/unhandled-rejections.ts';

const BILL = { number: 'BL1', scac: 'MAEU', type: 'bill_of_lading' } as const;

interface ServiceOptions {
  /** The outcome for a number. @default 'created' */
  outcome?: (number: string) => string;
  /** Responds instead of the service. */
  instead?: Script;
  client?: ClientOptions;
}

/** The part of the service that tracking needs. Each tracking request has its outcome immediately. */
async function setUp({ outcome = () => 'created', instead, client: options = {} }: ServiceOptions = {}) {
  const requests: WireResource[] = [];
  const shipments: WireResource[] = [];
  const boxes: WireResource[] = [];

  function create({ body }: Received): Answer {
    const { request_number: number, request_type, scac } = JSON.parse(body).data.attributes;
    const isKnown = requests.some(
      ({ attributes }) => attributes?.request_number === number && attributes?.scac === scac,
    );
    if (isKnown) return { status: 422, body: { errors: [{ title: 'Unprocessable Entity', code: 'duplicate' }] } };
    const [status = '', failed_reason = null] = outcome(number).split(' ');
    const shipment = status === 'created' ? `s-${number}` : undefined;
    if (shipment) shipments.push(shipmentOf(number));
    const state = { request_number: number, request_type, scac, status, failed_reason, ...(shipment && { shipment }) };
    requests.unshift(trackingRequest(`r-${number}`, state));
    return { status: 201, body: { data: trackingRequest(`r-${number}`, { ...state, status: 'pending' }) } };
  }

  function respond(received: Received): Answer {
    const { method, url } = received;
    const path = url.pathname.replace('/v2', '');
    if (method === 'POST' && path === '/tracking_requests') return create(received);
    if (path.startsWith('/tracking_requests')) return readTrackingRequests(requests, received);
    const number = url.searchParams.get('number') ?? url.searchParams.get('filter[number]');
    if (path === '/shipments') {
      return {
        body: pageOf(
          shipments.filter(({ attributes }) => attributes?.bill_of_lading_number === number),
          url,
        ),
      };
    }
    if (path === '/containers') {
      const data = boxes.filter(({ attributes }) => attributes?.number === number);
      return { body: { ...pageOf(data, url), included: shipments } };
    }
    const data = shipments.find(({ id }) => path === `/shipments/${id}`);
    return data ? { body: { data } } : notFound();
  }

  const server = await serveScript(async received => (await instead?.(received)) ?? respond(received));
  // The window is long, because a poll is repeated if it takes a quarter of the window, and a busy machine is slow.
  const client = clientOf(server, { rateLimit: { windowMs: 3000 }, ...options });
  const sent = () => server.requests.map(({ method, url }) => `${method} ${url.pathname.replace('/v2', '')}`);
  const posted = () =>
    server.requests
      .filter(({ method, url }) => method === 'POST' && url.pathname.endsWith('/tracking_requests'))
      .map(({ body }) => JSON.parse(body).data);
  return { server, client, requests, shipments, boxes, sent, posted };
}

function shipmentOf(number: string): WireResource {
  return { type: 'shipment', id: `s-${number}`, attributes: { bill_of_lading_number: number } };
}

interface Inferred {
  number_type?: string;
  decision?: string;
  scac?: string | null;
}

/** Responds only to the call that infers a number. */
function infers({ number_type = 'bill_of_lading', decision = 'auto_select', scac = 'MSCU' }: Inferred): Script {
  const candidates = [
    { scac: 'MSCU', name: 'MSC', confidence: 0.8 },
    { scac: 'ONEY', name: 'ONE', confidence: 0.1 },
  ];
  const selected = scac === null ? null : { scac, name: 'MSC', confidence: 0.97 };
  const attributes = {
    number_type,
    validation: { is_valid: null, type: 'shipment' },
    shipping_line: { decision, selected, candidates },
  };
  return ({ url }) => (url.pathname.endsWith('/infer_number') ? { body: { data: { attributes } } } : goOn);
}

const goOn = undefined as never;

describe('tracking a number', () => {
  test('rejects with the error that the listener throws, and in the same case, trackMany reports a failure for the number', async () => {
    const unhandled = unhandledRejections();
    const { client } = await setUp();
    const error = new Error('of the listener');
    const onProgress = async () => {
      throw error;
    };
    await expect(client.track({ ...BILL, onProgress })).rejects.toBe(error);
    const results: TrackResult[] = [];
    for await (const result of client.trackMany([BILL], { onProgress })) results.push(result);
    expect(results).toEqual([{ item: BILL, index: 0, ok: false, error }]);
    expect(await unhandled.settle()).toEqual([]);
  });

  test('creates the request, waits, and reads the shipment', async () => {
    const { client, sent, posted } = await setUp();
    const { trackingRequest, shipment } = await client.track(BILL);
    expect(trackingRequest).toMatchObject({ id: 'r-BL1', status: 'created' });
    expect(shipment).toEqual({ id: 's-BL1', type: 'shipment', bill_of_lading_number: 'BL1' });
    expect(sent()).toEqual(['POST /tracking_requests', 'GET /tracking_requests/r-BL1', 'GET /shipments/s-BL1']);
    expect(posted()).toEqual([
      {
        type: 'tracking_request',
        attributes: { request_number: 'BL1', request_type: 'bill_of_lading', scac: 'MAEU' },
      },
    ]);
  });

  test('uses the full shipment that the service includes', async () => {
    const { client, sent } = await setUp({
      instead: ({ method, url }) =>
        method === 'GET' && url.pathname.endsWith('/r-BL1')
          ? {
              body: {
                data: trackingRequest('r-BL1', { status: 'created', shipment: 's-BL1' }),
                included: [shipmentOf('BL1')],
              },
            }
          : goOn,
    });
    expect((await client.track(BILL)).shipment.bill_of_lading_number).toBe('BL1');
    expect(sent()).toEqual(['POST /tracking_requests', 'GET /tracking_requests/r-BL1']);
  });

  test('reads a shipment that the service includes only as an id', async () => {
    const { client, sent } = await setUp({
      instead: ({ method, url }) =>
        method === 'GET' && url.pathname.endsWith('/r-BL1')
          ? {
              body: {
                data: trackingRequest('r-BL1', { status: 'created', shipment: 's-BL1' }),
                included: [{ type: 'shipment', id: 's-BL1', links: { self: '/v2/shipments/s-BL1' } }],
              },
            }
          : goOn,
    });
    expect((await client.track(BILL)).shipment.bill_of_lading_number).toBe('BL1');
    expect(sent().at(-1)).toBe('GET /shipments/s-BL1');
  });

  test('passes on the attributes of the new request', async () => {
    const { client, posted } = await setUp();
    await client.track({
      ...BILL,
      ref_numbers: ['PO 1'],
      shipment_tags: ['urgent'],
      initial_custom_fields: { shipment: [{ api_slug: 'buyer', value: 'Kim' }] },
      customer: { type: 'party', id: 'p1' },
    });
    expect(posted()[0]).toEqual({
      type: 'tracking_request',
      attributes: {
        request_number: 'BL1',
        request_type: 'bill_of_lading',
        scac: 'MAEU',
        ref_numbers: ['PO 1'],
        shipment_tags: ['urgent'],
        initial_custom_fields: { shipment: [{ api_slug: 'buyer', value: 'Kim' }] },
      },
      relationships: { customer: { data: { type: 'party', id: 'p1' } } },
    });
  });

  test('rejects with the reason of a failure, and sends nothing more', async () => {
    const { client, sent } = await setUp({ outcome: () => 'failed not_found' });
    const error = await client.track(BILL).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TrackingFailedError);
    expect(error).toMatchObject({ failedReason: 'not_found', trackingRequest: { id: 'r-BL1' } });
    expect(sent()).toHaveLength(2);
  });

  test('rejects at waitTimeout, with the tracking request in the error', async () => {
    const { client } = await setUp({ outcome: () => 'awaiting_manifest' });
    const statuses: string[] = [];
    const error = await client
      .track({ ...BILL, waitTimeout: 400, onProgress: ({ trackingRequest: { status } }) => statuses.push(status) })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TrackingPendingError);
    expect(error).toMatchObject({ trackingRequest: { id: 'r-BL1', status: 'awaiting_manifest' } });
    expect(statuses).toEqual(['pending', 'awaiting_manifest']);
  });

  test.each(['/infer_number', '/tracking_requests', '/r-BL1', '/s-BL1'])(
    'rejects with the reason of the signal, also during a request to %s',
    async path => {
      const stopping = new AbortController();
      const { client } = await setUp({
        instead: received => {
          if (received.url.pathname.endsWith(path)) stopping.abort('enough');
          return infers({})(received);
        },
      });
      await expect(client.track({ number: 'BL1', signal: stopping.signal })).rejects.toBe('enough');
    },
  );

  test.each(['', ' ', undefined])('rejects the number %j, and nothing is sent', async number => {
    const { server, client } = await setUp();
    await expect(client.track({ ...BILL, number: number as string })).rejects.toThrow(ConfigurationError);
    await expect(client.track({ number: number as string })).rejects.toThrow(ConfigurationError);
    expect(server.requests).toHaveLength(0);
  });

  test('rejects the name of a carrier in place of its code, and names the search; nothing is sent', async () => {
    const { server, client } = await setUp();
    await expect(client.track({ ...BILL, scac: 'Maersk' })).rejects.toThrow(
      'scac is "Maersk"; shippingLines.find() finds the code.',
    );
    expect(server.requests).toHaveLength(0);
  });
});

describe('a missing carrier or kind of number', () => {
  test.each([
    ['bill_of_lading', 'bill_of_lading'],
    ['booking', 'booking_number'],
    ['booking_number', 'booking_number'],
    ['container', 'container'],
  ])('is inferred: the kind %s becomes %s', async (number_type, request_type) => {
    const { client, sent, posted } = await setUp({ instead: infers({ number_type }) });
    await client.track({ number: 'BL1' });
    expect(posted()[0].attributes).toEqual({ request_number: 'BL1', request_type, scac: 'MSCU' });
    expect(sent()[0]).toBe('POST /tracking_requests/infer_number');
  });

  test('is inferred, and a given carrier or kind does not change', async () => {
    const { client, posted } = await setUp({ instead: infers({ number_type: 'container' }) });
    await client.track({ number: 'BL1', scac: 'MAEU' });
    await client.track({ number: 'BL2', type: 'bill_of_lading' });
    expect(posted().map(({ attributes }) => [attributes.scac, attributes.request_type])).toEqual([
      ['MAEU', 'container'],
      ['MSCU', 'bill_of_lading'],
    ]);
  });

  test('is the only case in which the client sends a request to infer', async () => {
    const { client, sent } = await setUp();
    await client.track(BILL);
    expect(sent()).not.toContain('POST /tracking_requests/infer_number');
  });

  test('is inferred if only the kind is missing, even if the inferred carrier is unclear', async () => {
    const { client, posted } = await setUp({ instead: infers({ decision: 'no_prediction', scac: null }) });
    await client.track({ number: 'BL1', scac: 'MAEU' });
    expect(posted()[0].attributes).toMatchObject({ scac: 'MAEU', request_type: 'bill_of_lading' });
  });

  test('is not inferred because of small letters in the carrier: the carrier is sent in capital letters', async () => {
    const { client, posted } = await setUp();
    await client.track({ ...BILL, scac: 'maeu' });
    expect(posted()[0].attributes).toMatchObject({ scac: 'MAEU' });
  });

  test.each<[string, Inferred, Partial<TrackItem>]>([
    ['the carrier needs confirmation', { decision: 'needs_confirmation' }, {}],
    ['there is no prediction', { decision: 'no_prediction', scac: null }, {}],
    ['the service is sure but names no carrier', { scac: null }, {}],
    ['the kind is unknown', { number_type: 'parcel' }, { scac: 'MAEU' }],
    ['the kind is the name of a method', { number_type: 'toString' }, { scac: 'MAEU' }],
  ])('causes an error with the candidates if %s, and nothing is created', async (_, inferred, item) => {
    const { client, posted } = await setUp({ instead: infers(inferred) });
    const error = await client.track({ number: 'BL1', ...item }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InferenceError);
    const { candidates, decision, message } = error as InferenceError;
    expect(candidates.map(({ scac }) => scac)).toEqual(['MSCU', 'ONEY']);
    expect(decision).toBe(inferred.decision ?? 'auto_select');
    expect(message).toContain('MSCU');
    expect(posted()).toEqual([]);
  });
});

describe('a container number with a wrong check digit', () => {
  const fault = 'MSKU1234567 is not a container number: its last digit would be 5, not 7.';

  test('is named as the likely fault if the carrier cannot be inferred', async () => {
    const { client } = await setUp({ instead: infers({ decision: 'no_prediction', scac: null }) });
    const error = await client.track({ number: 'msku 123456-7' }).catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'InferenceError', message: expect.stringContaining(`. ${fault}`) });
    const bill = await client.track({ number: 'MSKU1234567', type: 'bill_of_lading' }).catch((reason: Error) => reason);
    expect((bill as Error).message).not.toContain('digit');
  });

  test('is named as the likely fault if tracking fails', async () => {
    const { client } = await setUp({ outcome: () => 'failed not_found' });
    const item = { number: 'MSKU1234567', scac: 'MAEU', type: 'container' } as const;
    const error = await client.track(item).catch((reason: Error) => reason);
    expect((error as Error).message).toBe(`Tracking MSKU1234567 (MAEU) failed: not_found. ${fault}`);
  });
});

describe('a number that is already tracked', () => {
  test('returns the existing request, and the request of the same carrier if there are several requests', async () => {
    const { client, requests, sent } = await setUp();
    await client.track({ ...BILL, scac: 'ONEY' });
    await client.track(BILL);
    requests.unshift(trackingRequest('old', { status: 'failed', request_number: 'BL1' }));
    requests.unshift(trackingRequest('other', { status: 'pending', request_number: 'BL1', scac: 'HLCU' }));
    const count = sent().length;
    const { trackingRequest: found } = await client.track(BILL);
    expect(found).toMatchObject({ id: 'r-BL1', scac: 'MAEU', status: 'created' });
    expect(sent().slice(count)).toEqual(['POST /tracking_requests', 'GET /tracking_requests', 'GET /shipments/s-BL1']);
  });

  test('returns a request with another code of the carrier if no request has the same code', async () => {
    const { client, requests } = await setUp({
      instead: ({ method }) => (method === 'POST' ? { status: 422, body: { errors: [{ code: 'duplicate' }] } } : goOn),
    });
    requests.push(trackingRequest('failed', { status: 'failed', request_number: 'BL1' }));
    requests.push(trackingRequest('found', { status: 'pending', request_number: 'BL1', scac: 'SEAU' }));
    const item = { request_number: 'BL1', request_type: 'bill_of_lading', scac: 'MAEU' } as const;
    expect((await client.trackingRequests.createOrFind(item)).id).toBe('found');
  });

  test('rejects with the refusal if only other carriers have the number', async () => {
    const { client, requests } = await setUp({
      instead: ({ method }) => (method === 'POST' ? { status: 422, body: { errors: [{ code: 'duplicate' }] } } : goOn),
    });
    for (const scac of ['ONEY', 'HLCU'])
      requests.push(trackingRequest(scac, { status: 'pending', request_number: 'BL1', scac }));
    await expect(client.track(BILL)).rejects.toThrow(ValidationError);
  });

  test('returns the newest request if one carrier has several requests under another code, or if no carrier is set', async () => {
    const { client, requests } = await setUp({
      instead: ({ method }) => (method === 'POST' ? { status: 422, body: { errors: [{ code: 'duplicate' }] } } : goOn),
    });
    for (const [id, status] of [
      ['now', 'created'],
      ['before', 'tracking_stopped'],
    ] as const)
      requests.push(trackingRequest(id, { status, request_number: 'BL1', scac: 'HLCU' }));
    const item = { request_number: 'BL1', request_type: 'bill_of_lading' } as const;
    expect((await client.trackingRequests.createOrFind({ ...item, scac: 'HLXU' })).id).toBe('now');
    requests.push(trackingRequest('other', { status: 'created', request_number: 'BL1', scac: 'ONEY' }));
    expect((await client.trackingRequests.createOrFind({ ...item, auto_detect_vocc_scac: true })).id).toBe('now');
  });

  test('rejects with the refusal if the request cannot be found', async () => {
    const { client } = await setUp({
      instead: ({ method }) => (method === 'POST' ? { status: 422, body: { errors: [{ code: 'duplicate' }] } } : goOn),
    });
    await expect(client.track(BILL)).rejects.toThrow(ValidationError);
  });

  test('is distinguished from other refusals', async () => {
    const { client, sent } = await setUp({
      instead: ({ method }) => (method === 'POST' ? { status: 422, body: { errors: [{ code: 'blank' }] } } : goOn),
    });
    await expect(client.track(BILL)).rejects.toThrow(ValidationError);
    expect(sent()).toEqual(['POST /tracking_requests']);
  });

  test.each<[string, (answer: Answer) => Answer | 'broken']>([
    ['the connection breaks', () => 'broken'],
    ['a gateway gives up', () => ({ status: 504 })],
  ])('is found by a second attempt if %s after the creation', async (_, fail) => {
    let failed = false;
    const { client, requests, posted } = await setUp({
      client: { retry: { limit: 1, minDelay: 1 } },
      instead: received => {
        if (failed || received.method !== 'POST') return goOn;
        failed = true;
        requests.push(trackingRequest('r-BL1', { status: 'created', request_number: 'BL1', shipment: 's-BL1' }));
        return fail({});
      },
    });
    const item = { request_number: 'BL1', request_type: 'bill_of_lading', scac: 'MAEU' } as const;
    expect((await client.trackingRequests.createOrFind(item)).id).toBe('r-BL1');
    expect(posted()).toHaveLength(2);
    expect(requests).toHaveLength(1);
  });

  test('is not sent again by create, because a second request would then be created', async () => {
    const { client, posted } = await setUp({
      client: { retry: { limit: 3, minDelay: 1 } },
      instead: ({ method }) => (method === 'POST' ? 'broken' : goOn),
    });
    const item = { request_number: 'BL1', request_type: 'bill_of_lading', scac: 'MAEU' } as const;
    await expect(client.trackingRequests.create(item)).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(posted()).toHaveLength(1);
  });

  test('under another tracking request returns the shipment if tracking fails as a duplicate', async () => {
    const { client, shipments } = await setUp({ outcome: () => 'failed duplicate' });
    shipments.push(shipmentOf('BL1'));
    const { shipment, trackingRequest: failed } = await client.track(BILL);
    expect(shipment.id).toBe('s-BL1');
    expect(failed.status).toBe('failed');
  });

  test('under several tracking requests returns the shipment of the same carrier', async () => {
    const { client, shipments } = await setUp({ outcome: () => 'failed duplicate' });
    const other = shipmentOf('BL1');
    shipments.push({ ...other, id: 'other', attributes: { ...other.attributes, shipping_line_scac: 'ONEY' } });
    shipments.push({ ...other, id: 'same', attributes: { ...other.attributes, shipping_line_scac: 'MAEU' } });
    expect((await client.track(BILL)).shipment.id).toBe('same');
    await expect(client.track({ ...BILL, scac: 'HLCU' })).rejects.toMatchObject({ failedReason: 'duplicate' });
  });

  test('that belongs to a container returns the shipment of the container', async () => {
    const { client, shipments, boxes } = await setUp({ outcome: () => 'failed duplicate' });
    shipments.push(shipmentOf('BL7'));
    const box = (id: string, shipment: object | null) => ({
      type: 'container',
      id,
      attributes: { number: 'MSCU1234565' },
      relationships: { shipment: { data: shipment } },
    });
    boxes.push(box('c2', null) as WireResource, box('c1', { type: 'shipment', id: 's-BL7' }) as WireResource);
    const { shipment } = await client.track({ number: 'MSCU1234565', scac: 'MSCU', type: 'container' });
    expect(shipment.bill_of_lading_number).toBe('BL7');
  });

  test('rejects with the failure if the shipment cannot be found', async () => {
    const { client } = await setUp({ outcome: () => 'failed duplicate' });
    await expect(client.track(BILL)).rejects.toMatchObject({ failedReason: 'duplicate' });
    await expect(client.track({ ...BILL, number: 'X', type: 'container' })).rejects.toMatchObject({
      failedReason: 'duplicate',
    });
  });
});

describe('trackMany()', () => {
  const items = (count: number): TrackItem[] =>
    Array.from({ length: count }, (_, n) => ({ ...BILL, number: `BL${n}` }));

  async function collect(results: AsyncIterable<TrackResult>): Promise<TrackResult[]> {
    const collected: TrackResult[] = [];
    for await (const result of results) collected.push(result);
    return collected;
  }

  test('yields a result for each item, including failures', async () => {
    const { client } = await setUp({ outcome: number => (number === 'BL1' ? 'failed not_found' : 'created') });
    const given = items(3);
    const results = await collect(client.trackMany(given));
    results.sort((a, b) => a.index - b.index);
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(results.every(({ item, index }) => item === given[index])).toBe(true);
    expect(results[0]).toMatchObject({ shipment: { id: 's-BL0' }, trackingRequest: { id: 'r-BL0' } });
    expect(results[1]).toMatchObject({ error: { failedReason: 'not_found' } });
  });

  test.each([400, 401, 403, 422])('yields the other results if one shipment cannot be read (%i)', async status => {
    const { client } = await setUp({
      instead: ({ method, url }) => {
        if (method === 'GET' && url.pathname === '/v2/tracking_requests') return { status: 403 };
        return url.pathname.endsWith('/tracking_requests/r-BL3') ? { status } : (undefined as never);
      },
    });
    const results = await collect(client.trackMany(items(6)));
    results.sort((a, b) => a.index - b.index);
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, false, true, true]);
    expect(results[3]).toMatchObject({ error: { status } });
  });

  test('accepts items of a wider type, and checks them at run time', async () => {
    const { client, sent } = await setUp();
    const kinds = ['bill_of_lading', 'bol'];
    const orders = kinds.map((type, n) => ({ number: `BL${n}`, scac: 'MAEU', type }));
    const results = await collect(client.trackMany(orders));
    results.sort((a, b) => a.index - b.index);
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
    expect(results[1]).toMatchObject({ error: expect.any(ConfigurationError) });
    expect((results[1] as { error: Error }).error.message).toBe(
      'type is "bol"; use one of: bill_of_lading, booking_number, container.',
    );
    expect(sent().filter(call => call.startsWith('POST'))).toHaveLength(1);
  });

  test('returns other properties of an item unchanged', async () => {
    const { client, requests } = await setUp({});
    const order = { ...BILL, orderId: 'O-1' };
    const [result] = await collect(client.trackMany([order]));
    expect(result).toMatchObject({ ok: true, item: { orderId: 'O-1' } });
    expect(JSON.stringify(requests)).not.toContain('O-1');
  });

  test('yields results in the order of their completion', async () => {
    const { client, requests } = await setUp({ outcome: number => (number === 'BL1' ? 'created' : 'pending') });
    const found: string[] = [];
    for await (const { item } of client.trackMany(items(3))) {
      found.push(item.number);
      const next = ['BL2', 'BL0'][found.length - 1] ?? '';
      const index = requests.findIndex(({ id }) => id === `r-${next}`);
      requests[index] = trackingRequest(`r-${next}`, { status: 'failed', request_number: next });
    }
    expect(found).toEqual(['BL1', 'BL2', 'BL0']);
  });

  test('tracks at most `concurrency` items at a time', async () => {
    const { client, requests, posted } = await setUp({ outcome: () => 'pending' });
    const results = client.trackMany(items(10), { concurrency: 3 });
    const first = results.next();
    await expect.poll(posted).toHaveLength(3);
    await sleep(50);
    expect(posted()).toHaveLength(3);
    requests[0] = trackingRequest('r-BL2', { status: 'failed', request_number: 'BL2' });
    expect((await first).value).toMatchObject({ ok: false, item: { number: 'BL2' } });
    await expect.poll(posted).toHaveLength(4);
    await results.return(undefined);
  });

  test('starts no more than `concurrency` items ahead of a slow consumer', async () => {
    const { client, posted } = await setUp();
    let taken = 0;
    for await (const _ of client.trackMany(items(8), { concurrency: 2 })) {
      taken += 1;
      await sleep(40);
      expect(posted().length).toBeLessThanOrEqual(taken + 2);
    }
    expect(taken).toBe(8);
  });

  test('shares its polls, so that 200 numbers take few additional requests', async () => {
    const clock = startIdleClock();
    const { server, client, shipments } = await setUp({
      client: {
        rateLimit: { windowMs: 300, limits: { createTrackingRequest: 1000, default: 1000 } },
        fetch: (...args) => clock.during(fetch(...args)),
      },
    });
    const results = await collect(client.trackMany(items(200)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(200);
    expect(shipments).toHaveLength(200);
    // 200 calls create tracking requests, and 200 calls read the shipments, because this service does not include them.
    expect(server.requests.length).toBeLessThan(400 + 60);
  });

  test('reads every item of a slow source', async () => {
    const { client } = await setUp();
    const pulled: string[] = [];
    async function* source() {
      for (const item of items(4)) {
        await sleep(15);
        pulled.push(item.number);
        yield item;
      }
    }
    const results = await collect(client.trackMany(source(), { concurrency: 1 }));
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(pulled).toHaveLength(4);
  });

  test('reads from an endless source only the items that it can start', async () => {
    const { client, posted } = await setUp({ outcome: () => 'pending' });
    let pulled = 0;
    let closed = false;
    function* source() {
      try {
        for (;;) {
          pulled += 1;
          yield { ...BILL, number: `BL${pulled}` };
        }
      } finally {
        closed = true;
      }
    }
    const stopping = new AbortController();
    const results = client.trackMany(source(), { concurrency: 3, signal: stopping.signal });
    const first = results.next();
    await expect.poll(posted).toHaveLength(3);
    expect(pulled).toBe(3);
    stopping.abort('enough');
    await expect(first).rejects.toBe('enough');
    await expect.poll(() => closed).toBe(true);
    expect(pulled).toBe(3);
  });

  test('yields nothing for an empty list', async () => {
    const { server, client } = await setUp();
    expect(await collect(client.trackMany([]))).toEqual([]);
    expect(server.requests).toHaveLength(0);
  });

  test('yields the finished results before it rejects with the error of its source', async () => {
    const { client } = await setUp();
    const given = gate();
    async function* source() {
      yield* items(2);
      await given.opened;
      throw new Error('the file is broken');
    }
    const results: TrackResult[] = [];
    const iterate = async () => {
      for await (const result of client.trackMany(source())) if (results.push(result) === 2) given.open();
    };
    await expect(iterate()).rejects.toThrow('the file is broken');
    expect(results).toHaveLength(2);
  });

  test('closes its source and sends no more requests after the consumer stops', async () => {
    let closed = false;
    let calls = 0;
    const { server, client } = await setUp({
      outcome: number => (number === 'BL0' ? 'created' : 'pending'),
      client: {
        fetch: (...args) => {
          calls += 1;
          return fetch(...args);
        },
      },
    });
    async function* source() {
      try {
        for (const item of items(50)) {
          await sleep(1);
          yield item;
        }
      } finally {
        closed = true;
      }
    }
    for await (const { ok } of client.trackMany(source(), { concurrency: 5 })) {
      expect(ok).toBe(true);
      break;
    }
    const count = calls;
    await expect.poll(() => closed).toBe(true);
    await sleep(120);
    expect(calls).toBe(count);
    // The requests of most of the 50 items were never sent.
    expect(server.requests.filter(({ method }) => method === 'POST').length).toBeLessThan(10);
  });

  describe.each([
    ['return()', (results: AsyncGenerator<TrackResult, void>) => results.return()],
    ['throw()', (results: AsyncGenerator<TrackResult, void>) => results.throw(new Error('mine')).catch(() => {})],
  ])('ends immediately after %s', (_, leave) => {
    test.each([
      ['while it waits for a result', items(5)],
      [
        'while it waits for its source',
        (async function* () {
          await new Promise(() => {});
          yield* items(1);
        })(),
      ],
    ])('%s, and polls no more', async (_, source) => {
      const { server, client } = await setUp({ outcome: () => 'pending' });
      const results = client.trackMany(source, { waitTimeout: 600_000 });
      const waiting = results.next();
      if (Array.isArray(source)) await expect.poll(() => server.requests.length).toBeGreaterThan(5);
      await leave(results);
      expect(await waiting).toEqual({ done: true, value: undefined });
      const count = server.requests.length;
      await sleep(50);
      expect(server.requests).toHaveLength(count);
    });
  });

  test('ends immediately if its stream is cancelled, and polls no more', async () => {
    const { server, client } = await setUp({ outcome: () => 'pending' });
    const reader = ReadableStream.from(client.trackMany(items(5), { waitTimeout: 600_000 })).getReader();
    const waiting = reader.read();
    await expect.poll(() => server.requests.length).toBeGreaterThan(5);
    await reader.cancel();
    expect((await waiting).done).toBe(true);
    const count = server.requests.length;
    await sleep(50);
    expect(server.requests).toHaveLength(count);
  });

  test('rejects with the reason of the signal', async () => {
    let calls = 0;
    const ownFetch: typeof fetch = (...args) => {
      calls += 1;
      return fetch(...args);
    };
    const { client } = await setUp({ outcome: () => 'pending', client: { fetch: ownFetch } });
    const stopping = new AbortController();
    const results = collect(client.trackMany(items(5), { signal: stopping.signal }));
    await expect.poll(() => calls).toBeGreaterThan(4);
    stopping.abort('enough');
    await expect(results).rejects.toBe('enough');
    const count = calls;
    await sleep(120);
    expect(calls).toBe(count);
  });

  test('rejects with the reason of the signal also while it waits for its source', async () => {
    const { client } = await setUp();
    const stopping = new AbortController();
    async function* source() {
      await new Promise(() => {});
      yield* items(1);
    }
    const results = collect(client.trackMany(source(), { signal: stopping.signal }));
    await sleep(10);
    stopping.abort('enough');
    await expect(results).rejects.toBe('enough');
    await expect(collect(client.trackMany(items(1), { signal: stopping.signal }))).rejects.toBe('enough');
  });

  test('reports progress with the item, and applies waitTimeout', async () => {
    const clock = startIdleClock();
    const { client } = await setUp({
      outcome: () => 'awaiting_manifest',
      client: { fetch: (...args) => clock.during(fetch(...args)), rateLimit: { windowMs: 300 } },
    });
    const told: string[] = [];
    const results = await collect(
      client.trackMany(items(2), {
        waitTimeout: 400,
        onProgress: ({ item, index, trackingRequest: { status } }) => told.push(`${item.number} ${index} ${status}`),
      }),
    );
    expect(told.sort()).toEqual([
      'BL0 0 awaiting_manifest',
      'BL0 0 pending',
      'BL1 1 awaiting_manifest',
      'BL1 1 pending',
    ]);
    for (const result of results) expect(result).toMatchObject({ ok: false, error: { code: 'tracking_pending' } });
  });

  test.each([0, -1, 1.5, Number.NaN, '3'])('rejects a concurrency of %j, and nothing is sent', async concurrency => {
    const { server, client } = await setUp();
    const results = client.trackMany(items(2), { concurrency: concurrency as number });
    await expect(collect(results)).rejects.toThrow(ConfigurationError);
    expect(server.requests).toHaveLength(0);
  });
});
