import { readFile } from 'node:fs/promises';
import { text as textOfStream } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { numberAsSent } from '../domain/container-number.ts';
import { hintOf } from '../internal/meant-name.ts';
import { failed, wrongUsage } from './command.ts';
import { fileProblem } from './files.ts';
import { unformulated } from './output/csv.ts';
import { spelt } from './tracked-before.ts';

/** A number to track, from a line of a file. */
export interface NumberRow {
  /** Equal for all spellings of the number. The key of a row without a number is unique. */
  key: string;
  /** The number of the line in the file; the first line is 1. */
  line: number;
  /** The number as it is written in the file; blank if it is missing. */
  text: string;
  /** The number as it is sent. */
  number: string;
  scac: string | undefined;
  type: string | undefined;
  /**
   * The reference numbers to store with the request: those of this line, and those of later lines with the same number.
   */
  references: readonly string[];
  /** The reason why the row cannot be sent; missing if the row can be sent. */
  problem: RowProblem | undefined;
  /** Later lines with the same number, which may be spelled in another way. */
  repeats: readonly { line: number; text: string }[];
}

export interface RowProblem {
  /** A code for programs. */
  code: string;
  reason: string;
}

const INPUT = ['number', 'scac', 'type', 'reference'] as const;
type Input = (typeof INPUT)[number];

/** Other names of the column `reference`, without spaces and signs. */
const REFERENCES = /^(?:our|your|customer)?(?:ref|reference|po|(?:purchase)?order)(?:s|no|nr|number|numbers)?$/;

/**
 * Reads the numbers of a CSV file, each number once. The columns are `number`, `scac`, `type` and `reference`. If the first line
 * names the columns, they may be in any order, and there may be other columns, which are `unused`. A row that cannot be
 * sent has a `problem`.
 *
 * @param column the name of the column with the numbers.
 * @throws {CommandError} for a file that cannot be read, and for a file without the column of the numbers.
 */
export async function readNumbers(
  path: string,
  types: readonly string[],
  column = 'number',
): Promise<{ rows: NumberRow[]; unused: string[] }> {
  const [head, ...rest] = linesOf(path, await textOf(path), [',', ';', '\t']);
  const first = head?.cells ?? [];
  const names = first.map(cell => cell.toLowerCase());
  const wanted = column.trim().toLowerCase();
  const isHeader = names.includes(wanted);
  if (!isHeader && wanted !== 'number') {
    throw wrongUsage(`${path} has no column ${column}.${hintOf(wanted, names)} There are: ${first.join(', ')}.`);
  }
  // If the first line does not name the columns, its first cell must be a number. So this cell must contain a digit.
  if (!isHeader && first[0] !== undefined && !/\d/.test(first[0])) {
    throw wrongUsage(
      `${path} has no column "number", only: ${first.join(', ')}. Name the column of the numbers: --number-column.`,
    );
  }
  const places = isHeader ? placesIn(names, wanted) : INPUT.map((_, index) => index);
  const placeOf = (name: Input) => places[INPUT.indexOf(name)] ?? -1;
  const found = new Map<string, NumberRow>();
  for (const { line, cells } of isHeader || !head ? rest : [head, ...rest]) {
    if (cells.every(cell => cell === '')) continue;
    const cell = (name: Input) => cells[placeOf(name)] || undefined;
    const text = cell('number') ?? '';
    const reference = cell('reference');
    const given = {
      key: text === '' ? `line ${line}` : keyOf(text),
      line,
      text,
      number: numberAsSent(text),
      scac: cell('scac')?.toUpperCase(),
      type: cell('type')?.toLowerCase(),
      references: reference === undefined ? [] : [reference],
    };
    const row = { ...given, problem: problemOf(given, types), repeats: [] };
    const known = found.get(row.key);
    found.set(row.key, known ? joined(known, row) : row);
  }
  const unused = isHeader ? first.filter((name, index) => name !== '' && !places.includes(index)) : [];
  return { rows: [...found.values()], unused };
}

/** The places of the columns of `INPUT`, -1 for a missing column. */
function placesIn(names: readonly string[], numberColumn: string): number[] {
  return INPUT.map(name => {
    const place = names.indexOf(name === 'number' ? numberColumn : name);
    if (name !== 'reference' || place >= 0) return place;
    return names.findIndex(other => other !== numberColumn && REFERENCES.test(other.replaceAll(/[^a-z]/g, '')));
  });
}

/** A key that is equal for all spellings of a number in a file. */
export function keyOf(text: string): string {
  return spelt(unformulated(text));
}

function problemOf({ text, type }: Pick<NumberRow, 'text' | 'type'>, types: readonly string[]): RowProblem | undefined {
  if (text === '') return { code: 'missing_number', reason: 'the number is missing.' };
  if (type === undefined || types.includes(type)) return undefined;
  const reason = `the type must be ${types.join(' or ')}, not ${type}.${hintOf(type, types)}`;
  return { code: 'unknown_type', reason };
}

/** Joins two rows of one number. An empty cell gets the value of the other row. */
function joined(known: NumberRow, row: NumberRow): NumberRow {
  const differs = (['scac', 'type'] as const).find(name => known[name] && row[name] && known[name] !== row[name]);
  const other = differs && {
    code: differs === 'scac' ? 'two_carriers' : 'two_types',
    reason: `${known[differs]} differs from ${row[differs]} in line ${row.line}, for the same number. Leave one out.`,
  };
  return {
    ...known,
    repeats: [...known.repeats, { line: row.line, text: row.text }],
    scac: known.scac ?? row.scac,
    type: known.type ?? row.type,
    references: [...new Set([...known.references, ...row.references])],
    problem: known.problem ?? row.problem ?? other,
  };
}

async function textOf(path: string): Promise<string> {
  try {
    if (path !== '-') return await readFile(path, 'utf8');
    return await textOfStream(process.stdin);
  } catch (error) {
    throw wrongUsage(fileProblem(path, 'read', error));
  }
}

/** The records of a CSV text, each with the line at which it ends. */
export function linesOf(path: string, text: string, delimiter = [',']): { line: number; cells: string[] }[] {
  const options = { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true, trim: true };
  const found: { line: number; cells: string[] }[] = [];
  const on_record = (cells: string[], { lines: line }: { lines: number }) => {
    found.push({ line, cells });
    return null;
  };
  try {
    parse(text, { ...options, on_record });
  } catch (error) {
    throw failed(`${path} is not CSV: ${(error as Error).message}`);
  }
  return found;
}
