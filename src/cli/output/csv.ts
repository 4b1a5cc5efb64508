import { Cell } from './cell.ts';
import { textOf } from './table.ts';

/** One record as a line of CSV. Only a number may begin with a sign. */
export function csvLine(cells: readonly (string | number)[]): string {
  return cells.map(cellOf).join(',');
}

/** A value as programs read it: numbers and times in their own form, and nothing for what is missing. */
export function csvValue(value: unknown): string | number {
  if (value instanceof Cell) return csvValue(value.data);
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' ? value : textOf(value, '');
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = unformulated(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""').replace(/[\r\n]+/g, ' ')}"` : safe;
}

/** A spreadsheet would compute a cell that begins like a formula. */
export function unformulated(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
