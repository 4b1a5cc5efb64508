import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { APIError, Validation } from '../../src/index.ts';
import { clientFor, rejection } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

const MODES: Validation[] = ['strict', 'warn', 'off'];
const DEEP = 100_000;

/** A container with these members, as JSON text. */
const container = (members: string, rest = '') => `{"data":{"type":"container","id":"1",${members}}${rest}}`;

async function get(body: string | Buffer, validation: Validation = 'warn') {
  const server = await serve({ body });
  return clientFor(server, { validation }).containers.get('1', { include: ['shipment'] });
}

describe.each(MODES)('with validation %s, a record with', validation => {
  test.each([
    ['attributes that are a text', '"attributes":"abc"'],
    ['attributes that are a list', '"attributes":[1,2]'],
    ['attributes that are null', '"attributes":null'],
    ['attributes that are a number', '"attributes":5'],
    ['relationships that are a text', '"relationships":"abc"'],
    ['relationships that are a list', '"relationships":[{"data":{"type":"a","id":"1"}}]'],
    ['relationships that are null', '"relationships":null'],
    ['a relationship that is null', '"relationships":{"shipment":null}'],
    ['a relationship that is a text', '"relationships":{"shipment":"x"}'],
    ['linkage that is a text', '"relationships":{"shipment":{"data":"x"}}'],
    ['linkage with nulls', '"relationships":{"shipment":{"data":[null]}}'],
    ['linkage with a number as id', '"relationships":{"shipment":{"data":{"type":"shipment","id":1}}}'],
    ['linkage to itself', '"relationships":{"shipment":{"data":{"type":"container","id":"1"}}}'],
    ['links and meta of the wrong kind', '"links":"x","meta":[]'],
  ])('%s becomes a record or a ResponseFormatError', async (_, members) => {
    const result = await get(container(members), validation).catch((error: unknown) => error);
    if (validation === 'strict' && result instanceof Error) {
      expect(result).toMatchObject({ name: 'ResponseFormatError' });
      return;
    }
    expect(result).toMatchObject({ id: '1', type: 'container' });
    expect(() => JSON.stringify(result)).not.toThrow();
  });

  test.each([
    ['null', ',"included":null'],
    ['a list with null', ',"included":[null]'],
    ['an object', ',"included":{"type":"shipment","id":"7"}'],
    ['a text', ',"included":"x"'],
    ['records without an id', ',"included":[{"type":"shipment"}]'],
  ])('`included` that is %s gives a record or a ResponseFormatError', async (_, included) => {
    const members = '"relationships":{"shipment":{"data":{"type":"shipment","id":"7"}}}';
    const result = await get(container(members, included), validation).catch((error: unknown) => error);
    if (result instanceof Error) expect(result).toMatchObject({ name: 'ResponseFormatError' });
    else expect(result).toMatchObject({ id: '1', shipment: { type: 'shipment', id: '7' } });
  });
});

test('an attribute cannot replace the id or the type', async () => {
  const result = await get(container('"attributes":{"id":"evil","type":"admin","number":"N"}'));
  expect(result).toMatchObject({ id: '1', type: 'container', number: 'N' });
});

