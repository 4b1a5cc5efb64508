import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isIdentifier, isRecord, type WireDocument, type WireResource } from '../../src/jsonapi/document.ts';
import { checkDocument } from '../../src/schemas/check.ts';
import { inferNumberResults, notification, schemas, searchResult } from '../../src/schemas/index.ts';

const FIXTURES = new URL('../../support/samples/', import.meta.url);

function isDocument(value: unknown): value is WireDocument {
  return isRecord(value) && [value.data].flat().every(isIdentifier);
}

/** The documents of a file: the file itself, or the documents (or bare resources) below its descriptive keys. */
function documentsIn(value: unknown): WireDocument[] {
  if (isDocument(value)) return [value];
  if (isIdentifier(value) && 'attributes' in value) return [{ data: value as WireResource }];
  return isRecord(value) ? Object.values(value).flatMap(documentsIn) : [];
}

const files = readdirSync(FIXTURES);
const documents = files.flatMap(file =>
  documentsIn(JSON.parse(readFileSync(new URL(file, FIXTURES), 'utf8'))).map(document => ({ file, document })),
);

const resourcesOf = ({ data, included = [] }: WireDocument): WireResource[] => [data ?? [], included].flat();

const documentOf = (type: string, attributes: Record<string, unknown>): WireDocument => ({
  data: { type, id: '1', attributes },
});

const related = (type: string, relationships: Record<string, unknown>): WireDocument => ({
  data: { type, id: '1', relationships: relationships as NonNullable<WireResource['relationships']> },
});

describe('the documents of the reference', () => {
  test('are all found, and include nearly every resource type', () => {
    const types = new Set(documents.flatMap(({ document }) => resourcesOf(document)).map(({ type }) => type));
    expect(files.length).toBeGreaterThanOrEqual(29);
    expect(documents.length).toBeGreaterThan(30);
    expect(new Set(Object.keys(schemas).filter(type => !types.has(type)))).toEqual(
      new Set(['container_created_event', 'container_pod_terminal_changed_event']),
    );
  });

  test.each(documents)('$file fits the schemas', ({ document }) => {
    expect(checkDocument(document)).toEqual([]);
  });

  test.each(documents)('$file is not changed by parsing', ({ document }) => {
    for (const resource of resourcesOf(document)) {
      const schema = schemas[resource.type as keyof typeof schemas];
      expect(schema.parse(resource)).toStrictEqual(resource);
    }
  });
});

test.each(Object.entries(schemas))('%s requires only type and id', (type, schema) => {
  expect(schema.parse({ type, id: '1' })).toEqual({ type, id: '1' });
  expect(schema.parse({ type, id: '1', attributes: {}, relationships: {} })).toBeDefined();
});

