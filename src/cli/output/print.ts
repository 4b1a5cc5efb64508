import type { OptionValues } from '../command.ts';
import { printableJson } from './printable.ts';
import { type Column, table } from './table.ts';

/** Whether to print for programs: in a pipe, or if `--json` says so. */
export function isForPrograms(values: OptionValues): boolean {
  return values.json === true || process.stdout.isTTY !== true;
}

/** One value: as JSON for programs, else as the text says. */
export function printValue(values: OptionValues, value: unknown, text: () => string): void {
  console.log(isForPrograms(values) ? printableJson(value, 2) : text());
}

/** Records: a line of JSON each for programs, else a table. */
export async function printRecords<T>(
  values: OptionValues,
  records: AsyncIterable<T> | Iterable<T>,
  columns: readonly Column<T>[],
): Promise<number> {
  const shown: T[] = [];
  let count = 0;
  for await (const record of records) {
    count += 1;
    if (isForPrograms(values)) console.log(printableJson(record));
    else shown.push(record);
  }
  if (!isForPrograms(values)) console.log(count === 0 ? 'None found.' : table(columns, shown));
  return count;
}

/** Progress, for people: never on stdout. */
export function say(text: string): void {
  console.error(text);
}
