import { isRecord } from '../../jsonapi/document.ts';
import { hintOf, listOption, type OptionValues, wrongUsage } from '../command.ts';

/**
 * A column: its heading, and its value of a record. What is `whole` is never cut, so that it can be pasted into the next command.
 * A `key` answers the question of the table: less important columns are cut or left out before it is cut. A `line` is below the record
 * where the table has no room for it.
 * `needs` are the related records that the value is read from.
 */
export type Column<T> = readonly [
  heading: string,
  value: (record: T) => unknown,
  kind?: 'whole' | 'key' | 'text' | 'line',
  needs?: readonly string[],
];

/** The name of a column on the command line: `last-free-day`. */
export const nameOf = ([heading]: readonly [string, ...unknown[]]): string =>
  heading.toLowerCase().replaceAll(' ', '-');

/** The columns that a command prints, and those that may be chosen in their place. Each name is there once. */
export function allOf<T>(usual: readonly Column<T>[], others: readonly Column<T>[]): readonly Column<T>[] {
  const names = new Set(usual.map(nameOf));
  return [...usual, ...others.filter(column => !names.has(nameOf(column)))];
}

/** The related records that columns are read from. */
export function needsOf<T>(columns: readonly Column<T>[]): string[] {
  return columns.flatMap(([, , , needs = []]) => needs);
}

/**
 * The columns that `--columns` names, else the usual ones.
 *
 * @param records without them, names of fields are not checked.
 * @throws {CommandError} if neither a heading nor a field has a name.
 */
export function chosenColumns<T>(
  values: OptionValues,
  usual: readonly Column<T>[],
  others: readonly Column<T>[] = [],
  records: readonly T[] = [],
): readonly Column<T>[] {
  const names = listOption(values, 'columns');
  if (names.length === 0) return usual;
  const known = new Map(allOf(usual, others).map(column => [nameOf(column), column]));
  return names.map((name): Column<T> => {
    const column = known.get(name.toLowerCase().replaceAll('_', '-'));
    if (column) return column;
    const path = name.split('.');
    const isField = records.length === 0 || records.some(record => hasField(record, path));
    if (isField) return [name.toUpperCase(), record => labelOf(relatedOf(record, path)), 'text', [name]];
    const headings = [...known.keys()];
    const hint = hintOf(name, [...headings, ...Object.keys(Object(records[0]))]);
    throw wrongUsage(
      `There is no column ${name}.${hint || ` There are: ${headings.join(', ')}, and the fields of the record.`}`,
    );
  });
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

/** The value that a path leads to, of each record where there are several. */
export function relatedOf(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.flatMap(item => relatedOf(item, [name, ...rest]));
  return isRecord(value) ? relatedOf(value[name], rest) : undefined;
}

/** False if a record on the path has no such field. */
function hasField(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined || value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.every(item => hasField(item, path));
  return isRecord(value) && Object.hasOwn(value, name) && hasField(value[name], rest);
}