describe('drift is reported with its place', () => {
  const date = '2026-03-09T03:04:40Z';

  test.each<[string, WireDocument, { path: string; expected: string; received: string }]>([
    [
      'another type',
      documentOf('container', { number: 7 }),
      { path: 'attributes.number', expected: 'string', received: 'number' },
    ],
    [
      'null for a value that is never null',
      documentOf('container', { number: null }),
      { path: 'attributes.number', expected: 'string', received: 'null' },
    ],
    [
      'a number instead of a time',
      documentOf('shipment', { pod_eta_at: 1773025480 }),
      { path: 'attributes.pod_eta_at', expected: 'string', received: 'number' },
    ],
    [
      'a text instead of a time',
      documentOf('shipment', { pod_eta_at: 'in three days' }),
      { path: 'attributes.pod_eta_at', expected: 'date-time', received: 'string' },
    ],
    [
      'a day that does not exist',
      documentOf('shipment', { pod_eta_at: '2026-02-30T00:00:00Z' }),
      { path: 'attributes.pod_eta_at', expected: 'date-time', received: 'string' },
    ],
    [
      'a time instead of a day',
      documentOf('raw_event', { actual_on: date }),
      { path: 'attributes.actual_on', expected: 'date', received: 'string' },
    ],
    [
      'a text instead of a flag',
      documentOf('container', { available_for_pickup: 'true' }),
      { path: 'attributes.available_for_pickup', expected: 'boolean', received: 'string' },
    ],
    [
      'an item of a list',
      documentOf('container', { holds_at_pod_terminal: [{ name: 'customs', status: 'hold', description: 1 }] }),
      { path: 'attributes.holds_at_pod_terminal.*.description', expected: 'string', received: 'number' },
    ],
    [
      'a key missing from an item',
      documentOf('webhook', { headers: [{ name: 'X-Team' }] }),
      { path: 'attributes.headers.*.value', expected: 'string', received: 'nothing' },
    ],
    [
      'an object inside',
      documentOf('container', { import_deadlines: [] }),
      { path: 'attributes.import_deadlines', expected: 'object', received: 'array' },
    ],
    [
      'none of several kinds',
      documentOf('port', { latitude: {} }),
      { path: 'attributes.latitude', expected: 'number or string', received: 'object' },
    ],
    [
      'a change that is not a pair',
      documentOf('container_updated_event', { changeset: { pod_terminal_holds: [1] } }),
      { path: 'attributes.changeset.pod_terminal_holds', expected: 'array of another length', received: 'array' },
    ],
    [
      'a change of another type',
      documentOf('container_updated_event', { changeset: { available_for_pickup: [null, 'yes'] } }),
      { path: 'attributes.changeset.available_for_pickup.*', expected: 'boolean', received: 'string' },
    ],
    [
      'a to-one relationship instead of a to-many',
      related('shipment', { containers: { data: { type: 'container', id: '1' } } }),
      { path: 'relationships.containers.data', expected: 'a list of references', received: 'object' },
    ],
    [
      'a to-many relationship instead of a to-one',
      related('shipment', { pod_terminal: { data: [] } }),
      { path: 'relationships.pod_terminal.data', expected: 'a reference', received: 'array' },
    ],
    [
      'a record of a wrong type',
      related('shipment', { pod_terminal: { data: { type: 'vessel', id: '1' } } }),
      { path: 'relationships.pod_terminal.data', expected: 'a reference to terminal', received: 'another type' },
    ],
    [
      'a record of a type outside its union',
      related('transport_event', { terminal: { data: { type: 'port', id: '1' } } }),
      {
        path: 'relationships.terminal.data',
        expected: 'a reference to terminal or rail_terminal',
        received: 'another type',
      },
    ],
    [
      'a record of a wrong type among many',
      related('shipment', {
        containers: {
          data: [
            { type: 'container', id: '1' },
            { type: 'cargo', id: '2' },
          ],
        },
      }),
      {
        path: 'relationships.containers.data',
        expected: 'a list of references to container',
        received: 'another type',
      },
    ],
    [
      'an invalid relationship',
      related('shipment', { pod_terminal: 5 }),
      { path: 'relationships.pod_terminal.data', expected: 'a reference', received: 'nothing' },
    ],
    [
      'a wrong type beside data',
      related('container_pod_terminal_changed_event', { terminal: { type: 'vessel', id: '1' } }),
      { path: 'relationships.terminal.data', expected: 'a reference to terminal', received: 'another type' },
    ],
    [
      'invalid attributes',
      { data: { type: 'party', id: '1', attributes: [] as never } },
      { path: 'attributes', expected: 'object', received: 'array' },
    ],
  ])('for %s', (_, document, { path, expected, received }) => {
    expect(checkDocument(document)).toEqual([
      {
        resourceType: (document.data as WireResource).type,
        path,
        expected,
        received,
        message: `expected ${expected}, received ${received}`,
      },
    ]);
  });

  test('in an included record, by the type of this record', () => {
    const document: WireDocument = {
      ...documentOf('container', {}),
      included: [{ type: 'terminal', id: '2', attributes: { name: null } }],
    };
    expect(checkDocument(document)).toMatchObject([{ resourceType: 'terminal', path: 'attributes.name' }]);
  });

  test('once for many records of the same shape', () => {
    const data = ['1', '2', '3'].map(id => ({ type: 'party', id, attributes: { company_name: 5 } }));
    expect(checkDocument({ data })).toHaveLength(1);
  });

  test('for every attribute, and not only for the first attribute', () => {
    const mismatches = checkDocument(documentOf('party', { company_name: null, created_at: null }));
    expect(mismatches.map(({ path }) => path)).toEqual(['attributes.company_name']);
    expect(checkDocument(documentOf('port', { name: 1, code: 2, latitude: true }))).toHaveLength(3);
  });

  test('for a search hit of any type, by the schema of search hits', () => {
    const hit = (type: string, number: unknown) => ({ type, id: '1', attributes: { number, created_at: 'soon' } });
    const data = ['search_result', 'shipment', 'cargo', 'tracking_request'].map(type => hit(type, 5));
    const expected = {
      types: ['search_result', 'shipment', 'cargo', 'tracking_request'],
      schema: 'search_result',
    } as const;
    expect(checkDocument({ data }, expected)).toMatchObject([
      { resourceType: 'search_result', path: 'attributes.number' },
      { resourceType: 'search_result', path: 'attributes.created_at' },
    ]);
    expect(checkDocument({ data: [hit('port', 'a')] }, expected)).toMatchObject([
      { resourceType: 'port', path: 'type' },
      { resourceType: 'search_result', path: 'attributes.created_at' },
    ]);
    // It would be refused as a shipment, because a shipment has a different attribute of this name.
    const named = { type: 'tracking_request', id: '1', attributes: { status: null, ref_numbers: ['PO-1'] } };
    expect(checkDocument({ data: [named] }, expected)).toEqual([]);
    expect(checkDocument({ data: [named] })).toMatchObject([
      { resourceType: 'tracking_request', path: 'attributes.status' },
    ]);
  });

  describe('for a large response with drift in every record', () => {
    const count = 40_000;
    const records = (attributes: (i: number) => Record<string, unknown>) =>
      Array.from({ length: count }, (_, i) => ({
        type: 'container_updated_event',
        id: `${i}`,
        attributes: attributes(i),
      }));

    test('as at most a thousand mismatches, if each record has its drift in a different place', () => {
      const data = records(i => ({ changeset: { [`key_${i}`]: 5 } }));
      const mismatches = checkDocument({ data });
      expect(mismatches).toHaveLength(1000);
      expect(mismatches[999]).toMatchObject({ path: 'attributes.changeset.key_999' });
    });

    test('as one mismatch, if the place is the same in every record, and zod then does not check every record', () => {
      let asked = 0;
      // The predicate stops at the first key, while zod reads all keys.
      const attributes = {
        timezone: 5,
        get timestamp() {
          asked += 1;
          return '2026-03-09T03:04:40Z';
        },
      };
      expect(checkDocument({ data: records(() => attributes) })).toHaveLength(1);
      expect(asked).toBeGreaterThan(0);
      expect(asked).toBeLessThanOrEqual(5000);
    });
  });

  test('for more items than zod can list, as one mismatch and without an error', () => {
    const document = documentOf('container', { holds_at_pod_terminal: Array.from({ length: 200_000 }, () => 5) });
    expect(checkDocument(document)).toEqual([
      {
        resourceType: 'container',
        path: '',
        expected: 'its schema',
        received: 'object',
        message: 'expected its schema, received object',
      },
    ]);
  });

  test('but without the wrong value', () => {
    const document = documentOf('shipment', { bill_of_lading_number: ['SECRET-1'], pod_eta_at: 'SECRET-2' });
    expect(checkDocument(document)).toHaveLength(2);
    expect(JSON.stringify(checkDocument(document))).not.toContain('SECRET');
  });

  test('and the document does not change', () => {
    const document = documentOf('port', { latitude: '1.5', extra: { a: 1 }, code: 5 });
    const before = structuredClone(document);
    checkDocument(document);
    expect(document).toStrictEqual(before);
  });
});

