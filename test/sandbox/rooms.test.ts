import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');
const SANDBOX = join(SRC, 'sandbox');

/** The rooms: folders of the sandbox. Each room may import from the rooms before it. */
const ROOMS = [
  'base',
  'world',
  'state',
  'http',
  'entities',
  'notifications',
  'service',
  'filters',
  'routes',
  'oauth',
  'mcp',
  'inspection',
  'page',
];
/** Files in the root of the folder: the entries, their options, and the files that connect the rooms. */
const ROOT = ['index.ts', 'msw.ts', 'options.ts', 'account.ts', 'assemble.ts', 'saved.ts'];
/** Files that the sandbox and the client may both import. */
const SHARED =
  /^(arguments|internal\/(arguments|message-with-cause|near-name|signal)|errors|version|jsonapi\/document|schemas\/.*|model\/.*)\.ts$/;

const files = readdirSync(SANDBOX, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
const sources = new Map(files.map(file => [file, readFileSync(join(SANDBOX, file), 'utf8')]));
/** All imports, including imports of types. */
const imports = files.flatMap(from =>
  Array.from(sources.get(from)?.matchAll(/(?:\bfrom |\bimport\(?)\s*'(\.[^']+)'/g) ?? [], ([, target = '']) => ({
    from,
    to: relative(SANDBOX, resolve(SANDBOX, dirname(from), target)),
  })),
);
const inside = imports.filter(({ to }) => !to.startsWith('..'));
const roomOf = (file: string) => (file.includes('/') ? file.split('/')[0] : undefined) ?? '';

test('every file of the sandbox is in a known room', () => {
  expect(files.filter(file => !ROOMS.includes(roomOf(file)) && !ROOT.includes(file))).toEqual([]);
  expect(inside.filter(({ to }) => !sources.has(to))).toEqual([]);
  expect(inside.length).toBeGreaterThan(200);
});

test('the script of the page imports only types from the rest of the sandbox', () => {
  const isInBrowser = (file: string) => file.startsWith('page/browser/');
  const out = inside.filter(({ from, to }) => isInBrowser(from) && !isInBrowser(to));
  expect(out.length).toBeGreaterThan(2);
  for (const { from, to } of out) {
    expect(sources.get(from)).toMatch(new RegExp(`^import type [^;]* from '[^']*/${to.split('/').pop()}';$`, 'm'));
  }
  expect(inside.filter(({ from, to }) => isInBrowser(to) && !isInBrowser(from))).toEqual([]);
});

test('a room imports only from the rooms before it, and this also applies to types', () => {
  const upwards = inside.filter(({ from, to }) => {
    if (roomOf(to) === '') return roomOf(from) !== '';
    return roomOf(from) !== '' && ROOMS.indexOf(roomOf(to)) > ROOMS.indexOf(roomOf(from));
  });
  expect(upwards).toEqual([]);
});

test('the sandbox and the client share only records, schemas, wire documents, errors, argument checks and timers', () => {
  const outside = imports.filter(({ to }) => to.startsWith('..')).map(({ from, to }) => ({ from, to: to.slice(3) }));
  expect(outside.length).toBeGreaterThan(20);
  // The inspection shows what a consumer of the service can derive from a record, so it may import from `domain/`.
  const seen = ({ from, to }: { from: string; to: string }) =>
    from.startsWith('inspection/') && to.startsWith('domain/');
  expect(outside.filter(each => !SHARED.test(each.to) && !seen(each))).toEqual([]);
});

test('nothing in the sandbox cites a document that its readers cannot open', () => {
  const citing = files.filter(file => /SPEC\.md|\bapi\/[\w-]+\.md|\bD-\d+\b/.test(sources.get(file) ?? ''));
  expect(citing).toEqual([]);
});
