import { type FileHandle, open, readFile } from 'node:fs/promises';
import { text as textOfStream } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { replaceFile } from '../documents/save-as.ts';
import { numberAsSent } from '../domain/container-number.ts';
import { failed, hintOf, wrongUsage } from './command.ts';
import { fileProblem } from './files.ts';
import { csvLine, unformulated } from './output/csv.ts';
import { spelt } from './tracked-before.ts';

/** A number to track, as a line of a file has it. */
export interface NumberRow {
  /** The number as the file has it. */
  text: string;
  /** The number as it is sent. */
  number: string;
  scac: string | undefined;
  type: string | undefined;
}

const WRITE_TIMEOUT_MS = 10_000;
const INPUT = ['number', 'scac', 'type'];

/**
 * The numbers of a CSV file, each once: `number`, `scac`, `type`. The first line may name the columns, in any order and among
 * others.
 *
 * @param column the name of the column with the numbers.
 * @throws {CommandError} for a file that cannot be read, columns without `number`, a type that does not exist, and a number with two
 * carriers.
 */
export async function readNumbers(path: string, types: readonly string[], column = 'number'): Promise<NumberRow[]> {
  const [first = [], ...rest] = rowsOf(path, await textOf(path), [',', ';', '\t']);
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
  for (const row of isHeader ? rest : [first, ...rest]) {
    const cell = (name: string) => row[placeOf(name)]?.trim() || undefined;
    const text = cell('number');
    if (text === undefined) continue;
    const number = numberAsSent(text);
    const given = { text, number, scac: cell('scac')?.toUpperCase(), type: cell('type') };
    if (given.type !== undefined && !types.includes(given.type)) {
      throw failed(`In ${path}, the type of ${number} must be ${types.join(' or ')}, not ${given.type}.`);
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
  /** The number as the file of the numbers has it. */
  text: string;
  scac: string;
  outcome: 'tracked' | 'failed' | 'pending';
  tracking_request_id: string;
  shipment_id: string;
  code: string;
  reason: string;
}

const HEADER = 'number,scac,outcome,tracking_request_id,shipment_id,code,reason';

function lineOf({ text, scac, outcome, tracking_request_id, shipment_id, code, reason }: OutcomeRow): string[] {
  return [text, scac, outcome, tracking_request_id, shipment_id, code, reason].map(unformulated);
}

/** The outcomes that a file has, of earlier runs too. */
export interface OutcomeFile {
  isTracked(number: string): boolean;
  add(row: OutcomeRow): Promise<void>;
  /** Leaves the last outcome of each number, in the order of the numbers. Those of other numbers come first. */
  arrange(numbers: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the file, or makes it. Each outcome is on the disk before the next request. */
export async function openOutcomes(path: string): Promise<OutcomeFile> {
  const file = await open(path, 'a+').catch((error: NodeJS.ErrnoException) => {
    throw wrongUsage(fileProblem(path, 'written', error));
  });
  try {
    const text = await file.readFile('utf8');
    // A crash may have cut off the header too.
    if (!HEADER.startsWith(text.split('\n', 1)[0] ?? '')) {
      throw failed(`${path} exists, and is not a file of outcomes: its first line is not ${HEADER}.`);
    }
    // A line that was cut off by a crash is not an outcome.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole));
    if (whole === '') await write(file, HEADER);
    const last = new Map(
      rowsOf(path, whole)
        .slice(1)
        .map(row => [spelt(row[0] ?? ''), row]),
    );
    return {
      isTracked: number => last.get(spelt(unformulated(number)))?.[2] === 'tracked',
      async add(row) {
        const cells = lineOf(row);
        last.set(spelt(cells[0] ?? ''), cells);
        await write(file, csvLine(cells));
      },
      async arrange(numbers) {
        const own = new Set(numbers.map(number => spelt(unformulated(number))));
        const order = [...[...last.keys()].filter(key => !own.has(key)), ...own];
        const rows = order.map(key => csvLine(last.get(key) ?? [])).filter(Boolean);
        const content = new Blob([[HEADER, ...rows, ''].join('\n')]);
        await replaceFile(path, content.stream(), { signal: undefined, timeout: WRITE_TIMEOUT_MS });
      },
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
