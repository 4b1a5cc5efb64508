import { printable } from '../../printable.ts';
import { Cell, coloured, type Tone } from './cell.ts';
import type { Column } from './columns.ts';
import { cut, lines, padEnd, textWidth } from './text-width.ts';

/** A table for a terminal, and the headings for which there was no room. */
export interface Table {
  text: string;
  hidden: string[];
}

const GAP = '  ';
const MISSING = '-';
/** A width that is enough for the usual texts of a column. */
const ENOUGH = 40;
const NARROWEST = 10;
/** A column is of little use if it shows a smaller part of its texts than this. */
const LEAST_PART = 0.6;
/** If there is room for fewer columns than this, records are shown one under the other. */
export const FEWEST = 3;

/**
 * A table with one line for each record. To fit the width, columns without a value are left out first, then long texts
 * are cut, then the last columns are left out, and only then a `key` column is cut. If a `line` column does not fit,
 * its value is a separate line below each record. If there is no room for three columns, the records are printed one
 * under the other, with one line for each value.
 *
 * @param fewest the number of first columns whose texts are cut before one of these columns is left out.
 * @param isWhole true if none of these first columns may be left out.
 */
export function table<T>(
  columns: readonly Column<T>[],
  records: readonly T[],
  width = terminalWidth(),
  fewest = FEWEST,
  isWhole = false,
): Table {
  const whole = columns.map(column => measured(column, records));
  const isWide = sumOf(whole, 'wanted') > width;
  const all = isWide ? whole.filter(({ isLine }) => !isLine) : whole;
  const below = isWide ? whole.filter(({ isLine }) => isLine) : [];
  const least = Math.min(FEWEST, all.length);
  let shown = all;
  for (let empty = 0; sumOf(shown, 'wanted') > width && shown.length > least; shown = shown.toSpliced(empty, 1)) {
    empty = shown.findLastIndex(({ cells }) => cells.every(({ text }) => text === MISSING));
    if (empty < 0) break;
  }
  const needed = Math.max(least, shown.filter(column => all.indexOf(column) < fewest).length);
  while (sumOf(shown, 'useful') > width && shown.length > needed) shown = shown.slice(0, -1);
  while (sumOf(shown, 'least') > width && shown.length >= least) shown = shown.slice(0, -1);
  if (shown.length >= (isWhole ? needed : least)) {
    const hidden = all.filter(column => !shown.includes(column)).map(({ heading }) => heading);
    return { text: drawn(shown, shrunk(shown, width), below, width), hidden };
  }
  const blocks = records.map(record =>
    pairs(withValue(columns.map(([heading, value]) => [heading, value(record)])), width),
  );
  return { text: blocks.join('\n\n'), hidden: [] };
}

type Pair = readonly [name: string, value: unknown];

export function withValue(rows: readonly Pair[]): Pair[] {
  return rows.filter(([, value]) => textOf(value) !== MISSING);
}

/** Names with their values, one under the other. */
export function pairs(rows: readonly Pair[], width = terminalWidth()): string {
  const texts = rows.map(([name, value]) => [printable(name), cellOf(value)] as const);
  const left = texts.reduce((most, [name]) => Math.max(most, textWidth(name)), 0);
  const right = width - left - GAP.length;
  return texts
    .map(([name, { text, tone }]) => {
      const linesOf = (room: number) => lines(text, room).map(line => coloured(line, tone));
      if (right < NARROWEST) return [name, ...linesOf(width - 2).map(line => `  ${line}`)].join('\n');
      const [first = '', ...others] = linesOf(right);
      const indent = ' '.repeat(left + GAP.length);
      return [padEnd(name, left) + GAP + first, ...others.map(line => indent + line)].join('\n');
    })
    .join('\n');
}

/** A sentence in lines that fit the width. */
export function paragraph(text: string, width = terminalWidth()): string {
  return lines(printable(text), width).join('\n');
}

