import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isIdentifier, parseJson, type WireDocument, type WireResource } from '../../src/jsonapi/document.ts';
import { includeTree } from '../../src/jsonapi/include.ts';
import { type LinkedObject, Linker, type LinkProblem, oneOrMany } from '../../src/jsonapi/link.ts';

interface Linked {
  /** The records of the primary data. */
  records: LinkedObject[];
  record: LinkedObject;
  problems: LinkProblem[];
}

/** Links the primary data of a document. `asked: false` stands for a tree that the service chose. */
function link(document: WireDocument, include: string[], { asked = true } = {}): Linked {
  const parsed = parseJson(JSON.stringify(document)) as WireDocument;
  const linker = new Linker(parsed, { asked });
  const tree = includeTree(include);
  const records = [parsed.data ?? []].flat().map(resource => linker.record(resource, tree));
  return { records, record: records[0] as LinkedObject, problems: linker.problems };
}

/** The value at the end of a path such as `containers.0.number`. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
}

function ref(type: string, id: string) {
  return { type, id };
}

const PORT: WireResource = { type: 'port', id: 'p1', attributes: { name: 'Hamburg' } };

/** A shipment with two containers that point back to it, at one terminal of one port. */
const CYCLIC: WireDocument = {
  data: {
    type: 'shipment',
    id: 's1',
    attributes: { bill_of_lading_number: 'BL1' },
    relationships: {
      containers: { data: [ref('container', 'c1'), ref('container', 'c2')] },
      port_of_lading: { data: ref('port', 'p1') },
      pod_terminal: { data: ref('terminal', 't1') },
      destination: { data: null },
    },
    links: { self: '/v2/shipments/s1' },
  },
  included: [
    ...['c1', 'c2'].map(id => ({
      type: 'container',
      id,
      attributes: { number: id.toUpperCase() },
      relationships: { shipment: { data: ref('shipment', 's1') }, pod_terminal: { data: ref('terminal', 't1') } },
    })),
    {
      type: 'terminal',
      id: 't1',
      attributes: { nickname: 'CTA' },
      relationships: { port: { data: ref('port', 'p1') } },
    },
    PORT,
  ],
};

