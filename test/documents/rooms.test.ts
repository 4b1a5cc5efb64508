import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const DOCUMENTS = resolve(import.meta.dirname, '../../src/documents');

/** Each room may import from the rooms before it. Files in no room are the workflows. */
const ROOMS: readonly (readonly string[])[] = [
  ['source.ts', 'content-type.ts'],
  ['plain-md5.ts', 'checksum.ts'],
  ['storage.ts', 'storage-retries.ts'],
  ['put.ts', 'senders.ts', 'send-file.ts'],
  ['download.ts', 'save-as.ts'],
];
/** Files that every room may import. */
const CONTRACTS = ['errors.ts', 'idle-scope.ts', 'settings.ts', 'standard-schema.ts', 'upload-options.ts'];

const files = readdirSync(DOCUMENTS);
/** Imports inside the folder, types included. */
const imports = files.flatMap(from =>
  Array.from(
    readFileSync(join(DOCUMENTS, from), 'utf8').matchAll(/(?:\bfrom |\bimport\(?)\s*'\.\/([^']+)'/g),
    ([, to = '']) => ({ from, to: basename(to) }),
  ),
);
const roomOf = (file: string) => ROOMS.findIndex(room => room.includes(file));

test('every file of a room is in a room that is known', () => {
  expect([...ROOMS.flat(), ...CONTRACTS].filter(file => !files.includes(file))).toEqual([]);
  expect(imports.length).toBeGreaterThan(30);
});

test('a room imports only from the rooms before it and from the contracts, types included', () => {
  const wrong = imports.filter(({ from, to }) => {
    if (roomOf(from) < 0) return false;
    return roomOf(to) < 0 ? !CONTRACTS.includes(to) : roomOf(to) > roomOf(from);
  });
  expect(wrong).toEqual([]);
});

test('the contracts import no room and no workflow', () => {
  expect(imports.filter(({ from, to }) => CONTRACTS.includes(from) && !CONTRACTS.includes(to))).toEqual([]);
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
