import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { VERSION } from '../src/version.ts';
import { installPacked, type PackedProject, tool } from '../support/packed.ts';
import { PROGRAMS, sourceOf } from '../support/programs.ts';

const DIST = resolve(import.meta.dirname, '../dist');
const SOURCES = resolve(import.meta.dirname, '../src');
const LICENSES = 'dist/THIRD-PARTY-LICENSES.txt';
/**
 * Entries that need a package that is not installed here. Their tests: `sandbox/msw.test.ts`, `mcp/`,
 * `mcp-server/package.test.ts`, `scripts/peers.ts`.
 */
const WITH_PEER = ['./sandbox/msw', './mcp-server', './otel', './sync/drizzle'];
/** Entries that are not modules. */
const FILES = ['./package.json', './openapi.json'];
/** Entries that have types only. */
const TYPES_ONLY = ['./sync/kysely'];
const ENTRIES = Object.keys(manifest.exports).filter(entry => ![...FILES, ...WITH_PEER, ...TYPES_ONLY].includes(entry));

let project: PackedProject;

beforeAll(() => {
  project = installPacked();
}, 120_000);

afterAll(() => project?.remove());

test('the client sends the version of the package', () => {
  expect(VERSION).toBe(manifest.version);
});

describe('the quick start of the README, pasted into an empty project', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../README.md'), 'utf8');
  const code = /`start\.mjs`[\s\S]*?```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const run = (name: string, text: string) => {
    writeFileSync(join(project.directory, name), text);
    return execFileSync(process.execPath, [name], { cwd: project.directory, encoding: 'utf8' });
  };
  const journey = /```text\n([\s\S]*?)```/.exec(readme)?.[1];
  const printed = (name: string, text: string) => run(name, text).replaceAll(/ +$/gm, '');

  test('prints the journey that the README shows', () => {
    expect(printed('start.mjs', code)).toBe(journey);
  });

  test('does the same in CommonJS', () => {
    const required = code.replace(/import (\{.*\}) from ('.*');/g, 'const $1 = require($2);');
    expect(printed('start.cjs', `(async () => {\n${required}\n})();`)).toBe(journey);
  });

  test('does the same in TypeScript', () => {
    expect(printed('start.ts', code)).toBe(journey);
  });
});

test('the tarball has the skill for coding agents and every file that the skill names', () => {
  const folder = join(project.directory, 'node_modules', manifest.name);
  const text = readFileSync(join(folder, 'llms.txt'), 'utf8');
  const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
  expect(links).toContain(`skills/${manifest.name}/SKILL.md`);
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter(link => !existsSync(join(folder, link)))).toEqual([]);
});

test('publint and attw find no fault in the tarball', { timeout: 60_000 }, () => {
  execFileSync(tool('publint'), ['run', project.tarball, '--strict'], { stdio: 'pipe' });
  execFileSync(tool('attw'), [project.tarball, '--no-color', '--exclude-entrypoints', ...FILES], { stdio: 'pipe' });
});

// The major versions of the peer packages that have worked in the tests or in a trial. If the range of a peer lacks
// the version that a user has, `npm install` fails with ERESOLVE, even if the peer is optional.
test.each<Record<string, string>>([
  { msw: '2.0.0', redis: '4.0.0', ioredis: '5.0.0', bottleneck: '2.19.5', kysely: '0.27.0', 'drizzle-orm': '0.41.0' },
  { msw: '2.13.0', redis: '5.0.0', ioredis: '5.9.0' },
  { msw: '3.0.0', redis: '6.0.0', ioredis: '6.0.0', kysely: '0.29.0', 'drizzle-orm': '0.45.0' },
])('the package can be installed beside %o', peers => {
  const directory = join(project.directory, `beside-msw-${peers.msw}`);
  for (const [name, version] of Object.entries(peers)) {
    mkdirSync(join(directory, name), { recursive: true });
    writeFileSync(join(directory, name, 'package.json'), JSON.stringify({ name, version }));
  }
  const locals = Object.keys(peers).map(name => [name, `file:./${name}`]);
  const dependencies = { ...Object.fromEntries(locals), [manifest.name]: `file:${project.tarball}` };
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'beside', private: true, dependencies }));
  const install = ['install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund'];
  expect(() => execFileSync('npm', install, { cwd: directory, stdio: 'pipe' })).not.toThrow();
});

test('the main entry and the chunks that it loads later import nothing outside of the package', () => {
  const specifiers = reachableFrom('index.js');
  expect(specifiers.length).toBeGreaterThan(5);
  expect(specifiers.filter(specifier => !specifier.startsWith('.'))).toEqual([]);
});

test('the schemas can be parts of schemas that a user makes with another copy of zod', () => {
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

test('the OpenAPI document of the service can be imported from the package', () => {
  const script = `
    import document from 'container-tracking-sdk/openapi.json' with { type: 'json' };
    console.log(document.openapi, document.paths['/containers/{id}'].get.operationId);`;
  expect(node(['--input-type=module', '-e', script]).trim()).toBe('3.1.0 containers.get');
});

describe.each(ENTRIES)('entry %s', entry => {
  const name = join('container-tracking-sdk', entry);

  test('exports the same names to import and require', () => {
    const script = `
      import { createRequire } from 'node:module';
      const required = Object.keys(createRequire(import.meta.url)('${name}')).filter(key => key !== '__esModule' && key !== 'module.exports');
      const imported = Object.keys(await import('${name}'));
      console.log(JSON.stringify([imported.sort(), required.sort()]));`;
    const [imported, required] = JSON.parse(node(['--input-type=module', '-e', script]));
    expect(imported.length).toBeGreaterThan(0);
    expect(required).toEqual(imported);
  });

  test('has classes that are printed with their exported names', () => {
    const script = `
      import { createRequire } from 'node:module';
      const isClass = value => typeof value === 'function' && /^class\\b/.test(Function.prototype.toString.call(value));
      const misnamed = module => Object.entries(module).filter(([name, value]) => isClass(value) && value.name !== name);
      const modules = [await import('${name}'), createRequire(import.meta.url)('${name}')];
      console.log(JSON.stringify(modules.flatMap(misnamed).map(([name, value]) => [name, value.name])));`;
    expect(JSON.parse(node(['--input-type=module', '-e', script]))).toEqual([]);
  });
});

test('console.log(client) begins with the name of the class', () => {
  const script = `
    import { TrackingClient } from 'container-tracking-sdk';
    console.log(new TrackingClient({ baseUrl: 'https://host.example/v2', apiKey: 'key' }));`;
  expect(node(['--input-type=module', '-e', script])).toMatch(/^TrackingClient \{/);
});

test('importing the main entry loads few files, because each file costs half a millisecond', () => {
  expect(loadedWith('index.js').length).toBeLessThanOrEqual(3);
});

test('the licence of each bundled package is in the tarball', () => {
  const text = readFileSync(join(project.directory, 'node_modules', manifest.name, LICENSES), 'utf8');
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const bundled = new Set(importedPackages().filter(name => !installed.includes(name)));
  expect(bundled.size).toBeGreaterThan(0);
  // This package is a dependency of a bundled package.
  bundled.add('is-network-error');
  for (const name of bundled) {
    const directory = resolve(import.meta.dirname, '../node_modules', name);
    const file = readdirSync(directory).find(file => /^licen[cs]e/i.test(file)) ?? '';
    expect(text).toContain(`${name} `);
    expect(text).toContain(readFileSync(join(directory, file), 'utf8').trim());
  }
});

test('the tarball has only files that a user needs', () => {
  const directory = join(project.directory, 'node_modules', manifest.name);
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => relative(directory, join(file.parentPath, file.name)));
  const wanted = [
    /^(README|CHANGELOG|SECURITY)\.md$|^LICENSE$|^package\.json$/,
    /^llms\.txt$|^skills\/container-tracking-sdk\/SKILL\.md$/,
    /^dist\/(.+\.(js|cjs|d\.ts|d\.cts|js\.map)|THIRD-PARTY-LICENSES\.txt)$/,
    /^docs\/.+\.(md|svg|png|json)$/,
    /^examples\/[^.]+(\.config)?\.(ts|tsx|mjs|js|html|css|json|svg|md)$/,
  ];
  expect(files.filter(file => !wanted.some(pattern => pattern.test(file)))).toEqual([]);
  expect(files.filter(file => /node_modules|package-lock|\.test\.|^[^/]*tsconfig/.test(file))).toEqual([]);
  // The command is an ECMAScript module, which is never loaded with require.
  expect(files.filter(file => /cli\.c?js$/.test(file))).toEqual(['dist/cli.js']);
});

test('the published modules have lines that can be read in a stack trace, and the declarations have their comments', () => {
  const published = readdirSync(DIST, { recursive: true, encoding: 'utf8' });
  for (const file of published.filter(file => /\.c?js$/.test(file))) {
    expect(readFileSync(join(DIST, file), 'utf8'), file).not.toMatch(/\/\*\*\s/);
  }
  for (const file of ['chunks/client.js', 'chunks/client.cjs']) {
    const code = readFileSync(join(DIST, file), 'utf8').replaceAll(/^import .*$/gm, '');
    expect(code).toMatch(/^(?:var TrackingClient = )?class TrackingClient\b.* \{\n\s/m);
    expect(code.length / code.split('\n').length, file).toBeLessThan(60);
  }
  for (const extension of ['.d.ts', '.d.cts']) {
    const files = published
      .filter(file => file.endsWith(extension))
      .map(file => readFileSync(join(DIST, file), 'utf8'));
    expect(files.join('')).toContain('@throws {ConfigurationError} for options that cannot work');
  }
});

describe('source maps', () => {
  const published = readdirSync(DIST, { recursive: true, encoding: 'utf8' });
  const commentIn = (file: string) => /\/\/# sourceMappingURL=(.*)/.exec(readFileSync(join(DIST, file), 'utf8'))?.[1];

  test('exist for each ECMAScript module with our code and for nothing else, and name no missing file', () => {
    const maps = published.filter(file => file.endsWith('.map'));
    expect(maps.length).toBeGreaterThan(50);
    for (const file of published.filter(file => /\.(js|cjs|d\.ts|d\.cts)$/.test(file))) {
      expect(commentIn(file), file).toBe(maps.includes(`${file}.map`) ? `${basename(file)}.map` : undefined);
    }
    // All other modules only re-export names of their chunks.
    for (const file of published.filter(file => file.endsWith('.js') && !maps.includes(`${file}.map`))) {
      if (file === 'chunks/rolldown-runtime.js') continue;
      expect(readFileSync(join(DIST, file), 'utf8')).toMatch(/^(?:(?:import|export) [^;]*;\n*)*$/);
    }
  });

  test('contain their sources unchanged', () => {
    for (const file of published.filter(file => file.endsWith('.map'))) {
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(DIST, file), 'utf8'));
      for (const [index, source] of sources.entries()) {
        // The bundle has only the version that this file has.
        if (source.endsWith(':///package.json')) continue;
        const path = /^container-tracking-sdk:\/\/\/(src\/.+)$/.exec(source)?.[1] ?? '';
        expect(sourcesContent[index], source).toBe(readFileSync(resolve(DIST, '..', path), 'utf8'));
      }
    }
  });

  test('lead a stack trace to the line of the source', () => {
    const script = `import { TrackingClient } from 'container-tracking-sdk'; new TrackingClient({ apiKye: 'x' });`;
    const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', '--input-type=module', '-e', script], {
      cwd: project.directory,
      encoding: 'utf8',
    });
    const [, file = '', line] =
      /at new TrackingClient \(container-tracking-sdk:\/\/\/(.+):(\d+):\d+\)/.exec(stderr) ?? [];
    expect(file).toBe('src/client.ts');
    const lines = readFileSync(resolve(DIST, '..', file), 'utf8').split('\n');
    expect(lines[Number(line) - 1]).toContain('createTransport(');
  });
});

test('“go to definition” leads to a declaration with its comment', () => {
  const code = `import { TrackingClient } from 'container-tracking-sdk';\nnew TrackingClient().shipments.get('1');\n`;
  const file = join(project.directory, 'definition.ts');
  writeFileSync(file, code);
  const service = ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    getCurrentDirectory: () => project.directory,
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: path => {
      const text = ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  for (const [name, declared, told] of [
    ['TrackingClient(', 'class TrackingClient', '@example'],
    ['get(', 'get<', '@throws'],
  ] as const) {
    const [definition] = service.getDefinitionAtPosition(file, code.indexOf(name)) ?? [];
    const text = ts.sys.readFile(definition?.fileName ?? '') ?? '';
    const at = definition?.textSpan.start ?? 0;
    expect(definition?.fileName).toMatch(/container-tracking-sdk\/dist\/.*\.d\.ts$/);
    expect(text.slice(at - 20, at + 30)).toContain(declared);
    expect(text.slice(text.lastIndexOf('/**', at), at)).toContain(told);
  }
});

test('an uncaught error prints its message and its stack, but no source line of this package', () => {
  for (const [type, load] of [
    ['module', `import { TrackingClient } from '${join(DIST, 'index.js')}'`],
    ['commonjs', `const { TrackingClient } = require('${join(DIST, 'index.cjs')}')`],
  ]) {
    const script = `${load}; new TrackingClient({ apiKye: 'x' });`;
    const { stderr } = spawnSync(process.execPath, [`--input-type=${type}`, '-e', script], { encoding: 'utf8' });
    expect(stderr).toContain('apiKye');
    expect(stderr.length, type).toBeLessThan(3000);
  }
});

test('importing opens no handle and adds no global', () => {
  const script = `
    const before = Object.getOwnPropertyNames(globalThis).length;
    await import('container-tracking-sdk');
    console.log(Object.getOwnPropertyNames(globalThis).length - before, process.getActiveResourcesInfo().filter(name => !/^(TTY|Pipe)/.test(name)).length);`;
  expect(node(['--input-type=module', '-e', script]).trim()).toBe('0 0');
});

test('the error classes of import and of require recognize the errors of each other', () => {
  const script = `
    import { createRequire } from 'node:module';
    import { ConfigurationError } from 'container-tracking-sdk';
    const copy = createRequire(import.meta.url)('container-tracking-sdk');
    const error = new copy.ConfigurationError('x');
    console.log(error instanceof ConfigurationError, ConfigurationError.is(error), error instanceof copy.NotFoundError);`;
  expect(node(['--input-type=module', '-e', script]).trim()).toBe('true true false');
});

test('an error of a workflow that is loaded later has the exported class', () => {
  const script = `
    import { TrackingClient, TrackingError, TrackingFailedError, TrackingPendingError } from 'container-tracking-sdk';
    import { createSandbox } from 'container-tracking-sdk/sandbox';
    const { fetch } = createSandbox();
    const client = new TrackingClient({ baseUrl: 'https://service.example/v2', apiKey: 'sandbox', logger: false, fetch });
    const error = await client.track({ number: 'MAEUTRACKINGFAILED9', scac: 'MAEU', type: 'bill_of_lading' }).catch(error => error);
    console.log([TrackingFailedError, TrackingError, TrackingPendingError].map(type => error instanceof type).join());
    process.exit();`;
  expect(node(['--input-type=module', '-e', script]).trim()).toBe('true,true,false');
});

describe.each(['nodenext', 'bundler'] as const)(
  'for a strict TypeScript user with module resolution %s (nodenext: with exact optional properties)',
  resolution => {
    let problems: Map<string, string[]>;

    beforeAll(() => {
      problems = compile(resolution);
    }, 120_000);

    test('the declarations compile', () => {
      const outside = [...problems].filter(([file]) => !/(right|wrong)-\d+\.ts$/.test(file));
      expect(outside).toEqual([]);
    });

    test.each(PROGRAMS.map((program, index) => ({ ...program, index })))('$name', ({ index }) => {
      expect(problems.get(`right-${index}.ts`) ?? []).toEqual([]);
      expect(problems.get(`wrong-${index}.ts`)).toHaveLength(1);
    });
  },
);

test('the declarations need neither the DOM nor the types of Node', () => {
  const directory = join(project.directory, 'no-dom');
  mkdirSync(directory, { recursive: true });
  const entries = [...ENTRIES, ...WITH_PEER, ...TYPES_ONLY];
  const files = entries.map((entry, index) => {
    writeFileSync(join(directory, `${index}.ts`), `export * from '${join('container-tracking-sdk', entry)}';`);
    return join(directory, `${index}.ts`);
  });
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
    // The peers are installed beside the sources.
    paths: { '*': [resolve(SOURCES, '../node_modules/*')] },
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const path = file?.fileName ?? '';
    return { path, text: `${basename(path)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}` };
  });
  // These packages need the DOM themselves, or have declarations with errors.
  const foreign = /node_modules\/(zod|msw|@mswjs|rettime|@modelcontextprotocol|drizzle-orm|kysely)\//;
  expect(problems.filter(({ path }) => !foreign.test(path)).map(({ text }) => text)).toEqual([]);
});

/** The compiler's messages about each program and about the declarations of the package. */
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
      exactOptionalPropertyTypes: resolution === 'nodenext',
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

/** The files that an import of a file loads, without the files that are loaded later. */
function loadedWith(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const source = readFileSync(join(DIST, file), 'utf8');
  for (const [, specifier = ''] of source.matchAll(/\b(?:from|import)\s*["'](\.[^"'\n]+)["']/g)) {
    loadedWith(join(dirname(file), specifier), seen);
  }
  return [...seen];
}

/** The packages whose values the sources import. */
function importedPackages(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  return files.flatMap(file =>
    Array.from(
      readFileSync(join(SOURCES, file), 'utf8').matchAll(
        /^\s*import (?!type )[^;]*?from '((?:@[^/']+\/)?[a-z][^/':]*)(?:\/[^']*)?'|\bimport\('([a-z][^/':]*)'\)/gm,
      ),
      ([, one, other]) => (one ?? other) as string,
    ),
  );
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
