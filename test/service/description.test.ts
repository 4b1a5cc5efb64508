import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import type { WireDocument } from '../../src/jsonapi/document.ts';
import { McpClient } from '../../src/mcp/index.ts';
import { TOOLS as serverTools } from '../../src/mcp-server/tools/index.ts';
import { tools as sandboxTools } from '../../src/sandbox/mcp/methods.ts';
import { routes } from '../../src/sandbox/routes/index.ts';
import { checkDocument } from '../../src/schemas/check.ts';
import { answers, schemas } from '../../src/schemas/index.ts';
import { calls } from '../../support/service/calls.ts';
import { typeVerdicts } from '../../support/service/compile.ts';
import { description, operations } from '../../support/service/description.ts';
import { HELPERS, METHOD_OF, SANDBOX_ONLY } from '../../support/service/exceptions.ts';
import { generatedFiles } from '../../support/service/generate.ts';
import { syncFiles } from '../../support/service/generate-sync.ts';
import { parseType } from '../../support/service/type-expression.ts';
import { methodTests } from '../../support/service/type-tests.ts';
import { camel } from '../../support/service/type-text.ts';

/** The names that are in only one of two lists. */
function differences(described: Iterable<string>, found: Iterable<string>): string[] {
  const [wanted, real] = [new Set(described), new Set(found)];
  return [
    ...[...wanted].filter(name => !real.has(name)).map(name => `${name}: only described`),
    ...[...real].filter(name => !wanted.has(name)).map(name => `${name}: not described`),
  ];
}

const records = [...description.records.values()];