describe('a linked record', () => {
  test('has its attributes and references without an include', () => {
    expect(link(CYCLIC, []).record).toStrictEqual({
      id: 's1',
      type: 'shipment',
      bill_of_lading_number: 'BL1',
      containers: [ref('container', 'c1'), ref('container', 'c2')],
      port_of_lading: ref('port', 'p1'),
      pod_terminal: ref('terminal', 't1'),
      destination: null,
      links: { self: '/v2/shipments/s1' },
    });
  });

  test('follows the include tree, and has only references beyond it', () => {
    const { record, problems } = link(CYCLIC, ['containers', 'containers.shipment', 'port_of_lading', 'destination']);
    const backwards = {
      id: 's1',
      type: 'shipment',
      bill_of_lading_number: 'BL1',
      containers: [ref('container', 'c1'), ref('container', 'c2')],
      port_of_lading: ref('port', 'p1'),
      pod_terminal: ref('terminal', 't1'),
      destination: null,
      links: { self: '/v2/shipments/s1' },
    };
    const box = (id: string) => ({
      id,
      type: 'container',
      number: id.toUpperCase(),
      shipment: backwards,
      pod_terminal: ref('terminal', 't1'),
    });
    expect(record).toStrictEqual({
      ...backwards,
      containers: [box('c1'), box('c2')],
      port_of_lading: { id: 'p1', type: 'port', name: 'Hamburg' },
    });
    expect(problems).toEqual([]);
  });

  test('has no cycles even if the document has one, and can be printed, spread and cloned', () => {
    const { record } = link(CYCLIC, [
      'containers.shipment.containers',
      'containers.pod_terminal.port',
      'pod_terminal.port',
    ]);
    const text = JSON.stringify(record);
    expect(JSON.parse(text)).toStrictEqual(record);
    expect(structuredClone(record)).toStrictEqual(record);
    expect({ ...record }).toStrictEqual(record);
    expect(Object.keys(record).sort()).toEqual(
      [
        'bill_of_lading_number',
        'containers',
        'destination',
        'id',
        'links',
        'pod_terminal',
        'port_of_lading',
        'type',
      ].sort(),
    );
    expect(at(record, 'containers.0.shipment.containers.1.shipment')).toEqual(ref('shipment', 's1'));
    expect(at(record, 'containers.0.pod_terminal.port.name')).toBe('Hamburg');
  });

  test('is the same object at all its appearances at one place', () => {
    const { record } = link(CYCLIC, ['containers.shipment', 'containers.pod_terminal']);
    expect(at(record, 'containers.0.shipment')).toBe(at(record, 'containers.1.shipment'));
    expect(at(record, 'containers.0.pod_terminal')).toBe(at(record, 'containers.1.pod_terminal'));

    const list = link({ data: [1, 2].map(n => ({ ...shipmentTo('port', 'p1'), id: `s${n}` })), included: [PORT] }, [
      'port_of_lading',
    ]);
    expect(list.records[0]?.port_of_lading).toBe(list.records[1]?.port_of_lading);
  });

  test('is a separate copy at a second place, with only the relationships of that place', () => {
    const { record } = link(CYCLIC, ['pod_terminal', 'containers.pod_terminal.port', 'containers.shipment']);
    expect(at(record, 'pod_terminal.port')).toEqual(ref('port', 'p1'));
    expect(at(record, 'containers.0.pod_terminal.port')).toMatchObject({ name: 'Hamburg' });
    expect(at(record, 'containers.0.shipment.pod_terminal')).toEqual(ref('terminal', 't1'));

    Object.assign(record.pod_terminal as object, { nickname: 'changed' });
    expect(at(record, 'containers.0.pod_terminal.nickname')).toBe('CTA');
  });

  test('has null for a missing record only at the place whose include names the record', () => {
    const terminal = { type: 'terminal', id: 't1', attributes: { nickname: 'CTA' } };
    const data = {
      type: 'shipment',
      id: 's1',
      relationships: {
        pod_terminal: { data: ref('terminal', 't1') },
        destination_terminal: { data: ref('terminal', 't1') },
      },
    };
    const { record } = link({ data, included: [terminal] }, ['pod_terminal.port', 'destination_terminal']);
    expect(at(record, 'pod_terminal.port')).toBeNull();
    expect(record.destination_terminal).toStrictEqual({ id: 't1', type: 'terminal', nickname: 'CTA' });
  });

  test('may be in the primary data or in `included`', () => {
    const data = [
      { type: 'container', id: 'c1', relationships: { shipment: { data: ref('container', 'c2') } } },
      { type: 'container', id: 'c2', attributes: { number: 'C2' } },
    ];
    expect(at(link({ data }, ['shipment']).record, 'shipment.number')).toBe('C2');
  });

  test.each([
    ['before', [ref('port', 'p1'), PORT]],
    ['after', [PORT, ref('port', 'p1')]],
  ])('has its attributes even if `included` repeats it only as an id (%s the attributes)', (_, included) => {
    const { record } = link({ data: shipmentTo('port', 'p1'), included }, ['port_of_lading']);
    expect(at(record, 'port_of_lading.name')).toBe('Hamburg');
  });

  test('is the primary data if `included` repeats it only as an id', () => {
    const data = {
      type: 'shipment',
      id: 's1',
      attributes: { bill_of_lading_number: 'BL1' },
      relationships: { containers: { data: [ref('container', 'c1')] } },
    };
    const box = { type: 'container', id: 'c1', relationships: { shipment: { data: ref('shipment', 's1') } } };
    const { record } = link({ data, included: [box, ref('shipment', 's1')] }, ['containers.shipment']);
    expect(at(record, 'containers.0.shipment.bill_of_lading_number')).toBe('BL1');
  });

  test('has a relationship whose type and id are not inside `data`: one schema allows this form', () => {
    const relationships = { terminal: { type: 'terminal', id: 't1' }, shipment: { type: 'shipment', id: 's1' } };
    const data = { type: 'container_pod_terminal_changed_event', id: 'e1', relationships } as unknown as WireResource;
    const terminal = { type: 'terminal', id: 't1', attributes: { nickname: 'CTA' } };
    const { record, problems } = link({ data, included: [terminal] }, ['terminal']);
    expect(at(record, 'terminal.nickname')).toBe('CTA');
    expect(record.shipment).toEqual(ref('shipment', 's1'));
    expect(problems).toEqual([]);
  });
});

