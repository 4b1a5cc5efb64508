import { type FileHandle, open } from 'node:fs/promises';
import { replaceFile } from '../documents/save-as.ts';
import { wrongUsage } from './command.ts';
import { fileProblem } from './files.ts';
import { keyOf, linesOf } from './numbers-file.ts';
import { csvLine } from './output/csv.ts';

const WRITE_TIMEOUT_MS = 10_000;

/** The outcome of a number. */
export interface OutcomeRow {
  /** The number as it is written in the file of the numbers. */
  text: string;
  scac: string;
  outcome: string;
  tracking_request_id: string;
  shipment_id: string;
  code: string;
  reason: string;
}

const COLUMNS = ['text', 'scac', 'outcome', 'tracking_request_id', 'shipment_id', 'code', 'reason'] as const;
const HEADER = COLUMNS.join(',').replace('text', 'number');

/** The outcomes in a file, including those of earlier runs. */
export interface OutcomeFile {
  /** The last outcome of a number. */
  of(key: string): OutcomeRow | undefined;
  add(key: string, row: OutcomeRow): Promise<void>;
  /** Keeps only the last outcome of each number, in the order of the keys. Outcomes of other numbers come first. */
  arrange(keys: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the file, or creates it. `add` resolves when the outcome is on the disk. */
export async function openOutcomes(path: string): Promise<OutcomeFile> {
  const file = await open(path, 'a+').catch((error: NodeJS.ErrnoException) => {
    throw wrongUsage(fileProblem(path, 'written', error));
  });
  try {
    const text = await file.readFile('utf8');
    // A crash may have cut off the header too, so a part of the header is accepted if nothing comes after it.
    if (!text.startsWith(`${HEADER}\n`) && !HEADER.startsWith(text)) {
      throw wrongUsage(
        `${path} is not a file of outcomes, so it is not changed. --to must be a new file, or a file that this command has written: its first line is ${HEADER}.`,
      );
    }
    // A line that was cut off by a crash is not an outcome.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole));
    if (whole === '') await write(file, HEADER);
    const last = new Map(
      linesOf(path, whole)
        .slice(1)
        .map(({ cells }) => rowOf(cells))
        // A row without a number is left out, because it is only a message of an earlier run.
        .flatMap(row => (row.text === '' ? [] : [[keyOf(row.text), row] as const])),
    );
    return {
      of: key => last.get(key),
      async add(key, row) {
        last.set(key, row);
        await write(file, lineOf(row));
      },
      async arrange(keys) {
        const own = new Set(keys);
        const order = [...[...last.keys()].filter(key => !own.has(key)), ...own];
        const rows = order.flatMap(key => last.get(key) ?? []);
        const content = new Blob([[HEADER, ...rows.map(lineOf), ''].join('\n')]);
        await replaceFile(path, content.stream(), { signal: undefined, timeout: WRITE_TIMEOUT_MS });
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function rowOf(cells: readonly string[]): OutcomeRow {
  const [text = '', scac = '', outcome = '', tracking_request_id = '', shipment_id = '', code = '', reason = ''] =
    cells;
  return { text, scac, outcome, tracking_request_id, shipment_id, code, reason };
}

function lineOf(row: OutcomeRow): string {
  return csvLine(COLUMNS.map(name => row[name]));
}

async function write(file: FileHandle, line: string): Promise<void> {
  await file.appendFile(`${line}\n`);
  await file.datasync();
}
