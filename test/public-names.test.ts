import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { publicSurface } from '../scripts/api-report.ts';
import { undocumented } from '../support/public-names.ts';

test('every public function, class, method, option, type and field has a comment', { timeout: 60_000 }, () => {
  expect(undocumented(publicSurface())).toEqual([]);
});

/** Declarations, and what of them lacks a comment. */
const CASES: [title: string, code: string, names: string[]][] = [
  ['a function', 'export declare function make(): void;', ['make']],
  ['a class', 'export declare class Client {}', ['Client']],
  ['a type', 'export type Name = string;', ['Name']],
  ['a method', '/** A client. */ export declare class Client { get(): void; }', ['Client.get']],
  ['an option', '/** Options. */ export interface Options { timeout?: number; }', ['Options.timeout']],
  [
    'an option that has a default and no meaning',
    '/** Options. */ export interface Options { /** @default 5 */ timeout?: number; }',
    ['Options.timeout'],
  ],
  [
    'a field within a field',
    '/** Options. */ export interface Options { /** Limits. */ limits: { default: number }; }',
    ['Options.limits.default'],
  ],
  [
    'a field from a type that is not exported',
    'interface Base { id: string; } /** A record. */ export interface Item extends Base {} export {};',
    ['Item.id'],
  ],
  [
    'nothing that no caller can reach, that the language names, or that has a single value',
    '/** A client. */ export declare class Client { #key; private old: string; [Symbol.iterator](): void; readonly ok: true; }',
    [],
  ],
  [
    'nothing that inherits its comment',
    '/** A. */ export declare class A { /** Ends. */ end(): void; } /** B. */ export declare class B extends A { end(): void; }',
    [],
  ],
];

describe('of declarations without comments it names', () => {
  let missing: string[];

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'surface-'));
    try {
      const files = CASES.map(([, code], index) => {
        const file = join(folder, `${index}.d.ts`);
        // A comment belongs to what follows only if it begins a line.
        writeFileSync(file, code.replaceAll('/**', '\n/**'));
        return [`case ${index}`, file];
      });
      missing = undocumented(publicSurface(Object.fromEntries(files)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);

  test.each(CASES.map(([title, , names], index) => ({ title, names, index })))('$title', ({ names, index }) => {
    const found = missing.filter(name => name.startsWith(`case ${index}: `));
    expect(found).toEqual(names.map(name => `case ${index}: ${name}`));
  });
});
