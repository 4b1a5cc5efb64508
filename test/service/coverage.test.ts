import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { coverage, coveragePage, isFull } from '../../support/service/coverage.ts';
import { operations } from '../../support/service/description.ts';
import { METHOD_OF } from '../../support/service/exceptions.ts';

test('docs/service/coverage.md has the results of a run; node scripts/service-coverage.ts writes this page', async () => {
  const rows = await coverage();
  expect(rows).toHaveLength(operations.length);
  const withoutMethod = Object.keys(METHOD_OF).filter(name => METHOD_OF[name]?.method === null);
  expect(withoutMethod).toEqual(['containers.updateLegacy']);
  expect(rows.filter(row => !isFull(row)).map(({ operation }) => operation)).toEqual(withoutMethod);
  expect(coveragePage(rows)).toBe(readFileSync(new URL('../../docs/service/coverage.md', import.meta.url), 'utf8'));
}, 120_000);

test('a row with an empty cell is not full', () => {
  const row = { operation: 'a', method: 'a', types: 'passes', schema: 'strict', sandbox: '200', socket: 'passes' };
  expect(isFull(row)).toBe(true);
  for (const cell of ['method', 'types', 'schema', 'sandbox', 'socket'])
    expect(isFull({ ...row, [cell]: '' })).toBe(false);
  expect(coveragePage([row, { ...row, operation: 'b', schema: '' }])).toContain('1 of 2 rows are full');
});