describe('a tree with a star', () => {
  test('includes every relationship of the record at that place, and goes no deeper', () => {
    const notification = {
      type: 'webhook_notification',
      id: 'n1',
      relationships: { reference_object: { data: ref('shipment', 's1') }, webhook: { data: ref('webhook', 'w1') } },
    };
    const included = [CYCLIC.data as WireResource, ...(CYCLIC.included ?? []), ref('webhook', 'w1')];
    const { record } = link({ data: notification, included }, ['reference_object.*'], { asked: false });
    expect(record.webhook).toEqual(ref('webhook', 'w1'));
    expect(at(record, 'reference_object.containers.1.number')).toBe('C2');
    expect(at(record, 'reference_object.port_of_lading.name')).toBe('Hamburg');
    expect(at(record, 'reference_object.containers.1.shipment')).toEqual(ref('shipment', 's1'));
    expect(record).not.toHaveProperty(['*']);
  });
});

describe('a record that the service leaves out', () => {
  test('is absent if its relationship was not included', () => {
    const data = { type: 'shipment', id: 's1', relationships: { containers: { links: { related: '/x' } } } };
    expect(link({ data }, []).record).toStrictEqual({ id: 's1', type: 'shipment' });
  });

  test('is null or [] if its relationship was included, and is reported', () => {
    const { record, problems } = link({ data: ref('shipment', 's1') }, [
      'port_of_lading',
      'containers.transport_events',
    ]);
    expect(record).toStrictEqual({ id: 's1', type: 'shipment', port_of_lading: null, containers: [] });
    expect(problems).toEqual([
      { resourceType: 'shipment', relationship: 'port_of_lading', problem: 'relationship_missing' },
      { resourceType: 'shipment', relationship: 'containers', problem: 'relationship_missing' },
    ]);
  });

  test('is [] if its list was included and is null on the wire, and is reported', () => {
    const data = {
      ...ref('shipment', 's1'),
      relationships: { containers: { data: null }, destination: { data: null } },
    };
    const { record, problems } = link({ data }, ['containers', 'destination']);
    expect(record).toStrictEqual({ id: 's1', type: 'shipment', containers: [], destination: null });
    expect(problems).toEqual([
      { resourceType: 'shipment', relationship: 'containers', problem: 'relationship_missing' },
    ]);
  });

  test('is a reference if it was included, and is reported once', () => {
    const data = [1, 2, 3].map(n => ({ ...shipmentTo('port', `p${n}`), id: `s${n}` }));
    const { records, problems } = link({ data }, ['port_of_lading']);
    expect(records.map(record => record.port_of_lading)).toEqual(['p1', 'p2', 'p3'].map(id => ref('port', id)));
    expect(problems).toEqual([
      { resourceType: 'shipment', relationship: 'port_of_lading', problem: 'record_not_sent' },
    ]);
  });

  test('is reported at most 1,000 times, and every other record is returned', () => {
    const data = Array.from({ length: 40_000 }, (_, n) => ref(`type_${n}`, String(n)));
    const { records, problems } = link({ data }, ['shipment']);
    expect(records).toHaveLength(40_000);
    expect(records.at(-1)).toStrictEqual({ id: '39999', type: 'type_39999', shipment: null });
    expect(problems).toHaveLength(1000);
    expect(new Set(problems.map(({ resourceType }) => resourceType)).size).toBe(1000);
  });

  test('is not reported because of a value in `included` that is not a resource', () => {
    const odd = [null, 'text', 7, [], {}, { type: 'port' }, { id: 'p1' }, { type: 1, id: 'p1' }];
    const included = [...odd, PORT, ...odd] as WireResource[];
    const { record, problems } = link({ data: shipmentTo('port', 'p1'), included }, ['port_of_lading']);
    expect(record.port_of_lading).toEqual({ type: 'port', id: 'p1', name: 'Hamburg' });
    expect(problems).toEqual([]);
  });

  test('does not affect the other items of a list with an invalid reference', () => {
    const relationships = { containers: { data: [ref('container', 'c1'), null, ref('container', 'c2')] } };
    const data = { type: 'shipment', id: 's1', relationships } as unknown as WireResource;
    const { record } = link({ data, included: [{ type: 'container', id: 'c2', attributes: { number: 'C2' } }] }, [
      'containers',
    ]);
    const kept = (record.containers as unknown[]).filter(isIdentifier);
    expect(kept).toEqual([ref('container', 'c1'), { type: 'container', id: 'c2', number: 'C2' }]);
  });

  test('is not reported if the service chose the include', () => {
    const data = { ...shipmentTo('port', 'p1'), type: 'tracking_request' };
    const { record, problems } = link({ data }, ['port_of_lading', 'tracked_object'], { asked: false });
    expect(record).toStrictEqual({ id: 's1', type: 'tracking_request', port_of_lading: ref('port', 'p1') });
    expect(problems).toEqual([]);
  });
});