test.each([
  ['plain', '__proto__'],
  ['in escapes', '\\u005f_proto_\\u005F'],
  ['in escapes of its letters', '__\\u0070roto__'],
])('a key __proto__, %s, changes no prototype', async (_, key) => {
  const server = await serve({
    body: `{"data":{"type":"container","id":"1","attributes":{"${key}":{"polluted":1},"a":{"${key}":{"polluted":1}}},"relationships":{"${key}":{"data":null}}}}`,
  });
  const { data, document } = await clientFor(server, { validation: 'off' }).containers.get('1').withResponse();
  const copies = [data, { ...data }, structuredClone(data), document, (data as unknown as { a: object }).a];
  for (const copy of copies) {
    expect((copy as { polluted?: number }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  }
  expect(JSON.stringify([data, document])).not.toContain('polluted');
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('attributes can be read even if they are nested 100,000 deep', async () => {
  const nested = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`;
  for (const validation of MODES) {
    expect(await get(container(`"attributes":{"number":"N","x":${nested}}`), validation)).toMatchObject({
      number: 'N',
    });
  }
  expect(await rejection(get('['.repeat(DEEP) + ']'.repeat(DEEP)))).toMatchObject({ name: 'ResponseFormatError' });
});

test.each([
  ['in one another', '{"__proto__":'],
  ['beside other keys', '{"__proto__":1,"a":'],
])('a body is still accepted as JSON if it has keys __proto__ that are nested 100,000 deep, %s', async (_, before) => {
  const nested = `${before.repeat(DEEP)}1${'}'.repeat(DEEP)}`;
  for (const validation of MODES) {
    expect(await get(container(`"attributes":{"number":"N","x":${nested}}`), validation)).toMatchObject({
      number: 'N',
    });
  }
});

test('numbers beyond the range of a double can be read', async () => {
  const result = await get(container('"attributes":{"weight_in_lbs":1e400,"n":123456789012345678901234567890}'));
  expect(result.weight_in_lbs).toBe(Number.POSITIVE_INFINITY);
});

test('a byte order mark and invalid UTF-8 can be read', async () => {
  const [before, after] = container('"attributes":{"number":"N|"}').split('|') as [string, string];
  const body = Buffer.concat([
    Buffer.from([0xef, 0xbb, 0xbf]),
    Buffer.from(before),
    Buffer.from([0xff]),
    Buffer.from(after),
  ]);
  expect((await get(body)).number).toBe('N\ufffd');
});

test('if a key occurs twice, the last value counts', async () => {
  expect((await get(container('"attributes":{"number":"A","number":"B"}'))).number).toBe('B');
});

test('a relationship may have the name of an attribute or of a member of Object.prototype', async () => {
  const attributes = '"attributes":{"shipment":"text","constructor":"c","toString":"t","hasOwnProperty":"h"}';
  const relationships = '"relationships":{"shipment":{"data":null},"valueOf":{"data":null}}';
  const result = await get(container(`${attributes},${relationships}`));
  expect(result).toMatchObject({ shipment: null, constructor: 'c', toString: 't', hasOwnProperty: 'h', valueOf: null });
});

test('resource types may be named like members of Object.prototype', async () => {
  const body = `{"data":{"type":"constructor","id":"1","relationships":{"shipment":{"data":{"type":"__proto__","id":"toString"}}}},"included":[{"type":"__proto__","id":"toString","attributes":{"a":1}}]}`;
  expect(await get(body)).toMatchObject({ type: 'constructor', shipment: { type: '__proto__', id: 'toString', a: 1 } });
});

describe('any JSON in any place of a document', () => {
  const json = fc.jsonValue({ maxDepth: 2 });
  const id = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('1', '7') }, json);
  const type = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('container', 'shipment', 'terminal') }, json);
  const or = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof({ weight: 3, arbitrary }, json, fc.constant(undefined));
  const identifier = fc.record({ type, id });
  const relationship = or(fc.record({ data: or(fc.oneof(identifier, fc.array(or(identifier), { maxLength: 3 }))) }));
  const resource = fc.record({
    type,
    id,
    attributes: or(fc.dictionary(fc.constantFrom('number', 'id', 'shipment', 'import_deadlines'), json)),
    relationships: or(fc.dictionary(fc.constantFrom('shipment', 'transport_events', 'pod_terminal'), relationship)),
    links: json,
    meta: json,
  });
  const document = fc.record({
    data: or(fc.oneof(resource, fc.array(or(resource), { maxLength: 3 }))),
    included: or(fc.array(or(resource), { maxLength: 3 })),
    links: json,
    meta: json,
  });

  test.each(MODES)('gives a value or a ResponseFormatError with validation %s', async validation => {
    let body = '';
    const client = clientFor(
      { baseUrl: 'https://host.example/v2' },
      { validation, retry: false, fetch: async () => new Response(body) },
    );
    const include = ['shipment', 'transport_events.terminal'] as const;
    await fc.assert(
      fc.asyncProperty(document, async value => {
        body = JSON.stringify(value);
        const calls = [client.containers.get('1', { include }), client.containers.list({ include })];
        for (const result of await Promise.allSettled<unknown>(calls)) {
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'ResponseFormatError' });
        }
      }),
      { numRuns: 200 },
    );
  });

  test('gives an APIError whose items contain only texts, if the status is an error', async () => {
    let body = '';
    const fetch = async () => new Response(body, { status: 422 });
    const client = clientFor({ baseUrl: 'https://host.example/v2' }, { retry: false, fetch });
    const item = or(fc.record({ title: json, detail: json, code: json, status: json, source: json, meta: json }));
    const errors = or(fc.oneof(fc.array(item, { maxLength: 3 }), item));
    await fc.assert(
      fc.asyncProperty(or(fc.record({ errors, error: errors, message: json, detail: json })), async value => {
        body = JSON.stringify(value) ?? '';
        const error = (await rejection(client.parties.get('1'))) as APIError;
        expect(error).toMatchObject({ name: 'ValidationError', status: 422 });
        expect(error.errors.length).toBeGreaterThanOrEqual(body === '' ? 0 : 1);
        for (const { meta, ...texts } of error.errors) {
          for (const text of Object.values(texts)) expect(['string', 'undefined']).toContain(typeof text);
        }
      }),
      { numRuns: 300 },
    );
  });
});
