import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { apiReport, publicSurface, REPORT, type Surface } from '../scripts/api-report.ts';
import { anyTypes } from '../support/public-names.ts';

let surface: Surface;

beforeAll(() => {
  surface = publicSurface();
}, 60_000);

test('docs/reference/api.md is the public surface of the build: node scripts/api-report.ts writes it', () => {
  expect(apiReport(surface)).toBe(readFileSync(REPORT, 'utf8'));
});

test('every entry of the package is in the report, with its names', () => {
  expect(surface.entries.length).toBeGreaterThan(7);
  for (const { name, exports } of surface.entries) expect(exports.length, name).toBeGreaterThan(0);
});

test('every constant in the report exists at run time', async () => {
  for (const { name, exports } of surface.entries) {
    const constants = exports.filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Variable);
    const entry: object = await import(name);
    for (const constant of constants) expect(entry, name).toHaveProperty(constant.name);
  }
});

test('no public type is `any`, not even by default', () => {
  expect(anyTypes(surface)).toEqual([]);
});
