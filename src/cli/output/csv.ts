import { Cell } from './cell.ts';
import { textOf } from './table.ts';

/**
 * One record as a line of CSV. If a text begins with a sign, a quote is put before it. A number does not get a quote.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return cells.map(cellOf).join(',');
}

/** A value in the form for programs: plain numbers, times in ISO 8601, and an empty text for a missing value. */
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

/** Puts a quote before a text that begins like a formula, because a spreadsheet would compute it. */
export function unformulated(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