describe('the methods of the client', () => {
  const client = new TrackingClient({ baseUrl: 'https://service.example/v2', apiKey: 'key' });

  test('are exactly the described operations and the helpers', () => {
    const methods: string[] = ['me', 'search'];
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

  test('are the methods of docs/service/endpoints.md, with the same requests', () => {
    const page = readFileSync(new URL('../../docs/service/endpoints.md', import.meta.url), 'utf8');
    const rows = Array.from(
      page.matchAll(/^\| `([\w.]+)` \| `([A-Z]+ [^`]+)` \|/gm),
      ([, name, request]) => `${name} ${request}`,
    );
    const anonymous = (request: string) => request.replace(/\{(?:\w+_id|imo)\}/g, '{id}');
    const described = operations
      .filter(({ name }) => !(name in METHOD_OF) && name !== 'directUploads.put')
      .map(({ name, method, path }) => `${name} ${anonymous(`${method} ${path}`)}`);
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

describe('the types of the methods', () => {
  let verdicts: Map<string, string[]>;
  beforeAll(() => {
    verdicts = typeVerdicts();
  }, 120_000);

  test.each(Object.keys(methodTests()))('of %s match the description', name => {
    expect(verdicts.get(name)).toEqual([]);
  });
});

describe('the schemas', () => {
  test('exist for every type of record and every response in plain JSON, and for nothing else', () => {
    expect(differences(description.records.keys(), Object.keys(schemas))).toEqual([]);
    const plain = operations.filter(({ answer }) => answer.shape === 'json').map(({ name }) => name);
    expect(differences(plain, Object.keys(answers))).toEqual([]);
  });

  const related = records.filter(({ relationships }) => relationships.length > 0);
  describe.each(related)('of $type', ({ type, relationships: targets }) => {
    const document = (name: string, data: unknown) =>
      ({ data: { type, id: '1', relationships: { [name]: { data } } } }) as unknown as WireDocument;
    const reference = (target: string) => ({ type: target, id: '2' });

    test('accept the targets of its relationships, and an empty relationship if it may be empty', () => {
      for (const { name, types, cardinality } of targets) {
        for (const target of types.length > 0 ? types : ['anything']) {
          const data = cardinality === 'many' ? [reference(target), reference(target)] : reference(target);
          expect(checkDocument(document(name, data))).toEqual([]);
        }
        const none = checkDocument(document(name, cardinality === 'many' ? [] : null));
        expect({ name, none: none.length }).toEqual({ name, none: cardinality === 'one' ? 1 : 0 });
      }
    });

    test('report every other target, including a target of an unknown type', () => {
      for (const { name, types, cardinality } of targets.filter(({ types }) => types.length > 0)) {
        const others = [...description.records.keys(), 'drone'].filter(other => !types.includes(other));
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

test('the described MCP tools are the tools of the client, of the sandbox, of our server and of the guide', () => {
  const page = readFileSync(new URL('../../docs/guides/mcp.md', import.meta.url), 'utf8');
  const table = /^## The tools\n([\s\S]*?)^Prompts:/m.exec(page)?.[1] ?? '';
  const named = description.tools.map(({ name }) => name);
  const methods = Object.getOwnPropertyNames(McpClient.prototype);
  expect(named.filter(name => !methods.includes(camel(name)))).toEqual([]);
  // Tools that exist only in the newest edition of the hosted endpoint, or only in our server.
  const NEWER = ['summarize_containers', 'list_parties', 'whoami', 'worklist', 'list_changes'];
  const others = {
    sandbox: sandboxTools.map(({ name }) => name),
    server: serverTools.map(({ name }) => name),
    guide: Array.from(table.matchAll(/^\| `([a-z_]+)` \|/gm), ([, name = '']) => name),
  };
  for (const [where, found] of Object.entries(others)) {
    const known = found.filter(name => !NEWER.includes(name));
    expect({ where, differences: differences(named, known) }).toEqual({ where, differences: [] });
  }
});

describe('the relationships for includes', () => {
  test('of every operation exist in its record', () => {
    const wrong = operations.flatMap(operation =>
      [...(operation.include ?? []), ...(operation.includedByDefault ?? [])].filter(
        path => !follows(operation.answer.type, path.split('.')),
      ),
    );
    expect(wrong).toEqual([]);
  });

  function follows(type: string, [name = '', ...rest]: string[]): boolean {
    const target = description.records.get(type)?.relationships.find(relationship => relationship.name === name);
    if (target === undefined) return false;
    return rest.length === 0 || target.types.some(inner => follows(inner, rest));
  }
});

describe('a generated file', () => {
  test.each(Object.entries({ ...generatedFiles(), ...syncFiles() }))(
    '%s is the output of `npm run generate`',
    (path, text) => {
      expect(readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8')).toBe(text);
    },
  );
});

describe('the routes of the sandbox', () => {
  const anonymous = (request: string) => request.replace(/\{[^}]+\}|:\w+/g, '{}');

  test('are exactly the described requests', () => {
    const described = operations
      .filter(({ name }) => name !== 'directUploads.put')
      .map(({ method, path }) => anonymous(`${method} ${path}`));
    const found = routes.map(({ method, path }) => anonymous(`${method} ${path}`));
    expect(differences([...described, ...Object.keys(SANDBOX_ONLY)], found)).toEqual([]);
  });

  test('are counted by the described rate limits', () => {
    const found = routes
      .filter(({ bucket }) => bucket !== undefined)
      .map(({ method, path, bucket }) => `${anonymous(`${method} ${path}`)} ${bucket}`);
    const described = operations
      .filter(({ bucket }) => bucket !== undefined)
      .map(({ method, path, bucket }) => `${anonymous(`${method} ${path}`)} ${bucket}`);
    expect(differences(described, found)).toEqual([]);
  });
});

test.each(['shipment |', '(string', '[number, number', 'list(row', 'list()', 'a b', '', '|'])(
  'a malformed type is refused: %s',
  text => {
    expect(() => parseType(text)).toThrow();
  },
);

test('no text promises how long the wait for a manifest takes', () => {
  const root = resolve(import.meta.dirname, '../..');
  const files = [
    'description/tracking-requests.yaml',
    'docs/service/tracking-requests.md',
    'docs/reference/errors.md',
    'src/mcp-server/resources.ts',
  ];
  const lines = files.flatMap(file => readFileSync(resolve(root, file), 'utf8').split('\n'));
  const promises = lines.filter(line => line.includes('7 days'));
  expect(promises.length).toBeGreaterThan(2);
  expect(promises.filter(line => !line.includes('longer'))).toEqual([]);
});
