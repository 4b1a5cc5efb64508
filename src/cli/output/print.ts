import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { isRecord } from '../../jsonapi/document.ts';
import { type Command, hintOf, listOption, type OptionValues, wrongUsage } from '../command.ts';
import { allOf, type Column, chosenColumns, nameOf } from './columns.ts';
import { csvLine, csvValue } from './csv.ts';
import { printableJson } from './printable.ts';
import { FEWEST, pairs, table, terminalWidth, withValue } from './table.ts';

/** The options of commands that print records. */
export const FIELDS_OPTION = {
  fields: {
    type: 'string',
    value: 'NAMES',
    multiple: true,
    help: 'JSON with these fields only, separated by commas; a dot leads into an included record',
  },
} as const satisfies Command['options'];

/** The options of commands that print a table. */
export const TABLE_OPTIONS = {
  columns: {
    type: 'string',
    value: 'NAMES',
    multiple: true,
    help: 'a table with these columns, separated by commas: those of the command, or fields of the record; a dot leads into a related record',
  },
  csv: { type: 'boolean', help: 'CSV with a header: whole texts, plain numbers, and times in ISO 8601' },
  'no-color': { type: 'boolean', help: 'a table without colours, as with NO_COLOR' },
  ...FIELDS_OPTION,
} as const satisfies Command['options'];

/** The options of a command that prints a table with these columns. */
export function tableOptions<T>(usual: readonly Column<T>[], others: readonly Column<T>[] = []): Command['options'] {
  return { ...TABLE_OPTIONS, columns: { ...TABLE_OPTIONS.columns, values: allOf(usual, others).map(nameOf) } };
}

/** @throws {CommandError} for options that exclude each other. */
function formOf({ json, fields, csv, columns }: OptionValues): 'json' | 'csv' | 'text' {
  const isJson = json === true || fields !== undefined;
  if (csv === true && isJson) throw wrongUsage('--csv is not JSON: leave out --json and --fields.');
  if (columns !== undefined && isJson) throw wrongUsage('--columns is for tables and CSV. For JSON, use --fields.');
  if (csv === true) return 'csv';
  return isJson || (columns === undefined && process.stdout.isTTY !== true) ? 'json' : 'text';
}

/** True if the output is JSON: with `--json` or `--fields`, and in a pipe without `--columns` and `--csv`. */
export function isForPrograms(values: OptionValues): boolean {
  return formOf(values) === 'json';
}

/** True for a table on a terminal. */
export function isOnScreen(values: OptionValues): boolean {
  return formOf(values) === 'text' && process.stdout.isTTY === true;
}

/** A text and the end of its line. It waits while the reader is slow. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
}

/** `1 container`, `2 containers`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** True in a command with `--json`: each text on stderr is then one line of JSON. */
export const SAYS_JSON = new AsyncLocalStorage<boolean>();

/** Progress, for people: never on stdout. */
export function say(text: string, kind: 'note' | 'warning' = 'note'): void {
  process.stderr.write(`${SAYS_JSON.getStore() ? printableJson({ [kind]: text }) : text}\n`);
}

/** A record is a line, so that programs can read it at once; on a terminal it is indented. */
function printJson(values: OptionValues, value: unknown): Promise<void> {
  return print(printableJson(chosen(values, value), process.stdout.isTTY === true ? 2 : undefined));
}

/** One value: as JSON for programs, else as a text. */
export function printValue(values: OptionValues, value: unknown, text: () => string): Promise<void> {
  return isForPrograms(values) ? printJson(values, value) : print(text());
}

/** One record: as JSON for programs, else a line for each column that has a value. */
export function printRecord<T extends object>(
  values: OptionValues,
  record: T,
  columns: readonly Column<T>[],
): Promise<void> {
  return printValue(values, record, () => `${detailsOf(record, columns)}\n\n${ALL_FIELDS}`);
}

/** The last line of a text that leaves out fields. */
export const ALL_FIELDS = 'All fields: --json';

/** The columns of one record, one under the other. */
export function detailsOf<T>(record: T, columns: readonly Column<T>[]): string {
  return pairs(withValue(columns.map(([heading, value]) => [titleOf(heading), value(record)])));
}

const ACRONYMS = ['ID', 'URL', 'ETA', 'SCAC', 'IMO', 'MMSI'];

/** `Last free day`. */
function titleOf(heading: string): string {
  const [first = '', ...rest] = heading.split(' ').map(word => (ACRONYMS.includes(word) ? word : word.toLowerCase()));
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

/**
 * Records: a line of JSON or CSV each, else a table.
 *
 * @param others columns that `--columns` may name.
 * @param fewest the number of the usual columns that a table must have room for. It must for all that `--columns` names.
 * @returns How many records there were.
 */
export async function printRecords<T>(
  values: OptionValues,
  records: AsyncIterable<T> | Iterable<T>,
  usual: readonly Column<T>[],
  others: readonly Column<T>[] = [],
  fewest = FEWEST,
): Promise<number> {
  const form = formOf(values);
  const shown: T[] = [];
  let head: readonly Column<T>[] | undefined;
  let count = 0;
  for await (const record of records) {
    count += 1;
    if (form === 'text') shown.push(record);
    else if (form === 'json') await printJson(values, record);
    else {
      head ??= await printHead(chosenColumns(values, usual, others, [record as T]));
      await print(csvLine(head.map(([, value]) => csvValue(value(record)))));
    }
  }
  if (form === 'csv' && count === 0) await printHead(chosenColumns(values, usual, others));
  if (form !== 'text') return count;
  const columns = chosenColumns(values, usual, others, shown);
  const { text, hidden } = table(columns, shown, terminalWidth(), columns === usual ? fewest : columns.length);
  await print(count === 0 ? 'None found.' : text);
  if (count > 0 && hidden.length > 0) say(`Not shown: ${hidden.join(', ')}. See --columns.`);
  return count;
}

async function printHead<T>(columns: readonly Column<T>[]): Promise<readonly Column<T>[]> {
  await print(csvLine(columns.map(column => nameOf(column).replaceAll('-', '_'))));
  return columns;
}

/** The fields that `--fields` names, or all. */
function chosen(values: OptionValues, value: unknown): unknown {
  const names = listOption(values, 'fields');
  return names.length === 0 ? value : Object.fromEntries(names.map(name => [name, fieldOf(value, name.split('.'))]));
}

/** @throws {CommandError} if a record has no such field. */
function fieldOf(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map(item => fieldOf(item, [name, ...rest]));
  if (!isRecord(value) || !Object.hasOwn(value, name)) {
    const known = Object.keys(Object(value));
    throw wrongUsage(`There is no field ${name}.${hintOf(name, known) || ` There are: ${known.join(', ')}.`}`);
  }
  return fieldOf(value[name], rest);
}