/** The width of the terminal. Without a terminal, as in a pipe to a pager, the width is not limited. */
export function terminalWidth({ stdout, env } = process): number {
  return stdout.columns || Number(env.COLUMNS) || (stdout.isTTY ? 80 : Infinity);
}

/** A text of a table, with its colour. */
interface Text {
  text: string;
  tone?: Tone | undefined;
}

function cellOf(value: unknown): Text {
  return { text: textOf(value), tone: value instanceof Cell ? value.tone : undefined };
}

/**
 * A column with its widths. `wanted` has room for all its texts. If there is no room for `useful`, later columns are
 * left out. A width below `least` is not useful.
 */
interface Measured {
  heading: string;
  cells: Text[];
  wanted: number;
  useful: number;
  least: number;
  /** The width to which this column is cut before a `key` column is cut. */
  narrow: number;
  isLine: boolean;
}

function measured<T>([heading, value, kind]: Column<T>, records: readonly T[]): Measured {
  const cells = records.map(record => cellOf(value(record)));
  const wanted = cells.reduce((most, { text }) => Math.max(most, textWidth(text)), textWidth(heading));
  const isLine = kind === 'line';
  if (kind === 'whole' || isLine) {
    return { heading, cells, wanted, useful: wanted, least: wanted, narrow: wanted, isLine };
  }
  const enough = Math.min(wanted, ENOUGH);
  const least = Math.min(enough, Math.max(NARROWEST, Math.ceil(enough * LEAST_PART)));
  if (kind === 'key') return { heading, cells, wanted, useful: wanted, least, narrow: wanted, isLine };
  return { heading, cells, wanted, useful: least, least, narrow: Math.min(least, textWidth(heading)), isLine };
}

const sumOf = (columns: readonly Measured[], width: 'wanted' | 'useful' | 'least') =>
  columns.reduce((sum, column) => sum + column[width], 0) + GAP.length * (columns.length - 1);

/** The widths after the widest columns are cut; a `key` column is cut last. */
function shrunk(columns: readonly Measured[], width: number): number[] {
  const widths = columns.map(({ wanted }) => wanted);
  let over = sumOf(columns, 'wanted') - width;
  for (const bound of ['useful', 'narrow', 'least'] as const) {
    while (over > 0) {
      const room = widths.map((each, index) => (each > (columns[index]?.[bound] ?? each) ? each : 0));
      const widest = room.indexOf(Math.max(...room));
      if (!room[widest]) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
      over -= 1;
    }
  }
  return widths;
}

/** @param below columns whose texts are printed as lines below each record. */
function drawn(
  columns: readonly Measured[],
  widths: readonly number[],
  below: readonly Measured[],
  width: number,
): string {
  const line = (texts: readonly Text[]) =>
    texts
      .map(({ text, tone }, index) => {
        const room = widths[index] ?? 0;
        const shown = cut(text, room);
        return coloured(shown, tone) + ' '.repeat(Math.max(0, room - textWidth(shown)));
      })
      .join(GAP)
      .trimEnd();
  const head = line(columns.map(({ heading }) => ({ text: heading })));
  const rows = columns[0]?.cells.flatMap((_, row) => [
    line(columns.map(({ cells }) => cells[row] ?? { text: '' })),
    ...below.flatMap(({ cells }) => linesBelow(cells[row]?.text ?? MISSING, width)),
  ]);
  return [head, ...(rows ?? [])].join('\n');
}

function linesBelow(text: string, width: number): string[] {
  return text === MISSING ? [] : lines(text, width - GAP.length).map(each => GAP + each);
}

/** The text of a value in a table. */
export function textOf(value: unknown, missing = MISSING): string {
  if (value instanceof Cell) return textOf(value.text, missing);
  if (value === null || value === undefined) return missing;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(item => textOf(item)).join(', ') || missing;
  if (typeof value === 'object') return printable(JSON.stringify(value));
  return printable(String(value)) || missing;
}
