import { readFileSync } from 'node:fs';
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

test('no public type is `any`, not even by default', () => {
  expect(anyTypes(surface)).toEqual([]);
});
