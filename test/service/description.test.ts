import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { TrackingClient } from '../../src/index.ts';
import type { WireDocument } from '../../src/jsonapi/document.ts';
import { routes } from '../../src/sandbox/routes/index.ts';
import { checkDocument } from '../../src/schemas/check.ts';
import { answers, schemas } from '../../src/schemas/index.ts';
import { calls } from '../../support/service/calls.ts';
import { typeVerdicts } from '../../support/service/compile.ts';
import {
  answerOf,
  description,
  fieldName,
  operations,
  parseType,
  relationshipOf,
} from '../../support/service/description.ts';
import { HELPERS, METHOD_OF, SANDBOX_ONLY } from '../../support/service/exceptions.ts';
import { generatedFiles } from '../../support/service/generate.ts';
import { describedType, schemaType } from '../../support/service/schema-types.ts';
import { methodTests, recordTests } from '../../support/service/type-tests.ts';

/** What one of two lists has and the other has not, by name. */
function differences(described: Iterable<string>, found: Iterable<string>): string[] {
  const [wanted, real] = [new Set(described), new Set(found)];
  return [
    ...[...wanted].filter(name => !real.has(name)).map(name => `${name}: only described`),
    ...[...real].filter(name => !wanted.has(name)).map(name => `${name}: not described`),
  ];
}

const records = Object.entries(description.records);

test('87 operations are described, each with a type of answer that is described as well', () => {
  expect(operations).toHaveLength(87);
  const known = new Set([...Object.keys(description.records), ...Object.keys(description.types), '']);
  expect(operations.filter(operation => !known.has(answerOf(operation).type)).map(({ name }) => name)).toEqual([]);
});