describe('the type of the primary data', () => {
  test('is a mismatch if it is wrong', () => {
    const document = documentOf('account', { company_name: 'Acme' });
    expect(checkDocument(document, { types: ['container'] })).toMatchObject([
      { resourceType: 'account', path: 'type' },
    ]);
    expect(checkDocument(document, { types: ['container', 'account'] })).toEqual([]);
    expect(checkDocument(document)).toEqual([]);
  });

  test('does not restrict the types of included records', () => {
    const document = { ...documentOf('container', {}), included: [{ type: 'account', id: '1' }] };
    expect(checkDocument(document, { types: ['container'] })).toEqual([]);
  });

  test('is not checked in an empty response', () => {
    expect(checkDocument({ data: [] }, { types: ['container'] })).toEqual([]);
    expect(checkDocument({ data: null }, { types: ['container'] })).toEqual([]);
  });
});

describe('an addition of the service is not drift', () => {
  test.each<[string, WireDocument]>([
    ['an attribute', documentOf('shipment', { carbon_footprint: { tons: 3 } })],
    ['a value of an enum', documentOf('container', { current_status: 'teleported', equipment_type: 'inflatable' })],
    ['a resource type', documentOf('drone', { altitude: 'high' })],
    ['a type with the name of an inherited property', documentOf('constructor', {})],
    ['a relationship', related('shipment', { insurer: { data: 5 } })],
    ['a key in an item', documentOf('container', { fees_at_pod_terminal: [{ type: 'total', amount: 0, since: 1 }] })],
    ['a member', { data: { type: 'party', id: '1', relationship: 5 } as WireResource }],
    ['an id that is not a UUID', { data: { type: 'container', id: 'container-1' } }],
    ['a zone with an old name', documentOf('shipment', { pod_timezone: 'Asia/Calcutta' })],
  ])('such as %s', (_, document) => {
    expect(checkDocument(document)).toEqual([]);
  });

  test('and is kept in the value', () => {
    const resource = { type: 'party', id: '1', attributes: { company_name: 'Acme', tier: 'gold' }, extra: [1] };
    expect(schemas.party.parse(resource)).toStrictEqual(resource);
  });
});

