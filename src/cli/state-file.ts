import { readFile, stat } from 'node:fs/promises';
import { replaceFile } from '../documents/save-as.ts';
import { failed } from './command.ts';
import { fileProblem } from './files.ts';

const WRITE_TIMEOUT_MS = 10_000;

/** The JSON of a file; `undefined` if there is no such file. @throws {CommandError} for a file that cannot be read. */
export async function readState<T>(path: string): Promise<T | undefined> {
  // Opening a FIFO lasts until somebody writes to it.
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) throw failed(`The checkpoint ${path} is not a file.`);
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failed(`The checkpoint ${path} cannot be read: ${(error as Error).message}`);
  }
}

/** A crash leaves the old file or the new one. */
export async function writeState(path: string, state: unknown, signal: AbortSignal): Promise<void> {
  try {
    await replaceFile(path, new Blob([JSON.stringify(state)]).stream(), { signal, timeout: WRITE_TIMEOUT_MS });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall ? failed(fileProblem(path, 'written', error)) : error;
  }
}
