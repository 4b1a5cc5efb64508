import { expect, test } from 'vitest';
import { clientFor } from '../../support/client.ts';
import { type Answer, serve } from '../../support/server.ts';

const CONTAINER: Answer = {
  body: {
    data: {
      type: 'container',
      id: '1',
      attributes: { number: 'MSCU1234565' },
      relationships: { shipment: { data: { type: 'shipment', id: '7' } } },
    },
    included: [{ type: 'shipment', id: '7', attributes: { bill_of_lading_number: 'B' } }],
  },
};

test('a change of `include` after the call affects neither the request nor the record', async () => {
  const server = await serve(CONTAINER);
  const include: 'shipment'[] = ['shipment'];
  const call = clientFor(server).containers.get('1', { include });
  include.length = 0;
  const container = await call;
  expect(server.requests[0]?.url).toBe('/v2/containers/1?include=shipment');
  expect(container.shipment).toMatchObject({ id: '7', bill_of_lading_number: 'B' });
});

test('a path that is added to `include` after the call is not sent, and its record is not linked', async () => {
  const server = await serve(CONTAINER);
  const include: 'shipment'[] = [];
  const call = clientFor(server).containers.get('1', { include });
  include.push('shipment');
  const container = await call;
  expect(server.requests[0]?.url).toBe('/v2/containers/1');
  expect(container.shipment).toEqual({ type: 'shipment', id: '7' });
});

test('a filter, a header and a body are sent as they were at the call, even if the program changes them later', async () => {
  const server = await serve({ body: { data: [] } }, { body: { data: { type: 'party', id: '1', attributes: {} } } });
  const client = clientFor(server);
  const filter = { number: 'MSCU1234565' };
  const headers = { 'x-trace': '1' };
  const list = client.containers.list({ filter, headers });
  filter.number = 'other';
  await list;
  expect(server.requests[0]?.url).toContain('filter[number]=MSCU1234565');
  const attributes = { company_name: 'A' };
  const call = client.parties.create(attributes, { headers });
  attributes.company_name = 'B';
  headers['x-trace'] = '2';
  await call;
  expect(server.requests[1]).toMatchObject({ headers: { 'x-trace': '1' }, body: expect.stringContaining('"A"') });
});

test('each page of a list is requested with the filter and the include that the list had when it was created', async () => {
  const page = (next?: string) => ({
    body: { data: [{ type: 'container', id: next ?? 'last', attributes: {} }], links: { next }, meta: { total: 2 } },
  });
  const server = await serve(page('/v2/containers?page[number]=2'), page());
  const include: 'shipment'[] = ['shipment'];
  const filter = { number: 'MSCU1234565' };
  for await (const _ of clientFor(server).containers.list({ include, filter, pageSize: 1 })) {
    include.length = 0;
    filter.number = 'other';
  }
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/v2/containers?include=shipment&sort=created_at&filter[number]=MSCU1234565&page[number]=1&page[size]=1',
    '/v2/containers?include=shipment&sort=created_at&filter[number]=MSCU1234565&page[number]=2&page[size]=1',
  ]);
});

test('each page of a list is requested with the headers and retry rules that the list had when it was created', async () => {
  const page = (next?: string) => ({
    body: { data: [{ type: 'container', id: next ?? 'last', attributes: {} }], links: { next }, meta: { total: 2 } },
  });
  const server = await serve(page('/v2/containers?page[number]=2'), { status: 500 }, page());
  const headers = { 'x-trace': '1' };
  const retry = { limit: 1, minDelay: 0 };
  const list = clientFor(server).containers.list({ headers, retry });
  headers['x-trace'] = '2';
  for await (const _ of list) {
    headers['x-trace'] = '3';
    retry.limit = 0;
  }
  expect(server.requests.map(({ headers }) => headers['x-trace'])).toEqual(['1', '1', '1']);
});

