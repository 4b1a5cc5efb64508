import { once } from 'node:events';
import { isRecord } from '../../jsonapi/document.ts';
import { type Command, hintOf, listOption, type OptionValues, wrongUsage } from '../command.ts';
import { printableJson } from './printable.ts';
import { type Column, pairs, table } from './table.ts';

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
    help: 'a table with these columns, separated by commas: headings in lower case, or fields of the record',
  },
  ...FIELDS_OPTION,
} as const satisfies Command['options'];

/** True if the output is for programs: with `--json` or `--fields`, and in a pipe without `--columns`. */
export function isForPrograms(values: OptionValues): boolean {
  if (values.json === true || values.fields !== undefined) return true;
  return values.columns === undefined && process.stdout.isTTY !== true;
}

/** A text and the end of its line. It waits while the reader is slow. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
}

/** Progress, for people: never on stdout. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** One value: as JSON for programs, else as a text. */
export function printValue(values: OptionValues, value: unknown, text: () => string): Promise<void> {
  return print(isForPrograms(values) ? printableJson(chosen(values, value), 2) : text());
}

/** One record: as JSON for programs, else its columns and its other fields, a line each. */
export function printRecord<T extends object>(
  values: OptionValues,
  record: T,
  columns: readonly Column<T>[],
): Promise<void> {
  return printValue(values, record, () => {
    const shown = columns.map(([heading, value]) => [heading, value(record)] as const);
    const names = columns.map(([heading]) => heading.toLowerCase().replaceAll(' ', '_'));
    const others = Object.entries(record).filter(
      ([name, value]) => !names.includes(name.replace(/_at$/, '')) && (isText(value) || isTexts(value)),
    );
    return pairs([...shown, ...others]);
  });
}

const isText = (value: unknown) => value !== null && typeof value !== 'object';
const isTexts = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isText);

/** Records: a line of JSON each for programs, else a table. @returns How many there were. */
export async function printRecords<T>(
  values: OptionValues,
  records: AsyncIterable<T> | Iterable<T>,
  columns: readonly Column<T>[],
): Promise<number> {
  if (values.columns !== undefined && (values.json === true || values.fields !== undefined)) {
    throw wrongUsage('--columns is for tables. For JSON, use --fields.');
  }
  const shown: T[] = [];
  let count = 0;
  for await (const record of records) {
    count += 1;
    if (isForPrograms(values)) await print(printableJson(chosen(values, record)));
    else shown.push(record);
  }
  if (isForPrograms(values)) return count;
  const { text, hidden } = table(chosenColumns(values, columns, shown), shown);
  await print(count === 0 ? 'None found.' : text);
  if (count > 0 && hidden.length > 0) say(`Not shown: ${hidden.join(', ')}. See --columns.`);
  return count;
}

function chosenColumns<T>(
  values: OptionValues,
  columns: readonly Column<T>[],
  records: readonly T[],
): readonly Column<T>[] {
  const names = listOption(values, 'columns');
  if (names.length === 0) return columns;
  const known = new Map(columns.map(column => [column[0].toLowerCase().replaceAll(' ', '-'), column]));
  return names.map(name => {
    const [heading, value] = known.get(name.toLowerCase()) ?? [name, undefined];
    if (value) return [heading, value];
    const isField = records.length === 0 || records.some(record => isRecord(record) && Object.hasOwn(record, name));
    if (isField) return [name.toUpperCase(), record => (isRecord(record) ? labelOf(record[name]) : undefined)];
    const all = [...new Set([...known.keys(), ...Object.keys(Object(records[0]))])];
    throw wrongUsage(`There is no column ${name}.${hintOf(name, all) || ` There are: ${all.join(', ')}.`}`);
  });
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

/** Fields that name a record, the best first. */
const LABELS = ['bill_of_lading_number', 'number', 'request_number', 'company_name', 'name', 'label', 'event', 'id'];

/** The text that stands for a related record in a table. */
export function labelOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(labelOf);
  if (!isRecord(value)) return value;
  const name = LABELS.find(each => typeof value[each] === 'string');
  return name === undefined ? value : value[name];
}
