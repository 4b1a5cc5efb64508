import { chmod, type FileHandle, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type Command, CommandError, EXIT, failed, type OptionValues, textOption, wrongUsage } from './command.ts';
import { fileProblem } from './files.ts';

/** The options of commands that need the address of the service and a key. */
export const ACCESS_OPTIONS = {
  'base-url': { type: 'string', value: 'URL', help: 'the address of the service, in place of TRACKING_BASE_URL' },
  'key-file': {
    type: 'string',
    value: 'FILE',
    help: 'a file that holds the API key and that only its owner can read, in place of TRACKING_API_KEY',
  },
} as const satisfies Command['options'];

/** A setting, and the place that it was read from. */
export interface Setting {
  readonly value: string;
  readonly from: string;
  /** A sentence that says how to change the setting. */
  readonly remedy: string;
}

/** The address of the service and the key. */
export interface Access {
  readonly baseUrl: Setting;
  readonly apiKey: Setting;
}

/** The settings that were found. */
type Found = { readonly [name in keyof Access]: Setting | undefined } & {
  /**
   * The address that the stored key belongs to, if the key cannot be used because this address differs from the address
   * in use.
   */
  readonly keyIsFor?: string | undefined;
};

const PLACES: Readonly<Record<keyof Access, string>> = {
  baseUrl: 'the address of the service (TRACKING_BASE_URL or --base-url)',
  apiKey: 'the API key (TRACKING_API_KEY or --key-file)',
};

/**
 * Reads the address and the key: first from the options, then from the environment, then from the file that the command
 * `login` has written. A key is never an argument, because every process on the machine can read the command line.
 *
 * @throws {CommandError} if the address or the key is missing, if other users may read the key file, and if the key
 * file is not a file.
 */
export async function readAccess(values: OptionValues, environment: NodeJS.ProcessEnv = process.env): Promise<Access> {
  const found = await findAccess(values, environment);
  const { baseUrl, apiKey, keyIsFor } = found;
  if (baseUrl && apiKey) return { baseUrl, apiKey };
  if (keyIsFor === undefined) throw notSet(...(['baseUrl', 'apiKey'] as const).filter(name => !found[name]));
  throw notConfigured(
    `The stored key is for ${keyIsFor}, so it is not sent to ${baseUrl?.value}. Give ${PLACES.apiKey}. To replace the stored key: container-tracking login.`,
  );
}

/** The error for missing settings. */
export function notSet(...missing: (keyof Access)[]): CommandError {
  const places = missing.map(name => PLACES[name]).join(', and ');
  return notConfigured(
    `Not set: ${places}. To store your settings: container-tracking login. To try without an account: container-tracking sandbox.`,
  );
}

const notConfigured = (message: string) =>
  new CommandError(message, EXIT.wrongUsage, { code: 'not_configured', retryable: false });

/**
 * Reads the settings like `readAccess`, but a setting may be missing.
 *
 * @throws {CommandError} for a key file that cannot be used.
 */
export async function findAccess(values: OptionValues, environment: NodeJS.ProcessEnv = process.env): Promise<Found> {
  const path = textOption(values, 'key-file');
  const url = textOption(values, 'base-url');
  const named =
    path === undefined
      ? undefined
      : {
          value: await keyOfFile(path),
          from: `the file ${path}`,
          remedy: 'Store another key in it, or leave out --key-file.',
        };
  const option = url === undefined ? undefined : { value: url, from: '--base-url', remedy: 'Check the address.' };
  const baseUrl = option ?? variable(environment, 'TRACKING_BASE_URL');
  const apiKey = named ?? variable(environment, 'TRACKING_API_KEY');
  if (baseUrl && apiKey) return { baseUrl, apiKey };
  const stored = await readStored(environment);
  const address = baseUrl ?? stored?.baseUrl;
  // The stored key is sent only to the host for which it was stored.
  const belongs = !stored?.baseUrl || originOf(address) === originOf(stored.baseUrl);
  const usable = apiKey ?? (belongs ? stored?.apiKey : undefined);
  return { baseUrl: address, apiKey: usable, keyIsFor: usable ? undefined : stored?.baseUrl?.value };
}

function originOf(address: Setting | undefined): string | undefined {
  return address && URL.canParse(address.value) ? new URL(address.value).origin : undefined;
}

function variable(environment: NodeJS.ProcessEnv, name: string): Setting | undefined {
  const value = environment[name];
  const remedy = `Change ${name}, or unset it and run: container-tracking login`;
  return value ? { value, from: `the variable ${name}`, remedy } : undefined;
}

/** Reads the file of the command `login`: the first line is the key, the second line is the address. */
async function readStored(environment: NodeJS.ProcessEnv): Promise<Found | undefined> {
  const path = storedFile(environment);
  if (path === undefined || !(await stat(path).catch(() => undefined))) return undefined;
  const [key = '', url] = (await keyOfFile(path)).split(/\r?\n/).map(line => line.trim());
  const source = { from: `the file ${path}`, remedy: 'To store another: container-tracking login' };
  return { apiKey: { value: key, ...source }, baseUrl: url ? { value: url, ...source } : undefined };
}

/** Stores the key and the address for later commands. @returns The path of the file. */
export async function storeAccess(
  { apiKey, baseUrl }: { apiKey: string; baseUrl: string },
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const path = storedFile(environment);
  if (path === undefined) throw failed('There is no folder for settings: set HOME or XDG_CONFIG_HOME.');
  const draft = `${path}.${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${apiKey}\n${baseUrl}\n`, { mode: 0o600, flag: 'wx' });
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw wrongUsage(fileProblem(path, 'written', error));
  }
  return path;
}

/** Deletes the stored key and address. @returns The path of the file, if there was one. */
export async function deleteStored(environment: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  const path = storedFile(environment);
  if (path === undefined || !(await stat(path).catch(() => undefined))) return undefined;
  await rm(path);
  return path;
}

/**
 * The file of the command `login`; `undefined` if the user has no home directory, as for an unknown user in a Docker
 * container.
 */
export function storedFile({ XDG_CONFIG_HOME, APPDATA }: NodeJS.ProcessEnv): string | undefined {
  const folder = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || configFolder();
  return folder && isAbsolute(folder) ? join(folder, 'container-tracking', 'api-key') : undefined;
}

function configFolder(): string | undefined {
  try {
    return join(homedir(), '.config');
  } catch {
    return undefined;
  }
}

async function keyOfFile(path: string): Promise<string> {
  // Only a file is opened: opening a FIFO blocks until a process writes to it, and a device such as /dev/zero never
  // ends.
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile() && !found.isDirectory() && !isPipeOfShell(path)) {
    throw failed(`The key file ${path} is not a file.`);
  }
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw wrongUsage(`The key file ${fileProblem(path, 'read', error)}`);
  });
  try {
    return await keyIn(file, path);
  } finally {
    await file.close();
  }
}

/** True for the pipes of `--key-file <(command)` and of `--key-file /dev/stdin`. */
function isPipeOfShell(path: string): boolean {
  return /^\/(?:dev\/(?:fd\/|stdin$)|proc\/)/.test(path);
}

async function keyIn(file: FileHandle, path: string): Promise<string> {
  const stat = await file.stat();
  if (stat.isDirectory()) throw failed(`The key file ${path} is a folder.`);
  // Windows has no permission bits and reports all of them as set, so this check is not made on Windows.
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
    throw failed(`Others may read the key file ${path}. Run: chmod 600 ${path}`);
  }
  const key = (await file.readFile('utf8')).trim();
  if (key === '') throw failed(`The key file ${path} is empty.`);
  return key;
}