describe('dangerous names', () => {
  test('such as id, type, links and meta as attributes do not replace the members of the record', () => {
    const attributes = { id: 'wrong', type: 'wrong', links: 'wrong', meta: 'wrong', name: 'Hamburg' };
    const data = { ...PORT, attributes, links: { self: '/v2/ports/p1' }, meta: { a: 1 } } as unknown as WireResource;
    expect(link({ data }, []).record).toStrictEqual({
      id: 'p1',
      type: 'port',
      links: { self: '/v2/ports/p1' },
      meta: { a: 1 },
      name: 'Hamburg',
    });
  });

  test.each([
    ['plain', '__proto__'],
    ['escaped throughout', '\\u005f\\u005F\\u0070\\u0072\\u006f\\u0074\\u006F\\u005f\\u005f'],
    ['escaped at an underscore', '_\\u005fproto__'],
    ['escaped at p', '__\\u0070roto__'],
    ['escaped at r', '__p\\u0072oto__'],
    ['escaped at o', '__prot\\u006F__'],
    ['escaped at t', '__pro\\u0074o__'],
  ])('such as a key __proto__, %s, are dropped at every level', (_, key) => {
    const bad = `"${key}":{"polluted":true}`;
    const reference = `{"type":"container","id":"c1",${bad}}`;
    const document = parseJson(`{"data":{"type":"shipment","id":"s1",${bad},
      "attributes":{${bad},"tags":[{${bad},"a":1}],"nested":{"deep":{${bad}}}},
      "relationships":{${bad},"containers":{"data":[${reference}]}},"links":{${bad}},"meta":{${bad}}},
      "included":[{"type":"container","id":"c1","attributes":{${bad},"number":"C1"}}],"meta":{${bad}}}`) as WireDocument;
    const record = new Linker(document, { asked: true }).record(
      document.data as WireResource,
      includeTree(['containers']),
    );
    expect(JSON.stringify([document, record])).not.toContain('polluted');
    expect(record).toStrictEqual({
      id: 's1',
      type: 'shipment',
      tags: [{ a: 1 }],
      nested: { deep: {} },
      containers: [{ id: 'c1', type: 'container', number: 'C1' }],
      links: {},
      meta: {},
    });
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('do not affect other texts with escapes', () => {
    const text = '{"a":"\\u0026 __proto__ \\u005f","constructor":{"prototype":1},"\\u0061b":[null,true]}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test.each(['__proto__', '\\u005f_proto__'])('such as %s are dropped at any depth, and the rest is kept', key => {
    const deep = 100_000;
    const before = `{"${key}":{"polluted":1},"list":[{"${key}":1,"kept":true}],"below":`;
    let value = parseJson(`${before.repeat(deep)}1${'}'.repeat(deep)}`) as Record<string, unknown> | 1;
    let depth = 0;
    for (; typeof value === 'object'; value = value.below as typeof value) {
      if (depth % 10_000 === 0) {
        expect(Object.keys(value)).toEqual(['list', 'below']);
        expect(value.list).toStrictEqual([{ kept: true }]);
      }
      depth += 1;
    }
    expect([depth, value]).toEqual([deep, 1]);
  });

  test('such as __proto__ are dropped with their contents, also in the outermost object', () => {
    expect(parseJson('{"__proto__":{"__proto__":[{}]},"a":1}')).toStrictEqual({ a: 1 });
    expect(parseJson('[[{"__proto__":null}],"__proto__"]')).toStrictEqual([[{}], '__proto__']);
    expect(parseJson('"__proto__"')).toBe('__proto__');
    expect(() => parseJson('{"__proto__":')).toThrow(SyntaxError);
  });

  test('of Object.prototype are ordinary names', () => {
    const relationships = { constructor: { data: ref('port', 'p1') }, toString: { data: null } };
    const data = { type: 'constructor', id: '__proto__', attributes: { valueOf: 1 }, relationships };
    const { record } = link({ data, included: [PORT] } as WireDocument, ['constructor', 'hasOwnProperty']);
    expect(record.constructor).toEqual({ id: 'p1', type: 'port', name: 'Hamburg' });
    expect(record.hasOwnProperty).toBeNull();
    expect(Object.keys(record).sort()).toEqual(['constructor', 'hasOwnProperty', 'id', 'toString', 'type', 'valueOf']);
  });

  test('do not mix up two records whose type and id form the same text when they are joined', () => {
    const pairs = [
      ['a', 'b c'],
      ['a b', 'c'],
      ['a:b', 'c'],
      ['a', ':b:c'],
      ['', 'ab'],
      ['ab', ''],
    ] as const;
    const data = {
      type: 'shipment',
      id: 's1',
      relationships: { containers: { data: pairs.map(([type, id]) => ref(type, id)) } },
    };
    const included = pairs.map(([type, id], index) => ({ type, id, attributes: { index } }));
    const { record } = link({ data, included }, ['containers']);
    expect((record.containers as LinkedObject[]).map(item => item.index)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('of relationships that a type does not have are neither filled in nor reported', () => {
    const data = { id: 's1', type: 'shipment', relationships: { destination: { data: ref('metro_area', 'm1') } } };
    const included = [{ id: 'm1', type: 'metro_area', attributes: { name: 'Elwood' } }];
    const { record, problems } = link({ data, included }, ['destination.terminals']);
    expect(record.destination).toEqual({ id: 'm1', type: 'metro_area', name: 'Elwood' });
    expect(problems).toEqual([]);
  });

  test('are not treated as known relationships', () => {
    expect(oneOrMany('shipment', 'containers')).toBe('many');
    expect(oneOrMany('container', 'shipment')).toBe('one');
    expect(oneOrMany('metro_area', 'terminals')).toBeUndefined();
    // These relationships are not known.
    for (const name of ['constructor', '__proto__', 'something_new']) {
      expect(oneOrMany('shipment', name)).toBe('one');
      expect(oneOrMany(name, 'shipment')).toBe('one');
    }
  });
});

describe('long documents', () => {
  test('with a chain of 100,000 records do not overflow the stack', () => {
    const chain = Array.from({ length: 100_000 }, (_, n) => ({
      type: 'transport_event',
      id: `e${n}`,
      attributes: { n },
      relationships: { previous_version: { data: ref('transport_event', `e${n + 1}`) } },
    }));
    const { records } = link({ data: chain }, ['previous_version.previous_version']);
    expect(records).toHaveLength(100_000);
    expect(at(records, '99990.previous_version.previous_version.n')).toBe(99_992);
    expect(at(records, '0.previous_version.previous_version.previous_version')).toEqual(ref('transport_event', 'e3'));
  });
});

describe('for any document and any include tree', () => {
  const TYPES = ['shipment', 'container', 'port'];
  const IDS = ['1', '2', '3'];
  const NAMES = ['shipment', 'containers', 'port', 'terminals', 'vessel'];

  const identifier = fc.record({ type: fc.constantFrom(...TYPES), id: fc.constantFrom(...IDS, 'not sent') });
  const relationship = fc.oneof(
    fc.constant({ links: {} }),
    fc.constant({ data: null }),
    identifier.map(data => ({ data })),
    fc.array(identifier, { maxLength: 3 }).map(data => ({ data })),
  );
  const subset = <T>(names: string[], value: fc.Arbitrary<T>) =>
    fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length, noNullPrototype: true });
  const resource: fc.Arbitrary<WireResource> = fc.record(
    {
      type: fc.constantFrom(...TYPES),
      id: fc.constantFrom(...IDS),
      attributes: subset(['name', 'id', 'type', 'toString'], fc.jsonValue({ maxDepth: 1 })),
      relationships: subset(NAMES, relationship),
      links: fc.constant({ self: '/v2/x' }),
    },
    { requiredKeys: ['type', 'id', 'attributes'] },
  );
  const pool = fc.uniqueArray(resource, { selector: ({ type, id }) => `${type} ${id}`, minLength: 1, maxLength: 9 });
  const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map(names => names.join('.'));
  const example = fc.record({
    // Only values that a response can have. This excludes -0, objects without a prototype, and a key `__proto__`.
    pool: pool.map(resources => parseJson(JSON.stringify(resources)) as WireResource[]),
    primary: fc.integer({ min: 1, max: 4 }),
    paths: fc.array(path, { maxLength: 6 }),
    asked: fc.boolean(),
  });

  /** A plain linker, which looks up and copies every resource at every place. */
  function reference(resources: WireResource[], { type, id }: WireResource, paths: string[], asked: boolean): unknown {
    const found = resources.find(resource => resource.type === type && resource.id === id);
    if (!found) return { type, id };
    const record: Record<string, unknown> = { ...found.attributes };
    const included = new Set(paths.map(path => path.split('.')[0] as string));
    for (const [name, { data } = {}] of Object.entries(found.relationships ?? {})) {
      if (data === undefined || (data === null && oneOrMany(type, name) === 'many')) continue;
      const below = paths.filter(path => path.startsWith(`${name}.`)).map(path => path.slice(name.length + 1));
      const one = (target: WireResource) => (included.has(name) ? reference(resources, target, below, asked) : target);
      record[name] = Array.isArray(data) ? data.map(one) : data && one(data);
    }
    if (asked) {
      for (const name of included) {
        const expected = oneOrMany(type, name);
        if (expected && !(name in record)) record[name] = expected === 'many' ? [] : null;
      }
    }
    return { ...record, id, type, ...(found.links && { links: found.links }) };
  }

  test('the records equal those of a plain linker, and no attribute is lost', () => {
    fc.assert(
      fc.property(example, ({ pool, primary, paths, asked }) => {
        const document = { data: pool.slice(0, primary), included: pool.slice(primary) };
        const { records } = link(document, paths, { asked });
        expect(records).toStrictEqual(document.data.map(resource => reference(pool, resource, paths, asked)));
      }),
      { numRuns: 500 },
    );
  });

  test('a record is a single object at each place, and a different object at every other place', () => {
    fc.assert(
      fc.property(example, ({ pool, primary, paths }) => {
        const { records } = link({ data: pool.slice(0, primary), included: pool.slice(primary) }, paths);
        const objects = new Map<string, object>();
        const places = new Map<object, string>();
        const visit = (record: LinkedObject, place: string, below: string[]) => {
          const key = `${place} ${record.type} ${record.id}`;
          expect(objects.get(key) ?? record).toBe(record);
          expect(places.get(record) ?? place).toBe(place);
          objects.set(key, record);
          places.set(record, place);
          for (const name of new Set(below.map(path => path.split('.')[0] as string))) {
            const rest = below.filter(path => path.startsWith(`${name}.`)).map(path => path.slice(name.length + 1));
            for (const target of [(record[name] ?? []) as LinkedObject | LinkedObject[]].flat()) {
              if (target.id !== 'not sent' && 'name' in target) visit(target, `${place}.${name}`, rest);
            }
          }
        };
        for (const record of records) visit(record, '', paths);
      }),
      { numRuns: 300 },
    );
  });
});

function shipmentTo(type: string, id: string): WireResource {
  return { type: 'shipment', id: 's1', relationships: { port_of_lading: { data: ref(type, id) } } };
}
