import { type FileHandle, open, readFile } from 'node:fs/promises';
import { text as textOfStream } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { failed, wrongUsage } from './command.ts';
import { fileProblem } from './files.ts';
import { csvLine } from './output/csv.ts';

/** A number to track, as a line of a file has it. */
export interface NumberRow {
  number: string;
  scac: string | undefined;
  type: string | undefined;
}

const INPUT = ['number', 'scac', 'type'];

/**
 * The numbers of a CSV file, each once: `number`, `scac`, `type`. The first line may name the columns, in any order and among
 * others.
 *
 * @throws {CommandError} for a file that cannot be read, columns without `number`, a type that does not exist, and a number with two
 * carriers.
 */
export async function readNumbers(path: string, types: readonly string[]): Promise<NumberRow[]> {
  const [first = [], ...rest] = rowsOf(path, await textOf(path), [',', ';', '\t']);
  const names = first.map(cell => cell.toLowerCase());
  const isHeader = names.includes('number');
  // Without names of columns, the first cell is a number, and a number has digits.
  if (!isHeader && first[0] !== undefined && !/\d/.test(first[0])) {
    throw wrongUsage(
      `${path} has no column number, only: ${first.join(', ')}. Name the column of the numbers "number".`,
    );
  }
  const placeOf = (name: string) => (isHeader ? names : INPUT).indexOf(name);
  const found = new Map<string, NumberRow>();
  for (const row of isHeader ? rest : [first, ...rest]) {
    const cell = (name: string) => row[placeOf(name)]?.trim() || undefined;
    const number = cell('number')?.toUpperCase();
    if (number === undefined) continue;
    const given = { number, scac: cell('scac')?.toUpperCase(), type: cell('type') };
    if (given.type !== undefined && !types.includes(given.type)) {
      throw failed(`${path}: the type of ${number} must be ${types.join(' or ')}, not ${given.type}.`);
    }
    const known = found.get(number);
    if (known && known.scac !== given.scac) {
      throw failed(
        `${path} has ${number} with the carriers ${known.scac ?? '-'} and ${given.scac ?? '-'}. Leave one out.`,
      );
    }
    found.set(number, known ?? given);
  }
  return [...found.values()];
}

async function textOf(path: string): Promise<string> {
  try {
    if (path !== '-') return await readFile(path, 'utf8');
    return await textOfStream(process.stdin);
  } catch (error) {
    throw wrongUsage(fileProblem(path, 'read', error));
  }
}

function rowsOf(path: string, text: string, delimiter = [',']): string[][] {
  try {
    return parse(text, { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw failed(`${path} is not CSV: ${(error as Error).message}`);
  }
}

/** The outcome of a number. */
export interface OutcomeRow {
  number: string;
  scac: string;
  outcome: 'tracked' | 'failed' | 'pending';
  tracking_request_id: string;
  shipment_id: string;
  code: string;
  reason: string;
}

const OUTPUT: readonly (keyof OutcomeRow)[] = [
  'number',
  'scac',
  'outcome',
  'tracking_request_id',
  'shipment_id',
  'code',
  'reason',
];

/** The outcomes that a file has, of earlier runs too, and how to add one. */
export interface OutcomeFile {
  /** The last outcome of each number. */
  readonly before: ReadonlyMap<string, OutcomeRow['outcome']>;
  add(row: OutcomeRow): Promise<void>;
  close(): Promise<void>;
}

/** Opens the file, or makes it. Each outcome is on the disk before the next request. */
export async function openOutcomes(path: string): Promise<OutcomeFile> {
  const file = await open(path, 'a+').catch((error: NodeJS.ErrnoException) => {
    throw wrongUsage(fileProblem(path, 'written', error));
  });
  try {
    const text = await file.readFile('utf8');
    const header = OUTPUT.join(',');
    // A crash may have cut off the header too.
    if (!header.startsWith(text.split('\n', 1)[0] ?? '')) {
      throw failed(`${path} exists, and is not a file of outcomes: its first line is not ${header}.`);
    }
    // A line that was cut off by a crash is not an outcome.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole));
    if (whole === '') await write(file, header);
    const rows = rowsOf(path, whole).slice(1);
    const before = new Map(rows.map(row => [row[0] ?? '', row[2] as OutcomeRow['outcome']]));
    return {
      before,
      add: row => write(file, csvLine(OUTPUT.map(name => row[name]))),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function write(file: FileHandle, line: string): Promise<void> {
  await file.appendFile(`${line}\n`);
  await file.datasync();
}
