import { hintOf } from '../../internal/meant-name.ts';
import { inSnakeCase, spelled } from '../../internal/spelled.ts';
import { listOption, type OptionValues, wrongUsage } from '../command.ts';
import { Cell } from './cell.ts';
import { fieldOf, hasField, labelOf, relatedOf } from './fields.ts';

/**
 * A column: its heading, and a function that reads its value from a record. A `whole` column is never cut, so that its
 * values can be pasted into the next command. A `key` column answers the question of the table: less important columns
 * are cut or left out before the `key` column is cut. If the table has no room for a `line` column, its value is a line
 * below the record. `needs` are the related records that the value is read from.
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

/** The columns that a command prints, and the columns that may be chosen instead. No name occurs twice. */
export function allOf<T>(usual: readonly Column<T>[], others: readonly Column<T>[]): readonly Column<T>[] {
  const names = new Set(usual.map(nameOf));
  return [...usual, ...others.filter(column => !names.has(nameOf(column)))];
}

/** The related records that columns are read from. */
export function needsOf<T>(columns: readonly Column<T>[]): string[] {
  return columns.flatMap(([, , , needs = []]) => needs);
}

/**
 * The columns that `--columns` names, or the usual columns if this option is missing.
 *
 * @param records records to check the names of fields; without records, these names are not checked.
 * @param json returns the JSON form of a record. `--columns` may also name its fields.
 * @throws {CommandError} for a name that is neither a heading nor a field.
 */
export function chosenColumns<T>(
  values: OptionValues,
  usual: readonly Column<T>[],
  others: readonly Column<T>[] = [],
  records: readonly T[] = [],
  json: (record: T) => unknown = record => record,
): readonly Column<T>[] {
  const names = listOption(values, 'columns');
  if (names.length === 0) return usual;
  const known = new Map(allOf(usual, others).map(column => [nameOf(column), column]));
  return names.map((name): Column<T> => {
    const column = known.get(spelled(name));
    if (column) return column;
    const path = name.split('.');
    const isField = records.length === 0 || records.some(record => hasField(json(record), path));
    if (isField) return [name.toUpperCase(), record => labelOf(relatedOf(json(record), path)), 'text', [name]];
    const headings = [...known.keys()];
    const hint = hintOf(name, [...headings, ...Object.keys(Object(records[0] && json(records[0])))]);
    throw wrongUsage(
      `There is no column ${name}.${hint || ` There are: ${headings.join(', ')}, and the fields of the record.`}`,
    );
  });
}

/** The fields that `--fields` names, from the JSON form; without `--fields`, all fields. */
export function chosenFields<T>(
  values: OptionValues,
  json: unknown,
  record: T,
  columns: readonly Column<T>[],
): unknown {
  const names = listOption(values, 'fields');
  if (names.length === 0) return json;
  const known = new Map(columns.map(column => [nameOf(column), column]));
  return Object.fromEntries(
    names.map(name => {
      const path = name.split('.');
      const column = hasField(json, path) ? undefined : known.get(spelled(name));
      const value = column ? dataOf(column[1](record)) : fieldOf(json, path, [...known.keys()]);
      return [inSnakeCase(name), value];
    }),
  );
}

/** The columns that `--fields` names. */
export function fieldColumns<T>(values: OptionValues, columns: readonly Column<T>[]): readonly Column<T>[] {
  const names = new Set(listOption(values, 'fields').map(spelled));
  return columns.filter(column => names.has(nameOf(column)));
}

/** The value of a column for programs. */
function dataOf(value: unknown): unknown {
  return value instanceof Cell ? dataOf(value.data) : (value ?? null);
}
