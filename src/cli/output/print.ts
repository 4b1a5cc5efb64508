import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { type Command, CommandError, listOption, type OptionValues, wrongUsage } from '../command.ts';
import { allOf, type Column, chosenColumns, chosenFields, nameOf } from './columns.ts';
import { csvLine, csvValue } from './csv.ts';
import { printableJson } from './printable.ts';
import { FEWEST, pairs, paragraph, table, terminalWidth, withValue } from './table.ts';

/** The options of commands that print records. */
export const FIELDS_OPTION = {
  fields: {
    type: 'string',
    value: 'NAMES',
    multiple: true,
    help: 'JSON with these fields only, separated by commas: fields of the record, or columns of its table; a dot leads into an included record',
  },
} as const satisfies Command['options'];

/** The options of commands that print a table. */
export const TABLE_OPTIONS = {
  columns: {
    type: 'string',
    value: 'NAMES',
    multiple: true,
    help: 'a table with these columns, separated by commas: columns of the command, or fields of the record; a dot leads into a related record',
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

/** Prints a text and a line break. Waits while the reader of the output is slow. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
}

/** `1 container`, `2 containers`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The state of the output of a command. */
export const OUTPUT = new AsyncLocalStorage<{
  /** True with `--json`: each text on stderr is then one line of JSON. */
  isJson: boolean;
  /** Erases the line that the command writes again in place, such as a progress bar. It is called before each note. */
  eraseLine?: () => void;
}>();

/** Prints a note or a warning for people: on stderr, never on stdout. */
export function say(text: string, kind: 'note' | 'warning' = 'note'): void {
  const output = OUTPUT.getStore();
  output?.eraseLine?.();
  process.stderr.write(`${output?.isJson ? printableJson({ [kind]: text }) : text}\n`);
}

/** Prints a note below a table, in lines that fit the terminal. */
export function sayBelow(text: string): void {
  say(OUTPUT.getStore()?.isJson ? text : paragraph(text));
}

/** Prints JSON on one line, so that programs can read each record immediately; on a terminal, the JSON is indented. */
function printJson(value: unknown): Promise<void> {
  return print(printableJson(value, process.stdout.isTTY === true ? 2 : undefined));
}

/** Prints one value: as JSON for programs, else as a text. */
export function printValue(values: OptionValues, value: unknown, text: () => string): Promise<void> {
  return printJsonOr(values, value, [], text);
}

function printJsonOr<T>(
  values: OptionValues,
  value: T,
  columns: readonly Column<T>[],
  text: () => string,
): Promise<void> {
  return isForPrograms(values) ? printJson(chosenFields(values, value, value, columns)) : print(text());
}

/** Prints one record: as JSON for programs, else one line for each column that has a value, and then `more`. */
export function printRecord<T extends object>(
  values: OptionValues,
  record: T,
  columns: readonly Column<T>[],
  more: () => string | undefined = () => undefined,
): Promise<void> {
  return printJsonOr(values, record, columns, () =>
    [detailsOf(record, columns), more(), ALL_FIELDS].filter(Boolean).join('\n\n'),
  );
}

/** Prints the record that a command has changed. */
export function printChanged<T extends object>(
  values: OptionValues,
  record: T,
  columns: readonly Column<T>[],
): Promise<void> {
  return printRecord(withKnownFields(values, record, columns), record, columns);
}

/**
 * The options, in which `--fields` has only the names that the record has. Warns about the other names. After a change,
 * a wrong name must not look like a command that has done nothing.
 */
export function withKnownFields<T>(values: OptionValues, record: T, columns: readonly Column<T>[] = []): OptionValues {
  if (values.fields === undefined) return values;
  const fields = listOption(values, 'fields').filter(name => {
    try {
      return chosenFields({ fields: [name] }, record, record, columns);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      say(error.message, 'warning');
      return false;
    }
  });
  return { ...values, fields };
}

/** The last line of a text that leaves out fields. */
export const ALL_FIELDS = 'All fields: --json';

/** The columns of one record, one under the other. */
export function detailsOf<T>(record: T, columns: readonly Column<T>[]): string {
  return pairs(withValue(columns.map(([heading, value]) => [titleOf(heading), value(record)])));
}

const ACRONYMS = ['ID', 'URL', 'ETA', 'SCAC', 'IMO', 'MMSI'];

/** `Last free day` for `LAST FREE DAY`. */
function titleOf(heading: string): string {
  const [first = '', ...rest] = heading.split(' ').map(word => (ACRONYMS.includes(word) ? word : word.toLowerCase()));
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

interface RecordsForm<T> {
  /** Number of usual columns that are cut before one of them is left out. Columns that `--columns` names stay. */
  fewest?: number;
  /** Returns the JSON form of a record, if it differs from the record. */
  json?: (record: T) => unknown;
}

/**
 * Prints records: one line of JSON or CSV per record, or a table.
 *
 * @param others columns that `--columns` and `--fields` may name.
 * @returns The number of records.
 */
export async function printRecords<T>(
  values: OptionValues,
  records: AsyncIterable<T> | Iterable<T>,
  usual: readonly Column<T>[],
  others: readonly Column<T>[] = [],
  { fewest = FEWEST, json = record => record }: RecordsForm<T> = {},
): Promise<number> {
  const form = formOf(values);
  const known = allOf(usual, others);
  const shown: T[] = [];
  let head: readonly Column<T>[] | undefined;
  let count = 0;
  for await (const record of records) {
    count += 1;
    if (form === 'text') shown.push(record);
    else if (form === 'json') await printJson(chosenFields(values, json(record), record, known));
    else {
      head ??= await printHead(chosenColumns(values, usual, others, [record as T], json));
      await print(csvLine(head.map(([, value]) => csvValue(value(record)))));
    }
  }
  if (form === 'csv' && count === 0) await printHead(chosenColumns(values, usual, others));
  if (form !== 'text') return count;
  const columns = chosenColumns(values, usual, others, shown, json);
  const isChosen = columns !== usual;
  const { text, hidden } = table(columns, shown, terminalWidth(), isChosen ? columns.length : fewest, isChosen);
  await print(count === 0 ? 'None found.' : text);
  if (count > 0 && hidden.length > 0) sayBelow(`Not shown: ${hidden.join(', ')}. See --columns.`);
  return count;
}

async function printHead<T>(columns: readonly Column<T>[]): Promise<readonly Column<T>[]> {
  await print(csvLine(columns.map(column => nameOf(column).replaceAll('-', '_'))));
  return columns;
}
