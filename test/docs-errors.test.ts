import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { CATALOGUE, differences, errorCatalogue } from '../scripts/error-catalogue.ts';
import { type ErrorClass, errorClasses, packageSources } from '../support/errors/source-codes.ts';

let classes: ReadonlyMap<string, ErrorClass>;

beforeAll(() => {
  classes = errorClasses(packageSources());
}, 120_000);

test('docs/reference/errors.md is made from the sources: node scripts/error-catalogue.ts writes it', () => {
  expect(errorCatalogue(classes)).toBe(readFileSync(CATALOGUE, 'utf8'));
});

test('a code that the sources get needs a cause and a remedy', () => {
  const added = new Map(classes).set('FloodError', {
    name: 'FloodError',
    parent: 'TrackingError',
    entries: [],
    fields: [],
    codes: new Map([['flooded', ['src/flood.ts']]]),
  });
  expect(differences(added)).toEqual(['- FloodError flooded: no cause and no remedy']);
  expect(() => errorCatalogue(added)).toThrow('FloodError flooded');
});

test('a code that the sources lose is noticed, and so are words of the MCP server', () => {
  const fewer = new Map(classes);
  fewer.delete('QueueError');
  expect(differences(fewer)).toContain('- QueueError queue_full: nothing in src/ constructs it');
  expect(differences(classes, ['flooded'])).toContain('- MCP server, flooded: no cause and no remedy');
});
