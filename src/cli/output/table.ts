import { printable } from '../../printable.ts';
import type { Column } from './columns.ts';
import { cut, lines, padEnd, textWidth } from './text-width.ts';

/** A table for a terminal, and the headings for which there was no room. */
export interface Table {
  text: string;
  hidden: string[];
}

const GAP = '  ';
/** Room for the usual texts of a column. */
const ENOUGH = { sentence: 64, text: 40 };
const NARROWEST = 10;
/** A column with less of its texts than that is of little use. */
const LEAST_PART = 0.6;
/** The beginning of a sentence is of use at the end of a line, where there is room for it. */
const LEAST_OF_SENTENCE = 20;
/** With fewer columns than these, records are shown one under the other. */
const FEWEST = 3;

/**
 * A table with a line for each record that fits the width: first columns without a value are left out, then long texts are cut, then
 * the last columns are left out. Where not even three columns fit, the records stand one under the other.
 */
export function table<T>(columns: readonly Column<T>[], records: readonly T[], width = terminalWidth()): Table {
  const all = columns.map(column => measured(column, records));
  const least = Math.min(FEWEST, all.length);
  let shown = all;
  for (let empty = 0; sumOf(shown, 'wanted') > width && shown.length > least; shown = shown.toSpliced(empty, 1)) {
    empty = shown.findLastIndex(({ cells }) => cells.every(cell => cell === '-'));
    if (empty < 0) break;
  }
  let last: Measured | undefined;
  while (sumOf(shown, 'least') > width && shown.length >= least) {
    last = shown.at(-1);
    shown = shown.slice(0, -1);
  }
  if (shown.length >= least) {
    const room = width - sumOf(shown, 'wanted') - GAP.length;
    if (last?.isSentence && room >= LEAST_OF_SENTENCE) shown = [...shown, { ...last, least: room }];
    const headings = shown.map(({ heading }) => heading);
    const hidden = all.map(({ heading }) => heading).filter(heading => !headings.includes(heading));
    return { text: drawn(shown, shrunk(shown, width)), hidden };
  }
  const blocks = records.map((_, row) =>
    pairs(
      all.map(({ heading, cells }) => [heading, cells[row]]),
      width,
    ),
  );
  return { text: blocks.join('\n\n'), hidden: [] };
}

/** Names with their values, one under the other. */
export function pairs(rows: readonly (readonly [name: string, value: unknown])[], width = terminalWidth()): string {
  const texts = rows.map(([name, value]) => [printable(name), textOf(value)] as const);
  const left = texts.reduce((most, [name]) => Math.max(most, textWidth(name)), 0);
  const right = width - left - GAP.length;
  return texts
    .map(([name, value]) => {
      if (right < NARROWEST) return [name, ...lines(value, width - 2).map(line => `  ${line}`)].join('\n');
      const [first = '', ...others] = lines(value, right);
      const indent = ' '.repeat(left + GAP.length);
      return [padEnd(name, left) + GAP + first, ...others.map(line => indent + line)].join('\n');
    })
    .join('\n');
}

/** A sentence in lines that fit the width. */
export function paragraph(text: string, width = terminalWidth()): string {
  return lines(printable(text), width).join('\n');
}

/** The columns of the terminal. Without one, as in a pipe to a pager, lines may be as long as they are. */
export function terminalWidth({ stdout, env } = process): number {
  return stdout.columns || Number(env.COLUMNS) || (stdout.isTTY ? 80 : Number.POSITIVE_INFINITY);
}

/** A column with the width that it wants, and the least that is of use. */
interface Measured {
  heading: string;
  cells: string[];
  wanted: number;
  least: number;
  isSentence: boolean;
}

function measured<T>([heading, value, kind]: Column<T>, records: readonly T[]): Measured {
  const cells = records.map(record => textOf(value(record)));
  const wanted = cells.reduce((most, cell) => Math.max(most, textWidth(cell)), textWidth(heading));
  const isSentence = kind === 'sentence';
  if (kind === 'whole') return { heading, cells, wanted, least: wanted, isSentence };
  const enough = Math.min(wanted, isSentence ? ENOUGH.sentence : ENOUGH.text);
  const least = Math.min(enough, Math.max(NARROWEST, Math.ceil(enough * LEAST_PART)));
  return { heading, cells, wanted, least, isSentence };
}

const sumOf = (columns: readonly Measured[], width: 'wanted' | 'least') =>
  columns.reduce((sum, column) => sum + column[width], 0) + GAP.length * (columns.length - 1);

/** The widths with the widest columns cut. */
function shrunk(columns: readonly Measured[], width: number): number[] {
  const widths = columns.map(({ wanted }) => wanted);
  for (let over = sumOf(columns, 'wanted') - width; over > 0; over -= 1) {
    const room = widths.map((each, index) => (each > (columns[index]?.least ?? each) ? each : 0));
    const widest = room.indexOf(Math.max(...room));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function drawn(columns: readonly Measured[], widths: readonly number[]): string {
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => padEnd(cut(text, widths[index] ?? 0), widths[index] ?? 0))
      .join(GAP)
      .trimEnd();
  const head = line(columns.map(({ heading }) => heading));
  const rows = columns[0]?.cells.map((_, row) => line(columns.map(({ cells }) => cells[row] ?? ''))) ?? [];
  return [head, ...rows].join('\n');
}

/** The text of a value in a table. */
export function textOf(value: unknown, missing = '-'): string {
  if (value === null || value === undefined) return missing;
  if (Array.isArray(value)) return value.map(item => textOf(item)).join(', ') || missing;
  if (typeof value === 'object') return printable(JSON.stringify(value));
  return printable(String(value)) || missing;
}
