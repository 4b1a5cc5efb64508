import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
/** The pages whose snippets are compiled. */
const PAGES = [
  'README.md',
  ...['mcp', 'feed', 'sync', 'observability', 'sandbox'].map(page => `docs/guides/${page}.md`),
];
const README = PAGES.map(file => readFileSync(join(ROOT, file), 'utf8')).join('\n');

/** What the README leaves to its reader. A snippet gets those that it uses and does not make itself. */
const STAND_INS: Record<string, string> = {
  TrackingClient: `import { TrackingClient } from 'container-tracking-sdk';`,
  client: `declare const client: import('container-tracking-sdk').TrackingClient;`,
  id: `declare const id: string;`,
  bills: `declare const bills: string[];`,
  signal: `declare const signal: AbortSignal;`,
  since: `declare const since: Date;`,
  inbox: `declare const inbox: import('container-tracking-sdk/webhooks').Inbox;`,
  redis: `declare const redis: import('redis').RedisClientType;`,
  save: `declare function save(record: object): Promise<void>;`,
  store: `declare function store(checkpoint: import('container-tracking-sdk').Checkpoint): Promise<void>;`,
  load: `declare function load(): Promise<import('container-tracking-sdk').Checkpoint>;`,
  position: `declare const position: import('container-tracking-sdk').FeedCheckpoint | undefined;`,
  lines: `declare const lines: import('container-tracking-sdk').FeedCheckpoint[];`,
  saveChange: `declare function saveChange(change: object): Promise<void>;`,
  savePosition: `declare function savePosition(position: import('container-tracking-sdk').FeedCheckpoint | undefined): Promise<void>;`,
  createRouter: `import { createRouter } from 'container-tracking-sdk/webhooks';`,
  createWorker: `import { createWorker } from 'container-tracking-sdk/webhooks';`,
  appendFileSync: `import { appendFileSync } from 'node:fs';`,
  z: `import * as z from 'zod/mini';`,
  saveCheckpoint: `declare function saveCheckpoint(checkpoint: import('container-tracking-sdk').RecoveryCheckpoint): Promise<void>;`,
};

const snippets = Array.from(README.matchAll(/^```(ts|typescript|js)\n([\s\S]*?)^```$/gm), ([, , code = ''], index) => {
  const heading =
    README.slice(0, README.indexOf(code))
      .match(/^#+ .*$/gm)
      ?.at(-1) ?? '';
  return { name: `${heading.replace(/^#+ /, '')}, snippet ${index + 1}`, code };
});

let complaints: Map<string, string[]>;

// One program for all of them, since the types of the package take most of the time.
beforeAll(() => {
  complaints = compile(snippets.map(({ code }) => code));
}, 120_000);

test('the README has snippets', () => {
  expect(snippets.length).toBeGreaterThan(8);
});

test.each(snippets)('compiles under strict: $name', ({ code }) => {
  expect(complaints.get(code)).toEqual([]);
});

test('a snippet that is wrong is noticed', () => {
  const wrong = `const n = (await client.shipments.get(id)).nubmer;`;
  expect(compile([wrong]).get(wrong)).toEqual([expect.stringContaining("'nubmer' does not exist")]);
}, 120_000);

/** What the compiler has to say of each. */
function compile(codes: string[]): Map<string, string[]> {
  const paths = new Map(codes.map((code, index) => [join(ROOT, `readme-${index}.ts`), code]));
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, ROOT);
  // Of the project's own settings, a reader has `strict` only.
  Object.assign(options, { exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false, noUnusedLocals: false });
  options.noUnusedParameters = false;
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = path => paths.has(path) || fileExists(path);
  host.readFile = path => paths.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const code = paths.get(path);
    if (code === undefined) return getSourceFile(path, ...rest);
    return ts.createSourceFile(path, `${standInsFor(code)}\n${code}\nexport {};\n`, ts.ScriptTarget.ESNext, true);
  };
  const program = ts.createProgram([...paths.keys()], options, host);
  return new Map(
    Array.from(paths, ([path, code]) => {
      const file = program.getSourceFile(path);
      const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
      return [code, found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))];
    }),
  );
}

function standInsFor(code: string): string {
  const made = new Set<string>();
  const used = new Set<string>();
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) used.add(node.text);
    const isDeclaration = ts.isVariableDeclaration(node) || ts.isImportSpecifier(node) || ts.isBindingElement(node);
    if (isDeclaration && ts.isIdentifier(node.name)) made.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('snippet.ts', code, ts.ScriptTarget.ESNext));
  const needed = Object.entries(STAND_INS).filter(([name]) => used.has(name) && !made.has(name));
  return needed.map(([, declaration]) => declaration).join('\n');
}
