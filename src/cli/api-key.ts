import { type FileHandle, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { failed } from './command.ts';

/**
 * The API key: from the file that was named, else from the environment, else from the usual file. Never from the command
 * line, which every process of the machine can read.
 *
 * @throws {CommandError} if there is none, or if others may read its file.
 */
export async function readApiKey(
  namedFile: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  if (namedFile === undefined && environment.TRACKING_API_KEY) return environment.TRACKING_API_KEY;
  const path = namedFile ?? usualFile(environment);
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (namedFile !== undefined) throw failed(`The key file ${path} cannot be read: ${error.code ?? error.message}.`);
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

function usualFile({ XDG_CONFIG_HOME }: NodeJS.ProcessEnv): string {
  return join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'container-tracking', 'api-key');
}

async function keyIn(file: FileHandle, path: string): Promise<string> {
  const { mode } = await file.stat();
  // Windows has no such bits, and reports all of them.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw failed(`Others may read the key file ${path}. Run: chmod 600 ${path}`);
  }
  const key = (await file.readFile('utf8')).trim();
  if (key === '') throw failed(`The key file ${path} is empty.`);
  return key;
}
