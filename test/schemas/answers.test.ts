import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import type { AnswerName } from '../../src/schemas/answers.ts';
import { checkJson } from '../../src/schemas/check.ts';
import { answers } from '../../src/schemas/index.ts';
import { createSandbox, type SandboxServer } from '../../support/sandbox.ts';

const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../support/samples/${name}.json`, import.meta.url), 'utf8'));

describe('the responses of the reference', () => {
  const misc = fixture('webhooks.misc');
  const types = fixture('documents.types');

  test.each<[AnswerName, unknown]>([
    ['containers.mapGeojson', fixture('containers.map_geojson')],
    ['containers.mapGeojson', { type: 'FeatureCollection', features: [] }],
    ['containers.refresh', { message: 'Started refresh for Shipping line, Terminal, Rail' }],
    ['directUploads.create', fixture('documents.direct_upload').response],
    ['documents.downloadUrl', { download_url: 'https://storage.example/download?signature=sample' }],
    ['documents.types', types['GET /documents/types (PN)']],
    ['documents.types', types['GET /documents/types (old form)']],
    ['documents.type', types['GET /documents/types/{code}']],
    ['containers.summary', fixture('containers.summary')],
    ['documents.reextract', { status: 'accepted' }],
    ['webhooks.ips', misc['GET /webhooks/ips']],
    ['webhooks.trigger', misc['POST /webhooks/trigger (response)']],
  ])('%s fits its schema and is not changed', (name, value) => {
    const before = structuredClone(value);
    expect(checkJson(name, value)).toEqual([]);
    expect(answers[name].parse(value)).toStrictEqual(before);
    expect(value).toStrictEqual(before);
  });
});

describe('the response of the sandbox over a socket', () => {
  let server: SandboxServer;
  let client: TrackingClient;
  let containers: string[];
  let document: string;

  beforeAll(async () => {
    const sandbox = createSandbox({ speed: 0 });
    for (const phase of ['booked', 'at_sea', 'held', 'on_rail', 'returned'] as const)
      sandbox.seedShipments(1, { phase });
    server = await sandbox.listen();
    client = new TrackingClient({ baseUrl: server.baseUrl, apiKey: 'sandbox', rateLimit: false, validation: 'strict' });
    containers = (await client.containers.list()).data.map(({ id }) => id);
    const file = new TextEncoder().encode('image');
    document = (await client.documents.upload({ file, name: 'scan.png', contentType: 'image/png' })).id;
  });
  afterAll(() => server?.close());

  const blob = { filename: 'a.txt', content_type: 'text/plain', byte_size: 1, checksum: 'DMF1ucDxtqgxw5niaXcmYQ==' };

  const calls: Record<AnswerName, () => unknown[]> = {
    'containers.mapGeojson': () => containers.map(id => client.containers.mapGeojson(id)),
    'containers.refresh': () => containers.map(id => client.containers.refresh(id)),
    'containers.summary': () =>
      (['current_status', 'pod_terminal', 'shipping_line', 'port_of_discharge'] as const).map(group_by =>
        client.containers.summary({ group_by }),
      ),
    'directUploads.create': () => [client.directUploads.create(blob)],
    'documents.downloadUrl': () => [client.documents.downloadUrl(document)],
    'documents.reclassify': () => [client.documents.reclassify(document)],
    'documents.reextract': () => [client.documents.reextract(document)],
    'documents.relink': () => [client.documents.relink(document)],
    'documents.rotate': () => [client.documents.rotate(document, { degrees: 90 })],
    'documents.type': () => [client.documents.type('packing_list')],
    'documents.types': () => [client.documents.types()],
    'webhooks.ips': () => [client.webhooks.ips()],
    // One delivery gets a 404, and another gets no response.
    'webhooks.trigger': () =>
      [`${server.baseUrl}/nothing`, 'http://127.0.0.1:9/'].map(url =>
        client.webhooks.trigger({ url, event: 'tracking_request.succeeded', secret: 'sample' }),
      ),
  };

  test.each(Object.entries(calls))('to %s fits its schema', async (name, call) => {
    const values = await Promise.all(call());
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(checkJson(name as AnswerName, value)).toEqual([]);
  });
});

describe('drift of a response in plain JSON is reported', () => {
  const [port, past] = fixture('containers.map_geojson').features;
  const map = (...features: unknown[]) => ({ type: 'FeatureCollection', features });
  const withProperty = (feature: typeof port, name: string, value: unknown) => ({
    ...feature,
    properties: { ...feature.properties, [name]: value },
  });

  test.each<[string, AnswerName, unknown, Record<string, string>[]]>([
    ['a missing key', 'documents.downloadUrl', {}, [{ path: 'download_url', expected: 'string', received: 'nothing' }]],
    [
      'an address of another type',
      'webhooks.ips',
      { webhook_notification_ips: ['192.0.2.10', 7], last_updated: '2023-10-17' },
      [{ path: 'webhook_notification_ips.*', expected: 'string', received: 'number' }],
    ],
    [
      'a header that is not text',
      'directUploads.create',
      {
        ...fixture('documents.direct_upload').response,
        direct_upload: { url: 'https://a.example', headers: { A: 1 } },
      },
      [{ path: 'direct_upload.headers.A', expected: 'string', received: 'number' }],
    ],
    [
      'a response that is not an object',
      'documents.rotate',
      'accepted',
      [{ path: '', expected: 'object', received: 'string' }],
    ],
    [
      'a property of a feature, by the kind of the feature',
      'containers.mapGeojson',
      map(port, withProperty(past, 'point_count', '3'), withProperty(past, 'point_count', null)),
      [
        { path: 'features.*.properties.point_count', expected: 'number', received: 'string' },
        { path: 'features.*.properties.point_count', expected: 'number', received: 'null' },
      ],
    ],
    [
      'a coordinate',
      'containers.mapGeojson',
      map({ ...port, geometry: { type: 'Point', coordinates: [103.85, '1.28'] } }),
      [{ path: 'features.*.geometry.coordinates.*', expected: 'number', received: 'string' }],
    ],
  ])('for %s', (_, name, value, expected) => {
    const mismatches = checkJson(name, value);
    expect(mismatches).toMatchObject(expected.map(mismatch => ({ resourceType: name, ...mismatch })));
    expect(mismatches).toHaveLength(expected.length);
  });

  test('except for a feature of a new kind', () => {
    const weather = { type: 'Feature', geometry: null, properties: { feature_type: 'storm', force: 9 } };
    expect(checkJson('containers.mapGeojson', map(port, weather))).toEqual([]);
    expect(checkJson('containers.mapGeojson', map(withProperty(weather as never, 'feature_type', 5)))).toHaveLength(1);
  });

  test('except for unknown keys', () => {
    expect(checkJson('containers.refresh', { message: 'Started', request_id: 5 })).toEqual([]);
  });
});
