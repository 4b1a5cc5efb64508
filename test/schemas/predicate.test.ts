import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { isIdentifier, isRecord } from '../../src/jsonapi/document.ts';
import { isDate, isDateTime } from '../../src/schemas/date-time.ts';
import { answers, notification, schemas } from '../../src/schemas/index.ts';
import { compile } from '../../src/schemas/mismatch.ts';
import { sampleAnswers } from '../../support/service/samples.ts';

type Schema = z.ZodMiniType;

const all: Record<string, Schema> = { ...schemas, ...answers, notification };

/** These types are in no document of the reference. */
const made: Record<string, unknown> = {
  container_created_event: {
    type: 'container_created_event',
    id: '1',
    attributes: { timestamp: '2026-03-09T03:04:40Z', timezone: 'Etc/UTC' },
    relationships: { container: { data: { type: 'container', id: '2' } } },
  },
  container_pod_terminal_changed_event: {
    type: 'container_pod_terminal_changed_event',
    id: '1',
    attributes: { timestamp: '2026-03-09T03:04:40Z', data_source: 'terminal' },
    relationships: { terminal: { data: { type: 'terminal', id: '2' } } },
  },
  account: { type: 'account', id: '1', attributes: { company_name: 'Sample Imports' } },
  user: { type: 'user', id: '1', attributes: {} },
  'containers.refresh': { message: 'Started refresh for Shipping line, Terminal' },
  'documents.downloadUrl': { download_url: 'https://storage.example/file' },
};
for (const name of ['reclassify', 'reextract', 'relink', 'rotate']) made[`documents.${name}`] = { status: 'accepted' };

const SRC = new URL('../../src/', import.meta.url);
const FIXTURES = new URL('../../support/samples/', import.meta.url);

/** The samples for each schema: every resource in every document of the reference, and the plain JSON responses. */
const samples = Object.entries(made);
for (const file of readdirSync(FIXTURES)) collect(JSON.parse(readFileSync(new URL(file, FIXTURES), 'utf8')));
for (const { operation, body } of sampleAnswers()) add(operation, body);

function collect(value: unknown): void {
  if (isRecord(value)) {
    if (isIdentifier(value)) add(value.type, value);
    if (isRecord(value.data) && value.data.type === 'webhook_notification') add('notification', value);
  }
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
}

function add(name: string, value: unknown): void {
  if (Object.hasOwn(all, name)) samples.push([name, value]);
}

const accepted = (schema: Schema, value: unknown) => schema.safeParse(value).success;

/** Values of every kind, including values that JSON cannot hold. */
const odd: (() => unknown)[] = [
  ...[undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -0, 0, 1.5, 1n, true, Symbol('s')].map(
    value => () => value,
  ),
  ...['', 'text', '\ud800', 'a\0b', '2026-02-30T00:00:00Z', '2026-03-09', '2026-03-09T03:04:40.5+01:00'].map(
    value => () => value,
  ),
  () => [],
  () => {
    const holes: unknown[] = ['a', 'b', 'c'];
    delete holes[1];
    return holes;
  },
  () => [null],
  () => ({}),
  () => JSON.parse('{"__proto__":{"type":5},"constructor":1,"toString":null}'),
  () => Object.create(null),
  () => Object.create({ type: 'port', id: '1', data: null }),
  () => ({ constructor: class {} }),
  () => ({ [Symbol('key')]: 1 }),
  () => ({ data: undefined }),
  () => ({ data: { type: 'port', id: '1' } }),
  () => ({ data: [{ type: 'port', id: '1' }, { type: 'port' }] }),
  () => ({ data: null, links: [] }),
  () => new Date(0),
  () => new Map([['type', 'port']]),
  () => new Proxy({ type: 'port', id: '1' }, {}),
  () => new String('text'),
  () =>
    new (class Port {
      get type() {
        return 'port';
      }
      id = 1;
    })(),
  () => (value: unknown) => value,
];

