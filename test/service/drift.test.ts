import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { drift } from '../../support/service/drift/compare.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PUBLISHED = join(ROOT, 'docs/service/openapi.json');

// biome-ignore lint/suspicious/noExplicitAny: the document is changed at any depth.
type Document = any;

const published = (): Document => JSON.parse(readFileSync(PUBLISHED, 'utf8'));

describe('the document of the description', () => {
  test('does not differ from the description', () => {
    expect(drift(published())).toEqual({ missing: [], extra: [] });
  });

  test.each<[string, (document: Document) => void, string[]]>([
    [
      'an operation that is new',
      ({ paths }) => Object.assign(paths, { '/berths': { get: { responses: { 200: {} } } } }),
      ['+ GET /berths'],
    ],
    ['an operation that is gone', ({ paths }) => delete paths['/parties'].post, ['- POST /parties']],
    [
      'a parameter',
      ({ paths }) => paths['/ports/{id}'].get.parameters.push({ name: 'depth', in: 'query', schema: {} }),
      ['+ GET /ports/{} ?depth'],
    ],
    [
      'a filter that is gone',
      ({ paths }) => {
        const { get } = paths['/containers'];
        get.parameters = get.parameters.filter(({ name }: Document) => name !== 'filter[number]');
      },
      ['- GET /containers ?filter[number]'],
    ],
    [
      'a field of a body',
      ({ paths }) => {
        const { schema } = paths['/parties'].post.requestBody.content['application/vnd.api+json'];
        schema.properties.data.properties.attributes.properties.country = { type: 'string' };
      },
      ['+ POST /parties body country'],
    ],
    [
      'a relationship of a body',
      ({ paths }) => {
        const { schema } = paths['/tracking_requests'].post.requestBody.content['application/vnd.api+json'];
        delete schema.properties.data.properties.relationships.properties.shipper;
      },
      ['- POST /tracking_requests body -> shipper'],
    ],
    [
      'an attribute',
      ({ components }) =>
        Object.assign(components.schemas.Port.properties.attributes.properties, { depth: { type: 'number' } }),
      ['+ port.depth'],
    ],
    [
      'an attribute of a record that only comes with others',
      ({ components }) => delete components.schemas.RouteLocation.properties.attributes.properties.inbound_scac,
      ['- route_location.inbound_scac'],
    ],
    [
      'a nullability',
      ({ components }) =>
        Object.assign(components.schemas.Port.properties.attributes.properties.name, { type: ['string', 'null'] }),
      ['+ port.name string or null', '- port.name string'],
    ],
    [
      'a relationship',
      ({ components }) => delete components.schemas.Terminal.properties.relationships.properties.port,
      ['- terminal -> port'],
    ],
    [
      'a known value',
      ({ components }) => components.schemas.TrackingRequestStatus.anyOf[0].enum.push('lost'),
      ['+ tracking_request.status = lost'],
    ],
    [
      'a status that is gone',
      ({ paths }) => delete paths['/shipments/{id}'].get.responses[404],
      ['- GET /shipments/{} 404'],
    ],
    ['a status', ({ paths }) => Object.assign(paths['/parties'].get.responses, { 418: {} }), ['+ GET /parties 418']],
  ])('is compared, and a difference is reported: %s', (_, change, expected) => {
    const document = published();
    change(document);
    const { missing, extra } = drift(document);
    expect([...missing.map(line => `+ ${line}`), ...extra.map(line => `- ${line}`)]).toEqual(expected);
  });

  test('can be read with a prefix, in OpenAPI 3.0, with allOf, and with broken references', () => {
    const document = published();
    document.openapi = '3.0.3';
    document.paths = Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [`/api/v2${path}`, item]));
    const { attributes } = document.components.schemas.Vessel.properties;
    document.components.schemas.Vessel.properties.attributes = {
      allOf: [attributes, { $ref: '#/components/schemas/Nowhere' }],
    };
    attributes.properties.imo = { type: 'string', nullable: true };
    expect(drift(document)).toEqual({ missing: [], extra: [] });
  });
});

test('npm run drift prints the differences of a YAML file and exits with 1', () => {
  const folder = mkdtempSync(join(tmpdir(), 'drift-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const document = published();
  delete document.paths['/search'];
  writeFileSync(join(folder, 'service.yaml'), stringify(document, { aliasDuplicateObjects: false }));
  const run = (file: string) =>
    execFileSync(process.execPath, [join(ROOT, 'scripts/drift.ts'), file], { encoding: 'utf8', stdio: 'pipe' });
  expect(run(PUBLISHED)).toBe('');
  let failure: { status?: number; stdout?: string } = {};
  try {
    run(join(folder, 'service.yaml'));
  } catch (error) {
    failure = error as typeof failure;
  }
  expect(failure).toMatchObject({ status: 1, stdout: expect.stringContaining('- GET /search') });
});
