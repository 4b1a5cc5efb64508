import { ConfigurationError } from '../../errors.ts';
import { objectArgument, refuseUnknownNames } from '../../internal/arguments.ts';
import { builtin } from '../../internal/runtime.ts';
import { isRecord, parseJson } from '../../jsonapi/document.ts';
import { acquireLock } from './file-lock.ts';
import { createQueues, type SignIn, type TokenStore } from './store.ts';

/** Options of {@link fileTokenStore}. */
export interface FileTokenStoreOptions {
  /** The file. It is made with the permissions 0600; its folder has to exist. */
  path: string;
}

const EXAMPLE = "{ path: 'tokens.json' }";

/**
 * A store in a file that only its owner can read; a file that others may read is refused. Any number of processes of one machine may share it: the file is replaced
 * as a whole, and one of them at a time refreshes.
 *
 * Needs Node 20.16, 22.3 or later, Bun or Deno 2.
 *
 * @example
 * const store = fileTokenStore({ path: `${homedir()}/.config/my-program/tokens.json` });
 */
export function fileTokenStore(options: FileTokenStoreOptions): TokenStore {
  refuseUnknownNames('fileTokenStore()', objectArgument('The argument of fileTokenStore()', options, EXAMPLE), [
    'path',
  ]);
  const { path } = options;
  if (typeof path !== 'string' || path === '') {
    throw new ConfigurationError(`path of fileTokenStore() is not the path of a file. Pass ${EXAMPLE}.`);
  }
  const fs = fileSystem();
  const queued = createQueues();

  /** Between processes, after the queue of this one. */
  function locked<T>(file: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return queued(file, async () => {
      const release = await acquireLock(fs, file, signal);
      try {
        return await task();
      } finally {
        await release();
      }
    });
  }

  async function readAll(): Promise<Record<string, unknown>> {
    const text = await readPrivate(fs, path);
    try {
      const all = parseJson(text);
      if (isRecord(all)) return all;
    } catch {
      // The message would quote the file.
    }
    throw new ConfigurationError(`${path} is not a file of tokens. Remove it, and sign in again.`);
  }

  async function writeAll(all: Record<string, unknown>): Promise<void> {
    // A name of its own, next to the file: a rename replaces a file as a whole only within one file system.
    const next = `${path}.${crypto.randomUUID()}.tmp`;
    const file = await fs.open(next, 'wx', 0o600);
    try {
      await file.writeFile(JSON.stringify(all));
      await file.sync();
    } finally {
      await file.close();
    }
    try {
      await fs.rename(next, path);
    } catch (error) {
      await fs.rm(next, { force: true });
      throw error;
    }
  }

  return {
    id: `file ${builtin('node:path')?.resolve(path) ?? path}`,
    async read(url) {
      const { [url]: signIn } = await readAll();
      return isSignIn(signIn) ? signIn : undefined;
    },
    write(url, signIn) {
      // The sign-ins of other servers are in the file too.
      return locked(`${path}.lock`, async () => {
        const { [url]: _, ...others } = await readAll();
        await writeAll(signIn ? { ...others, [url]: signIn } : others);
      });
    },
    exclusive: async (url, task, signal) => locked(`${path}.${await shortHash(url)}.lock`, task, signal),
  };
}

/** @throws {ConfigurationError} for a file that others may read: whoever has a refresh token has the account. */
async function readPrivate(fs: FileSystem, path: string): Promise<string> {
  const file = await fs.open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  try {
    if (!file) return '{}';
    const { mode } = await file.stat();
    // Windows has no such bits, and reports all of them.
    if (globalThis.process?.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new ConfigurationError(
        `Others may read the tokens in ${path}. Run: chmod 600 ${path}. If somebody may have read them, remove the file and sign in again.`,
      );
    }
    return await file.readFile('utf8');
  } finally {
    await file?.close();
  }
}

type FileSystem = ReturnType<typeof fileSystem>;

/** A name for an address that a file can have. */
async function shortHash(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest.subarray(0, 8), byte => byte.toString(16).padStart(2, '0')).join('');
}

/** A file may have been written by another version, or by hand. */
function isSignIn(value: unknown): value is SignIn {
  if (!isRecord(value) || typeof value.issuer !== 'string' || !isRecord(value.client)) return false;
  const { client, tokens } = value;
  const hasClient = typeof client.client_id === 'string' && typeof client.redirect_uri === 'string';
  return hasClient && (tokens === undefined || (isRecord(tokens) && typeof tokens.accessToken === 'string'));
}

function fileSystem() {
  const fs = builtin('node:fs/promises');
  if (fs) return fs;
  throw new ConfigurationError('fileTokenStore() needs Node 20.16, 22.3 or later, Bun or Deno 2.');
}