interface Mutation {
  where: number;
  how: 'drop' | 'replace' | 'add' | 'nest' | 'corrupt' | 'hide' | 'inherit' | 'undefine';
  with: unknown;
  name: string;
}

const mutation = fc.record<Mutation>({
  where: fc.nat(),
  how: fc.constantFrom('drop', 'replace', 'add', 'nest', 'corrupt', 'hide', 'inherit', 'undefine'),
  with: fc.oneof(
    fc.constantFrom(...odd).map(make => make()),
    fc.anything({ withNullPrototype: true, withDate: true, withMap: true, withSparseArray: true, withBigInt: true }),
  ),
  name: fc.constantFrom('extra', '__proto__', 'constructor', 'data', 'id', 'type', 'links', 'attributes', 'number'),
});

type Place = readonly [holder: Record<string, unknown>, key: string];

/** Every place in a value, including its root. */
function places(holder: Record<string, unknown>, found: Place[] = []): Place[] {
  for (const key of Object.keys(holder)) {
    found.push([holder, key]);
    const inner = holder[key];
    if (typeof inner === 'object' && inner !== null) places(inner as Record<string, unknown>, found);
  }
  return found;
}

function mutated(sample: unknown, mutations: readonly Mutation[]): unknown {
  const root = { value: structuredClone(sample) };
  // Only places of the sample, because mutations may insert any value.
  const known = places(root);
  for (const { where, how, with: other, name } of mutations) {
    const [holder, key] = known[where % known.length] as Place;
    const value = holder[key];
    const below = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
    if (how === 'drop') delete holder[key];
    else if (how === 'replace') holder[key] = other;
    else if (how === 'undefine') holder[key] = undefined;
    else if (how === 'nest') holder[key] = name === 'data' ? { data: value } : [value];
    else if (how === 'hide')
      Object.defineProperty(holder, key, { value: other, enumerable: false, configurable: true, writable: true });
    else if (how === 'inherit' && below) holder[key] = Object.create(below);
    else if (how === 'add' && below)
      Object.defineProperty(below, name, { value: other, enumerable: true, configurable: true, writable: true });
    else if (how === 'corrupt' && typeof value === 'string') {
      const at = where % (value.length + 1);
      holder[key] = value.slice(0, at) + name.slice(0, 1) + value.slice(at + (where % 2));
    }
  }
  return root.value;
}

describe('the compiled predicate agrees with zod', () => {
  test('for every sample of every schema', () => {
    expect(samples.length).toBeGreaterThan(400);
    expect(new Set(samples.map(([name]) => name))).toEqual(new Set(Object.keys(all)));
    const refused = samples.filter(([name, value]) => !compile(all[name] as Schema)(value));
    expect(refused.filter(([name, value]) => accepted(all[name] as Schema, value))).toEqual([]);
    expect(refused).toEqual([]);
  });

  test('for every sample with random changes, including objects that JSON cannot hold', () => {
    const verdicts = { yes: 0, no: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        ([name, sample], how) => {
          const schema = all[name] as Schema;
          const value = mutated(sample, how);
          const expected = accepted(schema, value);
          verdicts[expected ? 'yes' : 'no'] += 1;
          expect(compile(schema)(value)).toBe(expected);
        },
      ),
      { numRuns: 6000 },
    );
    // The test proves nothing unless both verdicts occur.
    expect(verdicts.yes).toBeGreaterThan(1000);
    expect(verdicts.no).toBeGreaterThan(1000);
  });

  test('for keys in any order, although the predicate caches the last object', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        ([name, sample], random) => {
          const shuffled = (value: unknown): unknown => {
            if (!isRecord(value)) return value;
            const entries = Object.entries(value).map(
              ([key, inner]) => [key, shuffled(inner), random.next().value] as const,
            );
            return Object.fromEntries(entries.toSorted((a, b) => a[2] - b[2]).map(([key, inner]) => [key, inner]));
          };
          expect(compile(all[name] as Schema)(shuffled(sample))).toBe(accepted(all[name] as Schema, sample));
        },
      ),
      { numRuns: 500 },
    );
  });
});

