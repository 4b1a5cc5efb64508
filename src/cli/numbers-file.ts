import { readFile } from 'node:fs/promises';
import { text as textOfStream } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { numberAsSent } from '../domain/container-number.ts';
import { failed, hintOf, wrongUsage } from './command.ts';
import { fileProblem } from './files.ts';
import { unformulated } from './output/csv.ts';
import { spelt } from './tracked-before.ts';

/** A number to track, as a line of a file has it. */
export interface NumberRow {
  /** The same for all spellings of the number. A row without a number has a key of its own. */
  key: string;
  /** The line of the file, from 1. */
  line: number;
  /** The number as the file has it; blank if it is missing. */
  text: string;
  /** The number as it is sent. */
  number: string;
  scac: string | undefined;
  type: string | undefined;
  /** Why the row cannot be sent, if it cannot. */
  problem: RowProblem | undefined;
}

export interface RowProblem {
  /** A word for programs. */
  code: string;
  reason: string;
}

const INPUT = ['number', 'scac', 'type'];

/**
 * The numbers of a CSV file, each once: `number`, `scac`, `type`. The first line may name the columns, in any order and among
 * others. A row that cannot be sent has its problem.
 *
 * @param column the name of the column with the numbers.
 * @throws {CommandError} for a file that cannot be read, and columns without `number`.
 */
export async function readNumbers(path: string, types: readonly string[], column = 'number'): Promise<NumberRow[]> {
  const [head, ...rest] = linesOf(path, await textOf(path), [',', ';', '\t']);
  const first = head?.cells ?? [];
  const names = first.map(cell => cell.toLowerCase());
  const wanted = column.trim().toLowerCase();
  const isHeader = names.includes(wanted);
  if (!isHeader && wanted !== 'number') {
    throw wrongUsage(`${path} has no column ${column}.${hintOf(wanted, names)} There are: ${first.join(', ')}.`);
  }
  // Without names of columns, the first cell is a number, and a number has digits.
  if (!isHeader && first[0] !== undefined && !/\d/.test(first[0])) {
    throw wrongUsage(
      `${path} has no column number, only: ${first.join(', ')}. Name the column of the numbers: --number-column.`,
    );
  }
  const placeOf = (name: string) => (isHeader ? names : INPUT).indexOf(isHeader && name === 'number' ? wanted : name);
  const found = new Map<string, NumberRow>();
  for (const { line, cells } of isHeader || !head ? rest : [head, ...rest]) {
    if (cells.every(cell => cell === '')) continue;
    const cell = (name: string) => cells[placeOf(name)] || undefined;
    const text = cell('number') ?? '';
    const given = {
      key: text === '' ? `line ${line}` : keyOf(text),
      line,
      text,
      number: numberAsSent(text),
      scac: cell('scac')?.toUpperCase(),
      type: cell('type')?.toLowerCase(),
    };
    const row = { ...given, problem: problemOf(given, types) };
    const known = found.get(row.key);
    found.set(row.key, known ? joined(known, row) : row);
  }
  return [...found.values()];
}

/** The same for all spellings of a number in a file. */
export function keyOf(text: string): string {
  return spelt(unformulated(text));
}

function problemOf({ text, type }: Omit<NumberRow, 'problem'>, types: readonly string[]): RowProblem | undefined {
  if (text === '') return { code: 'missing_number', reason: 'the number is missing.' };
  if (type === undefined || types.includes(type)) return undefined;
  const reason = `the type must be ${types.join(' or ')}, not ${type}.${hintOf(type, types)}`;
  return { code: 'unknown_type', reason };
}

/** Two rows of one number. A cell that is empty takes the value of the other. */
function joined(known: NumberRow, row: NumberRow): NumberRow {
  const differs = (['scac', 'type'] as const).find(name => known[name] && row[name] && known[name] !== row[name]);
  const other = differs && {
    code: differs === 'scac' ? 'two_carriers' : 'two_types',
    reason: `${known[differs]} differs from ${row[differs]} in line ${row.line}, for the same number. Leave one out.`,
  };
  return {
    ...known,
    scac: known.scac ?? row.scac,
    type: known.type ?? row.type,
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
