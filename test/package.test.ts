import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { VERSION } from '../src/version.ts';
import { installPacked, type PackedProject, tool } from './support/packed.ts';
import { PROGRAMS, sourceOf } from './support/programs.ts';

const DIST = resolve(import.meta.dirname, '../dist');
/** Needs a package that is not installed with this one; `sandbox-msw.test.ts` is about it. */
const WITH_PEER = ['./sandbox/msw'];
const ENTRIES = Object.keys(manifest.exports).filter(entry => entry !== './package.json' && !WITH_PEER.includes(entry));

let project: PackedProject;

beforeAll(() => {
  project = installPacked();
}, 120_000);

afterAll(() => project?.remove());

test('the version that is sent is the version of the package', () => {
  expect(VERSION).toBe(manifest.version);
});

test('publint and attw have nothing to say about the tarball', { timeout: 60_000 }, () => {
  execFileSync(tool('publint'), ['run', project.tarball, '--strict'], { stdio: 'pipe' });
  execFileSync(tool('attw'), [project.tarball, '--no-color'], { stdio: 'pipe' });
});

test('nothing outside the package is imported by the main entry, nor by what it loads later', () => {
  const specifiers = reachableFrom('index.js');
  expect(specifiers.length).toBeGreaterThan(5);
  expect(specifiers.filter(specifier => !specifier.startsWith('.'))).toEqual([]);
});

test('the schemas are used as parts of schemas that the user makes with a zod of their own', () => {
  const script = `
    import * as z from '${resolve(DIST, '../node_modules/zod/index.js')}';
    import { schemas } from 'container-tracking-sdk/schemas';
    const box = z.object({ party: schemas.party, at: z.iso.date() });
    const attributes = company_name => ({ party: { type: 'party', id: '1', attributes: { company_name } }, at: '2026-03-09' });
    console.log(box.safeParse(attributes('Acme')).success, box.safeParse(attributes(5)).error.issues[0].path.join('.'));
    console.log(z.toJSONSchema(box).properties.party !== undefined);`;
  expect(node(['--input-type=module', '-e', script]).trim().split('\n')).toEqual([
    'true party.attributes.company_name',
    'true',
  ]);
});

describe.each(ENTRIES)('entry %s', entry => {
  const name = join('container-tracking-sdk', entry);

  test('gives the same names to import and require', () => {
    const script = `
      import { createRequire } from 'node:module';
      const required = Object.keys(createRequire(import.meta.url)('${name}')).filter(key => key !== '__esModule' && key !== 'module.exports');
      const imported = Object.keys(await import('${name}'));
      console.log(JSON.stringify([imported.sort(), required.sort()]));`;
    const [imported, required] = JSON.parse(node(['--input-type=module', '-e', script]));
    expect(imported.length).toBeGreaterThan(0);
    expect(required).toEqual(imported);
  });
});

test('importing does nothing: no handle, no global', () => {
  const script = `
    const before = Object.getOwnPropertyNames(globalThis).length;
    await import('container-tracking-sdk');
    console.log(Object.getOwnPropertyNames(globalThis).length - before, process.getActiveResourcesInfo().filter(name => !/^(TTY|Pipe)/.test(name)).length);`;
  expect(node(['--input-type=module', '-e', script]).trim()).toBe('0 0');
});

test('an error class is one class through import and require', () => {
  const script = `
    import { createRequire } from 'node:module';
    import { ConfigurationError } from 'container-tracking-sdk';
    const copy = createRequire(import.meta.url)('container-tracking-sdk');
    const error = new copy.ConfigurationError('x');
    console.log(error instanceof ConfigurationError, ConfigurationError.is(error), error instanceof copy.NotFoundError);`;
  expect(node(['--input-type=module', '-e', script]).trim()).toBe('true true false');
});

describe.each(['nodenext', 'bundler'] as const)(
  'for a strict TypeScript user with module resolution %s',
  resolution => {
    let problems: Map<string, string[]>;

    beforeAll(() => {
      problems = compile(resolution);
    }, 120_000);

    test('the declarations hold', () => {
      const outside = [...problems].filter(([file]) => !/(right|wrong)-\d+\.ts$/.test(file));
      expect(outside).toEqual([]);
    });

    test.each(PROGRAMS.map((program, index) => ({ ...program, index })))('$name', ({ index }) => {
      expect(problems.get(`right-${index}.ts`) ?? []).toEqual([]);
      expect(problems.get(`wrong-${index}.ts`)).toHaveLength(1);
    });
  },
);

/** What the compiler says about each program, and about the declarations of the package. */
function compile(resolution: 'nodenext' | 'bundler'): Map<string, string[]> {
  const directory = join(project.directory, resolution);
  mkdirSync(directory, { recursive: true });
  for (const [index, { right, wrong }] of PROGRAMS.entries()) {
    writeFileSync(join(directory, `right-${index}.ts`), sourceOf(right));
    writeFileSync(join(directory, `wrong-${index}.ts`), sourceOf(wrong));
  }
  const entries = ENTRIES.map(
    (entry, index) => `export * as e${index} from '${join('container-tracking-sdk', entry)}';`,
  );
  writeFileSync(join(directory, 'entries.ts'), entries.join('\n'));
  const names = ['entries.ts', ...PROGRAMS.flatMap((_, index) => [`right-${index}.ts`, `wrong-${index}.ts`])];
  const program = ts.createProgram(
    names.map(name => join(directory, name)),
    {
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
      module: resolution === 'nodenext' ? ts.ModuleKind.NodeNext : ts.ModuleKind.ESNext,
      moduleResolution: resolution === 'nodenext' ? ts.ModuleResolutionKind.NodeNext : ts.ModuleResolutionKind.Bundler,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
    },
  );
  const problems = new Map<string, string[]>();
  for (const diagnostic of ts.getPreEmitDiagnostics(program)) {
    const path = diagnostic.file?.fileName ?? '';
    const file = path.startsWith(directory) ? path.slice(directory.length + 1) : path;
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
    problems.set(file, [...(problems.get(file) ?? []), message]);
  }
  return problems;
}

function reachableFrom(file: string, seen = new Set<string>()): string[] {
  const path = join(DIST, file);
  if (seen.has(path) || !existsSync(path)) return [];
  seen.add(path);
  const source = readFileSync(path, 'utf8');
  const specifiers = Array.from(
    source.matchAll(/(?:(?<!["'])\bfrom\s*|\bimport\s*\(?\s*|\brequire\()["']([^"'\n]+)["']/g),
    match => match[1] as string,
  );
  return specifiers.flatMap(specifier =>
    specifier.startsWith('.') ? [specifier, ...reachableFrom(join(dirname(file), specifier), seen)] : [specifier],
  );
}

function node(args: string[]): string {
  return execFileSync('node', args, { cwd: project.directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