/**
 * Kinds of schemas that the package does not use, or that it uses in only one way. The predicate must leave unknown
 * kinds to zod.
 */
const others: Record<string, Schema> = {
  'strict object': z.strictObject({ a: z.string() }),
  'plain object': z.object({ a: z.optional(z.number()), b: z.unknown() }),
  'exact optional': z.object({ a: z.exactOptional(z.nullable(z.string())) }),
  'own key __proto__': z.object(
    JSON.parse('{"__proto__":0}', (key, value) => (key === '__proto__' ? z.string() : value)),
  ),
  'catchall of text': z.catchall(z.object({ a: z.number() }), z.string()),
  'default in an object': z.object({ a: z._default(z.string(), 'x'), b: z.optional(z._default(z.number(), 1)) }),
  'catch in an object': z.object({ a: z.catch(z.string(), 'x') }),
  'undefined accepted, key required': z.object({ a: z.union([z.undefined(), z.string()]) }),
  'custom in an object': z.object({ a: z.custom(value => value !== 1) }),
  'record of numbers': z.record(z.string(), z.number()),
  'record of some keys': z.record(z.enum(['a', 'b']), z.number()),
  'record of long keys': z.record(z.string().check(z.minLength(2)), z.unknown()),
  'partial record': z.partialRecord(z.enum(['a', 'b']), z.number()),
  tuple: z.tuple([z.string(), z.number()]),
  'tuple with an optional item': z.tuple([z.string(), z.optional(z.number())]),
  'tuple with a rest': z.tuple([z.string()], z.number()),
  'discriminated union': z.discriminatedUnion('a', [
    z.object({ a: z.literal('x'), b: z.number() }),
    z.object({ a: z.literal('y') }),
  ]),
  'exclusive union': z.xor([z.string(), z.unknown()]),
  intersection: z.intersection(z.object({ a: z.string() }), z.looseObject({ b: z.number() })),
  'literal of many': z.literal(['x', 1, null, undefined, true]),
  enum: z.enum(['x', 'y']),
  'number with checks': z.number().check(z.gte(1)),
  integer: z.int(),
  'coerced number': z.coerce.number(),
  'text with checks': z.string().check(z.minLength(2)),
  'refined object': z.looseObject({ a: z.string() }).check(z.refine(({ a }) => a === 'x')),
  'array with checks': z.array(z.string()).check(z.maxLength(1)),
  'array of optional': z.array(z.optional(z.string())),
  'array of unions': z.array(z.union([z.string(), z.array(z.number()), z.looseObject({ a: z.null() })])),
  email: z.email(),
  url: z.url(),
  uuid: z.uuid(),
  ipv4: z.ipv4(),
  base64: z.base64(),
  'iso date': z.iso.date(),
  'iso date-time': z.iso.datetime(),
  'pattern with memory': z.string().check(z.regex(/a/g)),
  transform: z.pipe(
    z.string(),
    z.transform(text => text.length),
  ),
  'readonly object': z.readonly(z.object({ a: z.string() })),
  date: z.date(),
  map: z.map(z.string(), z.number()),
  set: z.set(z.string()),
  never: z.never(),
  any: z.any(),
  void: z.void(),
  nan: z.nan(),
  symbol: z.symbol(),
  bigint: z.bigint(),
  recursive: z.lazy(() => z.looseObject({ a: z.optional(z.union([z.string(), others.recursive as Schema])) })),
  'template literal': z.templateLiteral(['a', z.number()]),
};

