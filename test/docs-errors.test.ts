import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CATALOGUE, differences, errorCatalogue } from '../scripts/error-catalogue.ts';
import { sourceCodes } from '../support/errors/classes.ts';

test('docs/reference/errors.md is made from the table of remedies: node scripts/error-catalogue.ts writes it', async () => {
  expect(await errorCatalogue()).toBe(readFileSync(CATALOGUE, 'utf8'));
}, 120_000);

test('a new code in the sources needs a cause and a remedy', () => {
  expect(differences([...sourceCodes(), 'flooded'])).toEqual(['- flooded: no cause and no remedy']);
});

test('a code that is no longer in the sources is reported, and an error of the MCP server is reported if it has no remedy', () => {
  expect(differences(sourceCodes().filter(code => code !== 'queue_full'))).toEqual([
    '- queue_full: nothing in src/ constructs it',
  ]);
  expect(differences(sourceCodes(), ['flooded'])).toContain('- MCP server, flooded: no cause and no remedy');
});