describe('the methods of the client', () => {
  const client = new TrackingClient({ baseUrl: 'https://service.example/v2', apiKey: 'key' });

  test('are the described operations and the helpers', () => {
    const methods: string[] = ['search'];
    const visit = (group: object, prefix: string) => {
      for (const [name, value] of Object.entries(group)) {
        if (name !== 'rateLimit' && typeof value === 'object') visit(value as object, `${prefix}${name}.`);
      }
      const own = Object.getOwnPropertyNames(Object.getPrototypeOf(group)).filter(name => name !== 'constructor');
      if (prefix !== '') methods.push(...own.map(name => prefix + name));
    };
    visit(client, '');
    const described = operations.flatMap(({ name }) => {
      const { method } = METHOD_OF[name] ?? { method: name };
      return method === null ? [] : [method];
    });
    expect(
      differences(
        described,
        methods.filter(name => !(name in HELPERS) || described.includes(name)),
      ),
    ).toEqual([]);
  });

  test('are those of docs/service/endpoints.md, with the same requests', () => {
    const page = readFileSync(new URL('../../docs/service/endpoints.md', import.meta.url), 'utf8');
    const rows = Array.from(
      page.matchAll(/^\| `([\w.]+)` \| `([A-Z]+ [^`]+)` \|/gm),
      ([, name, request]) => `${name} ${request}`,
    );
    const anonymous = (request: string) => request.replace(/\{(?:\w+_id|imo)\}/g, '{id}');
    const described = operations
      .filter(({ name }) => !(name in METHOD_OF) && name !== 'directUploads.put')
      .map(({ name, request }) => `${name} ${anonymous(request)}`);
    expect(differences(described, rows.map(anonymous))).toEqual([]);
  });

  test('are all called by the run over a socket', () => {
    expect(
      differences(
        operations.map(({ name }) => name),
        Object.keys(calls),
      ),
    ).toEqual([]);
  });
});

describe('the types', () => {
  let verdicts: Map<string, string[]>;
  beforeAll(() => {
    verdicts = typeVerdicts();
  }, 120_000);

  test.each(Object.keys({ ...methodTests(), ...recordTests() }))('of %s', name => {
    expect(verdicts.get(name)).toEqual([]);
  });

  test('a test of them fails by name: a type, a nullability, an attribute and a parameter too many or too few', () => {
    const [prelude = '', ...lines] = (recordTests()['record.party'] ?? '').split('\nyes<');
    const party = lines.map(line => `yes<${line}`).join('\n');
    const list = methodTests()['parties.list'] ?? '';
    const found = typeVerdicts({
      type: `${prelude}\n${party.replace('Flat<string>', 'Flat<number>')}`,
      nullability: `${prelude}\n${party.replace('Flat<string>', 'Flat<string | null>')}`,
      missing: `${prelude}\n${party.replace("attributes'], 'company_name'>>();", "attributes'], 'name'>>();")}`,
      parameter: list.replaceAll("| 'pageSize'", '').replace('keyof ListOptions', 'never'),
      argument: list.replace('pageNumber: of<number>()', 'pageNumbers: of<number>()'),
    });
    expect([...found].map(([name, errors]) => [name, errors.length > 0])).toEqual([
      ['type', true],
      ['nullability', true],
      ['missing', true],
      ['parameter', true],
      ['argument', true],
    ]);
    expect(found.get('type')?.[0]).toContain("'company_name'");
  });
});

describe('the schemas', () => {
  const shapeOf = (schema: unknown, member: string): Record<string, unknown> => {
    const inner = unwrapped(schema) as { shape: Record<string, unknown> };
    return (unwrapped(inner.shape[member]) as { shape: Record<string, unknown> }).shape;
  };

  test('are there for every type of record and for every answer of plain JSON, and for no other', () => {
    expect(differences(Object.keys(description.records), Object.keys(schemas))).toEqual([]);
    const plain = operations.filter(operation => answerOf(operation).shape === 'json').map(({ name }) => name);
    expect(differences(plain, Object.keys(answers))).toEqual([]);
  });

  test.each(records)('of %s has the described attributes and relationships', (type, { attributes, relationships }) => {
    const schema = schemas[type as keyof typeof schemas];
    const fields = Object.entries(shapeOf(schema, 'attributes')).map(
      ([name, field]) => `${name}: ${schemaType(field)}`,
    );
    const described = Object.entries(attributes).map(([key, text]) => `${fieldName(key).name}: ${describedType(text)}`);
    expect(differences(described, fields)).toEqual([]);
    expect(differences(Object.keys(relationships), Object.keys(shapeOf(schema, 'relationships')))).toEqual([]);
  });

  test.each(Object.entries(answers))('of the answer of %s has the described fields', (name, schema) => {
    const { type } = answerOf(description.operations[name] as (typeof operations)[number]);
    // A feature of a new kind is let through.
    const open = 'object({properties: object({feature_type: string}), type: string})';
    const found = schemaType(schema).replace(` | ${open}`, '').replace(`${open} | `, '');
    expect(found).toBe(describedType(type));
  });

  const related = records.filter(([, { relationships }]) => Object.keys(relationships).length > 0);
  describe.each(related)('of %s', (type, { relationships }) => {
    const targets = Object.entries(relationships).map(([name, target]) => ({ name, ...relationshipOf(target) }));
    const document = (name: string, data: unknown) =>
      ({ data: { type, id: '1', relationships: { [name]: { data } } } }) as unknown as WireDocument;
    const reference = (target: string) => ({ type: target, id: '2' });

    test('accepts the targets of its relationships, and none when there may be none', () => {
      for (const { name, types, cardinality } of targets) {
        for (const target of types.length > 0 ? types : ['anything']) {
          const data = cardinality === 'many' ? [reference(target), reference(target)] : reference(target);
          expect(checkDocument(document(name, data))).toEqual([]);
        }
        const none = checkDocument(document(name, cardinality === 'many' ? [] : null));
        expect({ name, none: none.length }).toEqual({ name, none: cardinality === 'one' ? 1 : 0 });
      }
    });

    test('reports every other target, also one that is not known', () => {
      for (const { name, types, cardinality } of targets.filter(({ types }) => types.length > 0)) {
        const others = [...Object.keys(description.records), 'drone'].filter(other => !types.includes(other));
        for (const target of others) {
          const data = cardinality === 'many' ? [reference(types[0] ?? ''), reference(target)] : reference(target);
          expect(checkDocument(document(name, data))).toMatchObject([
            { resourceType: type, path: `relationships.${name}.data`, received: 'another type' },
          ]);
        }
      }
    });
  });
});

function unwrapped(schema: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'lazy') return unwrapped(def.getter());
  return def.type === 'optional' || def.type === 'nullable' ? unwrapped(def.innerType) : def;
}

describe('the relationships for includes', () => {
  test('of every operation are relationships of its record', () => {
    const wrong = operations.flatMap(operation =>
      [...(operation.include ?? []), ...(operation.includedByDefault ?? [])].filter(
        path => !follows(answerOf(operation).type, path.split('.')),
      ),
    );
    expect(wrong).toEqual([]);
  });

  function follows(type: string, [name = '', ...rest]: string[]): boolean {
    const target = description.records[type]?.relationships[name];
    if (target === undefined) return false;
    return rest.length === 0 || relationshipOf(target).types.some(inner => follows(inner, rest));
  }
});

describe('what is generated', () => {
  test.each(Object.entries(generatedFiles()))('%s is what `npm run generate` writes', (path, text) => {
    expect(readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8')).toBe(text);
  });
});

describe('the routes of the sandbox', () => {
  const anonymous = (request: string) => request.replace(/\{[^}]+\}|:\w+/g, '{}');

  test('are the described requests', () => {
    const described = operations
      .filter(({ name }) => name !== 'directUploads.put')
      .map(({ request }) => anonymous(request));
    const found = routes.map(({ method, path }) => anonymous(`${method} ${path}`));
    expect(differences([...described, ...Object.keys(SANDBOX_ONLY)], found)).toEqual([]);
  });

  test('are counted in the described buckets', () => {
    const found = routes
      .filter(({ bucket }) => bucket !== undefined)
      .map(({ method, path, bucket }) => `${anonymous(`${method} ${path}`)} ${bucket}`);
    const described = operations
      .filter(({ bucket }) => bucket !== undefined)
      .map(({ request, bucket }) => `${anonymous(request)} ${bucket}`);
    expect(differences(described, found)).toEqual([]);
  });
});

test.each(['shipment |', '(string', '[number, number', 'a b', '', '|'])(
  'a type that is written wrong is refused: %s',
  text => {
    expect(() => parseType(text)).toThrow();
  },
);