describe('kinds of schemas that the package does not use', () => {
  const leaf = fc.oneof(
    fc.constantFrom(...odd).map(make => make()),
    fc.constantFrom(
      'x',
      'y',
      'a1',
      'ab',
      'aaa',
      1,
      2,
      '127.0.0.1',
      'a@b.example',
      'https://a.example/',
      'YQ==',
      '2026-03-09',
    ),
  );
  const near = [
    ['x'],
    ['x', 1],
    ['x', 1, 2],
    ['x', undefined],
    { a: 'x', b: 1 },
    { a: 1, b: 'x' },
    JSON.parse('{"a":1,"__proto__":5}'),
    JSON.parse('{"a":"x","__proto__":5}'),
    JSON.parse('{"b":1,"__proto__":5}'),
  ];
  const value = fc.letrec(tie => ({
    any: fc.oneof({ depthSize: 'small' }, leaf, fc.constantFrom(...near), tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('any'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  })).any;

  test.each(Object.entries(others))('have the same result with the predicate as with zod: %s', (_, schema) => {
    const fits = compile(schema);
    fc.assert(
      fc.property(value, candidate => {
        expect(fits(candidate)).toBe(accepted(schema, candidate));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the check of dates and times', () => {
  const datePattern = z.regexes.date;
  const dateTimePattern = new RegExp(
    `${z.regexes.datetime({ offset: true, local: true }).source}|${datePattern.source}`,
  );
  const pad = (length: number) => (value: number) => String(value).padStart(length, '0');
  const part = (max: number, length = 2) => fc.nat({ max }).map(pad(length));
  const usual = fc
    .tuple(
      part(9999, 4),
      part(13),
      part(32),
      part(24),
      part(61),
      fc.oneof(part(61), fc.constant('')),
      fc.constantFrom('Z', 'z', '', '+00:00', '-23:59', '+24:00', '+0000', '.5Z', '.5', '.'),
    )
    .map(
      ([year, month, day, hour, minute, second, zone]) =>
        `${year}-${month}-${day}T${hour}:${minute}${second && `:${second}`}${zone}`,
    );
  const corrupted = fc
    .tuple(
      usual,
      fc.nat({ max: 21 }),
      fc.nat({ max: 1 }),
      fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('٣', '\n', '0', '-')),
    )
    .map(([text, at, cut, insert]) => text.slice(0, at) + insert + text.slice(at + cut));

  test('agrees with the patterns of zod for thousands of texts', () => {
    const verdicts = { yes: 0, no: 0 };
    fc.assert(
      fc.property(fc.oneof(usual, corrupted, fc.string()), text => {
        expect(isDate(text)).toBe(datePattern.test(text));
        expect(isDate(text.slice(0, 10))).toBe(datePattern.test(text.slice(0, 10)));
        const expected = dateTimePattern.test(text);
        verdicts[expected ? 'yes' : 'no'] += 1;
        expect(isDateTime(text)).toBe(expected);
      }),
      { numRuns: 10_000 },
    );
    expect(verdicts.yes).toBeGreaterThan(300);
  });

  test('agrees with the patterns of zod on every day of leap years and other years, and on every second of a minute', () => {
    for (const year of ['0000', '1900', '2000', '2024', '2026', '9999']) {
      for (let month = 0; month <= 13; month += 1) {
        for (let day = 0; day <= 32; day += 1) {
          const text = `${year}-${pad(2)(month)}-${pad(2)(day)}T23:59:59Z`;
          expect([text, isDateTime(text)]).toEqual([text, dateTimePattern.test(text)]);
          const date = text.slice(0, 10);
          expect([date, isDate(date), isDateTime(date)]).toEqual([date, ...Array(2).fill(datePattern.test(date))]);
        }
      }
    }
    for (let part = 0; part < 100; part += 1) {
      for (const time of [`${pad(2)(part)}:00:00`, `00:${pad(2)(part)}:00`, `00:00:${pad(2)(part)}`]) {
        expect(isDateTime(`2026-03-09T${time}Z`)).toBe(dateTimePattern.test(`2026-03-09T${time}Z`));
      }
    }
  });
});

test('the installed zod is version 4.6, and only these files read its internal definitions', () => {
  expect(z.core.version).toMatchObject({ major: 4, minor: 6 });
  const readers = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts') && readFileSync(new URL(file, SRC), 'utf8').includes('_zod'),
  );
  expect(readers.sort()).toEqual(['mcp-server/resources.ts', 'mcp-server/schema.ts', 'schemas/mismatch.ts']);
});