describe('every documented variant is accepted', () => {
  const identifier = { type: 'terminal', id: '1' };

  test.each<[string, WireDocument]>([
    ['coordinates as text', documentOf('port', { latitude: '35.1028', longitude: '129.0403' })],
    ['coordinates as numbers', documentOf('metro_area', { latitude: 35.1, longitude: null })],
    ['an empty reference', documentOf('shipment', { ref_numbers: [null] })],
    ['no references', documentOf('shipment', { ref_numbers: null })],
    ['deadlines that are null', documentOf('container', { import_deadlines: null })],
    ['a rail deadline as a day', documentOf('container', { ind_facility_lfd_on: '2026-03-09' })],
    ['a rail deadline as a time', documentOf('container', { ind_facility_lfd_on: '2026-03-09T07:00:00Z' })],
    ['any shape if none is documented', documentOf('container', { ind_facility_holds: [1], ssl_lfd: 'soon' })],
    ['a time with an offset', documentOf('shipment', { pod_eta_at: '2021-06-23T01:00:00-07:00' })],
    ['a time with a fraction', documentOf('shipment', { created_at: '2026-03-09T03:04:40.000Z' })],
    ['a time with microseconds', documentOf('shipment', { created_at: '2026-03-09T03:04:40.123456Z' })],
    ['a container of mostly null', documentOf('container', { holds_at_pod_terminal: null, availability_known: null })],
    ['a facility without an address', documentOf('terminal', { street: null, state: null, country: null })],
    ['a raw event without wording', documentOf('raw_event', { original_event: null, location_name: null })],
    ['tags with either name', documentOf('tracking_request', { tags: ['a'], shipment_tags: ['a'], scac: null })],
    ['a webhook without its secret, to http', documentOf('webhook', { url: 'http://a.example' })],
    ['a reduced shipment', { data: { type: 'shipment', id: '1', links: { self: '/v2/shipments/1' } } }],
    ['an enum_multi as text', documentOf('custom_field', { value: 'a,b' })],
    ['an enum_multi as a list', documentOf('custom_field', { value: ['a', 'b'] })],
    ['a reference as a value', documentOf('custom_field', { value: identifier })],
    ['a hit of its entity type', documentOf('cargo', { entity_type: 'cargo', number: 'MSCU1234565' })],
    ['a hit with the type of a shipment', documentOf('shipment', { entity_type: 'shipment', shipment_id: null })],
    ['a relationship without data', related('shipment', { pod_terminal: { links: { related: '/x' } } })],
    ['a relationship with only type and id', related('container_pod_terminal_changed_event', { terminal: identifier })],
    ['a customer that is a party', related('tracking_request', { customer: { data: { type: 'party', id: '1' } } })],
    [
      'a customer that is an account',
      related('tracking_request', { customer: { data: { type: 'account', id: '1' } } }),
    ],
    ['a customer that is null', related('tracking_request', { customer: { data: null } })],
    ['a shipment that is null', related('container', { shipment: { data: null } })],
    ['an event with its vessel under another key', related('transport_event', { vessel: { name: 'vessel' } })],
  ])('such as %s', (_, document) => {
    expect(checkDocument(document)).toEqual([]);
  });

  test('such as one resource or a list of resources', () => {
    const { data } = documentOf('webhook_notification', { event: 'container.updated' });
    expect(checkDocument({ data: data as WireResource }, { types: ['webhook_notification'] })).toEqual([]);
    expect(checkDocument({ data: [data as WireResource] }, { types: ['webhook_notification'] })).toEqual([]);
  });

  test('such as an inferred number without type and id, which is still checked', () => {
    const attributes = { number_type: 'booking' };
    expect(inferNumberResults.parse({ attributes })).toEqual({ attributes });
    const document = { data: { attributes: { number_type: 5 } } } as unknown as WireDocument;
    expect(checkDocument(document, { types: ['infer_number_results'] })).toMatchObject([
      { path: 'attributes.number_type' },
    ]);
  });

  test.each(['search_result', 'shipment', 'cargo', 'tracking_request'])('such as a search hit of type %s', type => {
    const hit = { type, id: '1', attributes: { entity_type: 'cargo', updated_at: '2026-03-09T03:04:40.000Z' } };
    expect(searchResult.parse(hit)).toEqual(hit);
  });
});

