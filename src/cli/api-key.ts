import { type FileHandle, open, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { failed } from './command.ts';
import { fileProblem } from './files.ts';

/**
 * The API key: from the file that was named, else from the environment, else from the usual file. Never from the command
 * line, which every process of the machine can read.
 *
 * @throws {CommandError} if there is none, if others may read its file, or if it is not a file.
 */
export async function readApiKey(
  namedFile: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  if (namedFile === undefined && environment.TRACKING_API_KEY) return environment.TRACKING_API_KEY;
  const path = namedFile ?? usualFile(environment);
  if (path === undefined) throw failed('The API key is missing. Set TRACKING_API_KEY, or name a file: --key-file.');
  // Opening a FIFO lasts until somebody writes to it, and a device such as /dev/zero never ends.
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile() && !found.isDirectory() && !isPipeOfShell(path)) {
    throw failed(`The key file ${path} is not a file.`);
  }
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (namedFile !== undefined) throw failed(`The key file ${fileProblem(path, 'read', error)}`);
    throw failed(
      `The API key is missing. Set TRACKING_API_KEY, or write the key to ${path} and run: chmod 600 ${path}`,
    );
  });
  try {
    return await keyIn(file, path);
  } finally {
    await file.close();
  }
}

/** As in `--key-file <(command)` and in `--key-file /dev/stdin`. */
function isPipeOfShell(path: string): boolean {
  return /^\/(?:dev\/(?:fd\/|stdin$)|proc\/)/.test(path);
}

/** None where the user has no home, as in a container whose user stands in no list. */
function usualFile({ XDG_CONFIG_HOME }: NodeJS.ProcessEnv): string | undefined {
  const folder = XDG_CONFIG_HOME || configFolder();
  return folder && isAbsolute(folder) ? join(folder, 'container-tracking', 'api-key') : undefined;
}

function configFolder(): string | undefined {
  try {
    return join(homedir(), '.config');
  } catch {
    return undefined;
  }
}

async function keyIn(file: FileHandle, path: string): Promise<string> {
  const stat = await file.stat();
  if (stat.isDirectory()) throw failed(`The key file ${path} is a folder.`);
  // Windows has no such bits, and reports all of them.
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
    throw failed(`Others may read the key file ${path}. Run: chmod 600 ${path}`);
  }
  const key = (await file.readFile('utf8')).trim();
  if (key === '') throw failed(`The key file ${path} is empty.`);
  return key;
}
