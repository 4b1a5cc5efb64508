import { expect, test } from 'vitest';
import { table } from '../../src/cli/output/table.ts';

test('a table has room for more rows than a call has for arguments', () => {
  const rows = Array.from({ length: 300_000 }, (_, index) => ({ index }));
  const { text } = table([['INDEX', ({ index }) => index]], rows);
  expect(text.split('\n')).toHaveLength(300_001);
});