test('a method in a lazily loaded chunk uses its arguments as they were at the call', async () => {
  const server = await serve({ status: 422, body: { errors: [{ title: 'no' }] } });
  const client = clientFor(server);
  const item = { number: 'MSCU1234565', scac: 'MSCU', type: 'container' as const, ref_numbers: ['1'] };
  const tracked = client.track(item);
  item.number = 'other';
  item.ref_numbers.push('2');
  const file = { file: new Uint8Array(5), filename: 'a.pdf', headers: { 'x-trace': '1' } };
  const uploaded = client.documents.upload(file);
  file.filename = 'b.pdf';
  file.headers['x-trace'] = '2';
  const webhook = { url: 'https://hooks.example/', events: ['container.updated'] as ['container.updated'] };
  const headers = { 'x-trace': '1' };
  const ensured = client.webhooks.ensure(webhook, { headers });
  webhook.url = 'https://other.example/';
  headers['x-trace'] = '2';
  await Promise.allSettled([tracked, uploaded, ensured]);
  const sent = (path: string) => server.requests.find(({ url }) => url.startsWith(path));
  expect(sent('/v2/tracking_requests')?.body).toContain('"MSCU1234565"');
  expect(sent('/v2/tracking_requests')?.body).toContain('"ref_numbers":["1"]');
  expect(sent('/v2/rails/active_storage/direct_uploads')?.body).toContain('"a.pdf"');
  expect(sent('/v2/rails/active_storage/direct_uploads')?.headers['x-trace']).toBe('1');
  expect(sent('/v2/webhooks')?.headers['x-trace']).toBe('1');
});

test('trackMany uses the number that an item had when trackMany took the item', async () => {
  const server = await serve(
    {
      body: {
        data: {
          type: 'infer_number_results',
          id: '1',
          attributes: {
            number_type: 'container',
            shipping_line: { decision: 'auto_select', selected: { scac: 'MSCU' } },
          },
        },
      },
    },
    { status: 422, body: { errors: [{ title: 'no' }] } },
  );
  const item = { number: 'MSCU1234565', ref_numbers: ['1'] };
  const results = clientFor(server).trackMany([item]);
  const first = results.next();
  await expect.poll(() => server.requests.length, { interval: 1 }).toBeGreaterThan(0);
  item.number = 'other';
  await first;
  expect(server.requests[1]?.body).toContain('"MSCU1234565"');
});

test('the options of trackMany and uploadMany are read at the call', async () => {
  const server = await serve({ status: 422, body: { errors: [{ title: 'no' }] } });
  const client = clientFor(server);
  const seen: string[] = [];
  const tracking = { concurrency: 1, onProgress: () => seen.push('tracking') };
  const tracked = client.trackMany([{ number: 'MSCU1234565', scac: 'MSCU', type: 'container' as const }], tracking);
  tracking.concurrency = Number.NaN;
  const uploading = { concurrency: 1, headers: { 'x-trace': '1' } };
  const uploaded = client.documents.uploadMany([{ file: new Uint8Array(5), filename: 'a.pdf' }], uploading);
  uploading.concurrency = Number.NaN;
  uploading.headers['x-trace'] = '2';
  for (const results of [tracked, uploaded]) {
    expect((await results.next()).value).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('422 no') },
    });
  }
  const slot = server.requests.find(({ url }) => url.includes('direct_uploads'));
  expect(slot?.headers['x-trace']).toBe('1');
});

test('options of trackMany and uploadMany that are invalid at the call are refused, even if they become valid later', async () => {
  const server = await serve({ status: 422, body: { errors: [{ title: 'no' }] } });
  const client = clientFor(server);
  const tracking = { concurrency: Number.NaN };
  const tracked = client.trackMany([{ number: 'MSCU1234565' }], tracking);
  tracking.concurrency = 1;
  const uploading = { concurency: 1 } as object;
  const uploaded = client.documents.uploadMany([{ file: new Uint8Array(5), filename: 'a.pdf' }], uploading);
  Object.assign(uploading, { concurency: undefined });
  await expect(tracked.next()).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringMatching(/concurrency is NaN/),
  });
  await expect(uploaded.next()).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringMatching(/no concurency/),
  });
  expect(server.requests).toHaveLength(0);
});
