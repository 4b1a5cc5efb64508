import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
/** True for the program of the sandbox's page. Each browser tab runs its own copy. */
const isInBrowser = (file: string) => file.startsWith('sandbox/page/browser/');
const imports = files.flatMap(importsOf);

/**
 * The layers, from the bottom to the top. A file or folder does not import from the files and folders that come after
 * it.
 */
const LAYERS: readonly string[] = [
  'version.ts',
  'printable.ts',
  'errors.ts',
  'internal',
  'model',
  'jsonapi',
  'schemas',
  'domain',
  'filters',
  'rate-limit',
  'hooks.ts',
  'options.ts',
  'transport',
  'pagination',
  'webhooks',
  'tracking',
  'documents',
  'recovery',
  'feed',
  'worklist',
  'custom-fields',
  'workflows.ts',
  'resources',
  'client.ts',
  'sync',
  'redis.ts',
  'postgres.ts',
  'otel',
  'mcp',
  'mcp-server',
  'sandbox',
  'index.ts',
  'cli',
];

describe('imports', () => {
  test('go from higher layers to lower layers, including imports of types', () => {
    expect(files.map(roomOf).filter(room => !LAYERS.includes(room))).toEqual([]);
    const upwards = imports.filter(({ from, to }) => isOurs(to) && layerOf(to) > layerOf(from));
    expect(upwards).toEqual([]);
  });

  test('do not form a cycle, including imports of types; only the interfaces of records may refer to one another', () => {
    const circles = imports.filter(({ from, to }) => isOurs(to) && reaches(to, from));
    expect(circles.filter(({ from, typeOnly }) => !(typeOnly && from.startsWith('model/')))).toEqual([]);
  });

  test('of a third-party package are all in one file, but several files of schemas may import zod', () => {
    const places = new Map<string, Set<string>>();
    for (const { from, to } of imports.filter(({ to }) => !isOurs(to) && !to.startsWith('node:'))) {
      const place = to.startsWith('zod') && ['schemas', 'mcp-server'].includes(roomOf(from)) ? 'schemas' : from;
      places.set(to, (places.get(to) ?? new Set()).add(place));
    }
    expect(places.size).toBeGreaterThan(2);
    expect([...places].filter(([, users]) => users.size > 1)).toEqual([]);
  });

  test('of Node built-ins are only in the files for Node', () => {
    const users = imports.filter(({ to, typeOnly }) => to.startsWith('node:') && !typeOnly).map(({ from }) => from);
    expect(users.filter(file => !/^(webhooks\/inbox\/sqlite|sync\/sqlite|cli)\//.test(file))).toEqual([]);
  });

  test('from sandbox/ never lead to code of the client', () => {
    const shared = imports.filter(
      ({ from, to, typeOnly }) => from.startsWith('sandbox/') && isOurs(to) && !to.startsWith('sandbox/') && !typeOnly,
    );
    expect(
      shared.filter(
        ({ from, to }) =>
          // The inspection shows records in the form in which the client returns them.
          !(from.startsWith('sandbox/inspection/') && to.startsWith('domain/')) &&
          !/^(internal\/(arguments|message-with-cause|near-name|signal)|errors|jsonapi\/document|schemas\/|model\/|version)/.test(
            to,
          ),
      ),
    ).toEqual([]);
  });

  test('from cli/ lead to the MCP server only for the command that serves it', () => {
    const users = imports.filter(({ from, to }) => from.startsWith('cli/') && to.startsWith('mcp-server/'));
    expect(users.filter(({ from }) => from !== 'cli/commands/mcp.ts')).toEqual([]);
  });

  test('from webhooks/ never lead to the client or the transport', () => {
    const reached = imports.filter(({ from, to, typeOnly }) => from.startsWith('webhooks/') && isOurs(to) && !typeOnly);
    expect(reached.filter(({ to }) => /^(transport|rate-limit|client|resources|pagination|tracking)/.test(to))).toEqual(
      [],
    );
  });
});

test('no file has more than 500 lines', () => {
  const lengths = files
    .filter(file => !file.includes('/generated/'))
    .map(file => ({ file, lines: readFileSync(join(SRC, file), 'utf8').split('\n').length - 1 }));
  expect(lengths.filter(({ lines }) => lines > 500)).toEqual([]);
});

test('only the budget registry and caches of pure values keep state in variables of a module', () => {
  const known = new Set([
    'rate-limit/budget.ts',
    'transport/response.ts',
    'internal/signal.ts',
    'domain/wall-clock.ts',
    'sync/tables/derived.ts',
    'jsonapi/include.ts',
    'schemas/check.ts',
    'schemas/mismatch.ts',
    'schemas/fields.ts',
    'webhooks/notification/parse.ts',
    'webhooks/verify/signature.ts',
  ]);
  const stateful = files.filter(file => {
    const source = readFileSync(join(SRC, file), 'utf8');
    return /^let /m.test(source) || /^const \w+(: [^=]+)? = new (Map|Set|WeakMap)(<[^;]*>)?\([^)]*\);/m.test(source);
  });
  const readOnly = (file: string) =>
    /^(export )?const [A-Z_]+[^=]*= new (Map|Set)/m.test(readFileSync(join(SRC, file), 'utf8'));
  expect(stateful.filter(file => !known.has(file) && !isInBrowser(file) && !readOnly(file))).toEqual([]);
});

function importsOf(file: string): Import[] {
  const source = readFileSync(join(SRC, file), 'utf8');
  const pattern =
    /^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|(typeof )?import\(['"]([^'"]+)['"]\)/gm;
  return Array.from(source.matchAll(pattern), ([statement, type, named = '', typeOf, dynamic = '']) => {
    const target = named || dynamic;
    const to = target.startsWith('.') ? relative(SRC, resolve(SRC, dirname(file), target)) : target;
    // An import that has only types may also have `type` before each name.
    const names =
      /\{([^}]*)\}/
        .exec(statement)?.[1]
        ?.split(',')
        .map(name => name.trim())
        .filter(Boolean) ?? [];
    const typeOnly =
      type !== undefined || typeOf !== undefined || (names.length > 0 && names.every(name => name.startsWith('type ')));
    return { from: file, to, typeOnly };
  });
}

function isOurs(target: string): boolean {
  return files.includes(target);
}

function layerOf(file: string): number {
  return LAYERS.indexOf(roomOf(file));
}

/** The folder of a file, or the name of a file in the root of `src`. Generated schemas belong to `schemas`. */
function roomOf(file: string): string {
  if (/^model\/generated\/(mcp-tool-)?schemas\.ts$/.test(file)) return 'schemas';
  return file.split('/')[0] ?? '';
}

/** True if a file leads to another file, over any number of imports. */
function reaches(file: string, other: string, seen = new Set<string>()): boolean {
  if (file === other) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  return imports.some(({ from, to }) => from === file && isOurs(to) && reaches(to, other, seen));
}
