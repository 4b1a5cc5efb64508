import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const UPLOADS = resolve(import.meta.dirname, '../../src/uploads');

/** Each room may import from the rooms before it. */
const ROOMS = ['source', 'checksum', 'storage', 'put', 'download'];
/** Files of the root that every room may import. */
const CONTRACTS = ['errors.ts', 'idle-scope.ts', 'options.ts'];

const files = readdirSync(UPLOADS, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
/** Imports inside the folder, types included. */
const imports = files.flatMap(from =>
  Array.from(
    readFileSync(join(UPLOADS, from), 'utf8').matchAll(/(?:\bfrom |\bimport\(?)\s*'(\.[^']+)'/g),
    ([, target = '']) => ({ from, to: relative(UPLOADS, resolve(UPLOADS, dirname(from), target)) }),
  ).filter(({ to }) => !to.startsWith('..')),
);
const roomOf = (file: string) => (file.includes('/') ? dirname(file) : undefined);

test('every file of a room is in a room that is known', () => {
  expect(files.filter(file => file.includes('/') && !ROOMS.includes(roomOf(file) ?? ''))).toEqual([]);
  expect(new Set(files.map(roomOf))).toEqual(new Set([undefined, ...ROOMS]));
  expect(imports.length).toBeGreaterThan(50);
});

test('a room imports only from the rooms before it and from the contracts, types included', () => {
  const wrong = imports.filter(({ from, to }) => {
    const room = roomOf(from);
    const target = roomOf(to);
    if (room === undefined) return false;
    return target === undefined ? !CONTRACTS.includes(to) : ROOMS.indexOf(target) > ROOMS.indexOf(room);
  });
  expect(wrong).toEqual([]);
});

test('the contracts import no room and no workflow', () => {
  expect(imports.filter(({ from }) => CONTRACTS.includes(from))).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  function visit(file: string, path: string[]): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (path.includes(file) || done.has(file)) return;
    for (const { to } of imports.filter(({ from }) => from === file)) visit(to, [...path, file]);
    done.add(file);
  }
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});
