import { printable } from '../../printable.ts';

/** A column: its heading, and what it shows of a record. */
export type Column<T> = readonly [heading: string, value: (record: T) => unknown];

/** A table with a line a record. Cells that are longer than `widest` are cut. */
export function table<T>(columns: readonly Column<T>[], records: readonly T[], widest = 40): string {
  const rows = records.map(record => columns.map(([, value]) => cut(textOf(value(record)), widest)));
  const all = [columns.map(([heading]) => heading), ...rows];
  const widths = columns.map((_, index) => all.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), 0));
  return all
    .map(row =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
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

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
