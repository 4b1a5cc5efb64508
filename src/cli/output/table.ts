import { printable } from '../../printable.ts';
import { cut, lines, padEnd, textWidth } from './text-width.ts';

/**
 * A column: its heading, and its value of a record. What is `whole` is never cut, so that it can be pasted into the next command; a
 * `sentence` gets more room than other texts.
 */
export type Column<T> = readonly [heading: string, value: (record: T) => unknown, kind?: 'whole' | 'sentence'];

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
/** With fewer columns than these, records are shown one under the other. */
const FEWEST = 3;

/**
 * A table with a line for each record that fits the width: first long texts are cut, then the last columns are left out. Where not
 * even three columns fit, the records stand one under the other.
 */
export function table<T>(columns: readonly Column<T>[], records: readonly T[], width = terminalWidth()): Table {
  const rows = records.map(record => columns.map(([, value]) => textOf(value(record))));
  const wanted = columns.map(([heading], index) => widestOf(heading, rows, index));
  const floors = columns.map(([, , kind], index) => floorOf(kind, wanted[index] ?? 0));
  const least = Math.min(FEWEST, columns.length);
  for (let count = columns.length; count >= least; count -= 1) {
    const shown = columns.slice(0, count);
    const fitting = shrunk(wanted.slice(0, count), floors, width);
    if (fitting === undefined) continue;
    return { text: drawn(shown, rows, fitting), hidden: columns.slice(count).map(([heading]) => heading) };
  }
  const blocks = rows.map(row =>
    pairs(
      columns.map(([heading], index) => [heading, row[index] ?? '']),
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

function widestOf(heading: string, rows: readonly string[][], index: number): number {
  return rows.reduce((most, row) => Math.max(most, textWidth(row[index] ?? '')), textWidth(heading));
}

const sumOf = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);

function floorOf(kind: Column<never>[2], wanted: number): number {
  if (kind === 'whole') return wanted;
  const enough = Math.min(wanted, ENOUGH[kind ?? 'text']);
  return Math.min(enough, Math.max(NARROWEST, Math.ceil(enough * LEAST_PART)));
}

/** The widths with the widest columns cut, down to their floors; `undefined` if they do not fit. */
function shrunk(wanted: readonly number[], floors: readonly number[], width: number): number[] | undefined {
  if (sumOf(floors.slice(0, wanted.length)) > width) return undefined;
  const widths = [...wanted];
  while (sumOf(widths) > width) {
    const room = widths.map((each, index) => (each > (floors[index] ?? each) ? each : 0));
    const widest = room.indexOf(Math.max(...room));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function drawn(columns: readonly Column<never>[], rows: readonly string[][], widths: readonly number[]): string {
  return [columns.map(([heading]) => heading), ...rows]
    .map(row =>
      widths
        .map((width, index) => padEnd(cut(row[index] ?? '', width), width))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(textOf).join(', ') || '-';
  if (typeof value === 'object') return printable(JSON.stringify(value));
  return printable(String(value)) || '-';
}