describe('a complete notification', () => {
  const envelope = { data: { type: 'webhook_notification', id: 'n', attributes: { event: 'container.updated' } } };

  test('is accepted with and without included records', () => {
    expect(notification.safeParse(envelope).success).toBe(true);
    const full = { ...envelope, included: [{ type: 'drone', id: '1' }], links: { self: '{base_url}/n' } };
    expect(notification.parse(full)).toEqual(full);
  });

  test('has included records that are checked by their own type', () => {
    const included = [
      { type: 'party', id: '1', attributes: { company_name: 'Acme' } },
      { type: 'container', id: '2', attributes: { number: 5 } },
    ];
    const { error } = notification.safeParse({ ...envelope, included });
    expect(error?.issues.map(({ path }) => path)).toEqual([['included', 1, 'attributes', 'number']]);
  });

  test('is refused if its document is not a notification', () => {
    expect(notification.safeParse(documentOf('shipment', {})).success).toBe(false);
    expect(notification.safeParse({ data: [envelope.data] }).success).toBe(false);
    expect(notification.safeParse({ ...envelope, included: [{ id: '1' }] }).success).toBe(false);
  });

  test.each(documents.filter(({ file }) => file === 'webhooks.deliveries.json'))(
    'of the reference is accepted',
    ({ document }) => {
      expect(notification.parse(document)).toStrictEqual(document);
    },
  );
});
