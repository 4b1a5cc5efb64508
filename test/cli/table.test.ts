import { describe, expect, test } from 'vitest';
import type { Column } from '../../src/cli/output/columns.ts';
import { pairs, table } from '../../src/cli/output/table.ts';
import { cut, lines, textWidth } from '../../src/cli/output/text-width.ts';

test('a table may have more rows than a function call may have arguments', () => {
  const rows = Array.from({ length: 300_000 }, (_, index) => ({ index }));
  const { text } = table([['INDEX', ({ index }) => index]], rows);
  expect(text.split('\n')).toHaveLength(300_001);
});

interface Row {
  id: string;
  name: string;
  at: string;
  note: string;
}
const COLUMNS: readonly Column<Row>[] = [
  ['ID', ({ id }) => id, 'whole'],
  ['NAME', ({ name }) => name],
  ['AT', ({ at }) => at, 'whole'],
  ['NOTE', ({ note }) => note],
];
const ROWS: readonly Row[] = [
  {
    id: '0d4b4c55-1111-4000-8000-000000000001',
    name: 'Alder Home Goods',
    at: '2026-11-26 10:31 UTC',
    note: 'x'.repeat(60),
  },
  {
    id: '0d4b4c55-2222-4000-8000-000000000002',
    name: '青岛港集装箱码头',
    at: '2026-11-27 10:31 UTC',
    note: '👩‍👩‍👧 é',
  },
];

describe('a table', () => {
  test.each([40, 50, 60, 80, 100, 160])('is at most %i columns wide, also with wide characters', width => {
    const { text } = table(COLUMNS, ROWS, width);
    expect(Math.max(...text.split('\n').map(textWidth))).toBeLessThanOrEqual(width);
  });

  test('never cuts a column of the kind whole, and does not cut a text if there is room for it', () => {
    expect(table(COLUMNS, ROWS, 90).text).toContain('0d4b4c55-1111-4000-8000-000000000001 ');
    expect(table(COLUMNS, ROWS, 160).text).toContain('x'.repeat(60));
    expect(table(COLUMNS, ROWS, Number.POSITIVE_INFINITY).text).toContain('x'.repeat(60));
  });

  test('leaves out a column without a value before it cuts a text', () => {
    const columns: readonly Column<Row>[] = [...COLUMNS.slice(0, 3), ['EMPTY', () => null], ...COLUMNS.slice(3)];
    const { text, hidden } = table(columns, ROWS, 142);
    expect(text).toContain('x'.repeat(60));
    expect(hidden).toEqual(['EMPTY']);
  });

  test('cuts and leaves out other columns before it cuts a column of the kind key', () => {
    const columns: readonly Column<Row>[] = [
      ['NAME', ({ name }) => name],
      ['NOTE', ({ note }) => note, 'key'],
      ['TEXT', ({ name }) => name.repeat(2)],
      ['AT', ({ at }) => at, 'whole'],
    ];
    const { text, hidden } = table(columns, ROWS, 105);
    expect(text).toContain('x'.repeat(60));
    expect(hidden).toEqual(['AT']);
    expect(table(columns, ROWS, 70).text).toMatch(/x…/);
  });

  test('leaves out a column if shorter texts are not enough and a column may be left out', () => {
    const { text, hidden } = table(COLUMNS, ROWS, 75, COLUMNS.length);
    expect(text).not.toContain('\n\n');
    expect(hidden).toEqual(['NOTE']);
    expect(table(COLUMNS, ROWS, 75, COLUMNS.length, true)).toMatchObject({ hidden: [] });
  });

  test('never cuts a time, and says which columns it leaves out', () => {
    const { text, hidden } = table(COLUMNS, ROWS, 75);
    expect(text).toContain('2026-11-26 10:31 UTC');
    expect(hidden).toEqual(['NOTE']);
  });

  test('shows records one under the other if three columns do not fit', () => {
    const { text } = table(COLUMNS, ROWS, 20);
    expect(text).toContain('NAME  Alder Home\n      Goods');
    expect(text.split('\n\n')).toHaveLength(2);
    expect(Math.max(...text.split('\n').map(textWidth))).toBeLessThanOrEqual(20);
  });

  test('aligns its columns after wide characters', () => {
    const starts = table(COLUMNS, ROWS, 120)
      .text.split('\n')
      .map(line => textWidth(line.slice(0, line.search(/AT |2026/))));
    expect(new Set(starts).size).toBe(1);
  });

  test('does not contain control characters from a record', () => {
    const row = { ...(ROWS[0] as Row), name: '\u001b]0;owned\u0007\u202eX\nY' };
    expect(table(COLUMNS, [row], 100).text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]|X\n/u);
  });
});

test('names and values fit the width, with long values in several lines', () => {
  const text = pairs(
    [
      ['NAME', 'word '.repeat(30).trim()],
      ['ID', 'x'.repeat(50)],
    ],
    40,
  );
  expect(Math.max(...text.split('\n').map(textWidth))).toBeLessThanOrEqual(40);
  expect(text).toContain('\n      word');
});

test.each([
  ['abc', 3],
  ['青岛', 4],
  ['é', 1],
  ['e\u0301', 1],
  ['👩‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['→', 1],
  ['\u200b', 0],
])('%j takes %i columns', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test('a text is cut before a wide character that does not fit', () => {
  expect(cut('青岛港', 5)).toBe('青岛…');
  expect(cut('青岛港', 4)).toBe('青…');
  expect(lines('one two three', 7)).toEqual(['one two', 'three']);
  expect(lines('', 7)).toEqual(['']);
});
