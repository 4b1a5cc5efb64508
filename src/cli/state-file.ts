import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../documents/save-as.ts';
import { type Access, storedFile } from './access.ts';
import { failed, wrongUsage } from './command.ts';
import { fileProblem } from './files.ts';

const WRITE_TIMEOUT_MS = 10_000;

/**
 * The file for the state of a command, if the user does not name a file. Each pair of address and key has a separate
 * file. All of them are in the folder in which `login` stores its file.
 */
export async function defaultStateFile(command: string, { baseUrl, apiKey }: Access): Promise<string> {
  const beside = storedFile(process.env);
  if (beside === undefined)
    throw failed('There is no folder for settings: name a file, or set HOME or XDG_CONFIG_HOME.');
  const account = createHash('sha256').update(`${baseUrl.value}\n${apiKey.value}`).digest('hex').slice(0, 12);
  const path = join(dirname(beside), `${command}-${account}.json`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(error => {
    throw wrongUsage(fileProblem(path, 'written', error));
  });
  return path;
}

/**
 * Reads the state that an earlier run has stored; `undefined` if there is no such file.
 *
 * @throws {CommandError} for a file that cannot be read, or that does not contain such a state.
 */
export async function readState<T>(path: string, isState: (value: unknown) => value is T): Promise<T | undefined> {
  // Only a file is opened: opening a FIFO blocks until a process writes to it.
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) throw failed(`The checkpoint ${path} is not a file.`);
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (isState(value)) return value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError)) throw wrongUsage(fileProblem(path, 'read', error));
  }
  throw failed(`${path} is not a file that this command has written. It stays as it is: name another file.`);
}

/**
 * Writes the state. After a crash, the file is either the whole old file or the whole new file. Only its owner may read
 * a new file, because it may contain records of the account.
 */
export async function writeState(path: string, state: unknown, signal: AbortSignal): Promise<void> {
  try {
    await replaceFile(path, new Blob([JSON.stringify(state)]).stream(), { signal, timeout: WRITE_TIMEOUT_MS }, 0o600);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall ? failed(fileProblem(path, 'written', error)) : error;
  }
}
