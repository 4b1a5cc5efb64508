import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const DOCUMENTS = resolve(import.meta.dirname, '../../src/documents');

/** Rooms: groups of files. A room may import from the rooms before it. The other files are workflows and contracts. */
const ROOMS: readonly (readonly string[])[] = [
  ['source.ts'],
  ['checksum.ts'],
  ['storage.ts'],
  ['send-file.ts'],
  ['download.ts', 'save-as.ts'],
];
/** Files that every room may import. */
const CONTRACTS = ['document-errors.ts', 'extraction-options.ts', 'idle-scope.ts', 'upload-options.ts'];

const files = readdirSync(DOCUMENTS);
/** Imports inside the folder, including imports of types. */
const imports = files.flatMap(from =>
  Array.from(
    readFileSync(join(DOCUMENTS, from), 'utf8').matchAll(/(?:\bfrom |\bimport\(?)\s*'\.\/([^']+)'/g),
    ([, to = '']) => ({ from, to: basename(to) }),
  ),
);
const roomOf = (file: string) => ROOMS.findIndex(room => room.includes(file));

test('every file in the lists of this test exists', () => {
  expect([...ROOMS.flat(), ...CONTRACTS].filter(file => !files.includes(file))).toEqual([]);
  expect(imports.length).toBeGreaterThan(20);
});

test('a room imports code and types only from the contracts and from the rooms before it', () => {
  const wrong = imports.filter(({ from, to }) => {
    if (roomOf(from) < 0) return false;
    return roomOf(to) < 0 ? !CONTRACTS.includes(to) : roomOf(to) > roomOf(from);
  });
  expect(wrong).toEqual([]);
});

test('a contract imports only other contracts', () => {
  expect(imports.filter(({ from, to }) => CONTRACTS.includes(from) && !CONTRACTS.includes(to))).toEqual([]);
});
