import { ConfigurationError } from '../errors.ts';
import { objectArgument, refuseUnknownNames } from '../internal/arguments.ts';
import { builtin } from '../internal/runtime.ts';
import { sleep } from '../internal/signal.ts';
import { isRecord, parseJson } from '../jsonapi/document.ts';

/** The data of a sign-in. Everything but the issuer is secret. */
export interface SignIn {
  /** The authorization server that all of it is from. It is never shown to another. */
  issuer: string;
  /** The registration of this program there, in the names of the protocol. */
  client: RegisteredClient;
  /** The tokens; none after they were revoked. */
  tokens?: Tokens | undefined;
  /** Address of the document in which the MCP server names its authorization server, if not the usual one. */
  resourceMetadataUrl?: string | undefined;
}

/** A program as the authorization server knows it. */
export interface RegisteredClient {
  /** Its id. */
  client_id: string;
  /** Its secret, if it has one. */
  client_secret?: string | undefined;
  /** Method by which it proves that secret. */
  token_endpoint_auth_method?: string | undefined;
  /** Address that browsers are sent back to. */
  redirect_uri: string;
}

/** The tokens that a person has allowed. */
export interface Tokens {
  /** Sent with each request. */
  accessToken: string;
  /** For the next access token. A new one may come with it; then the old one is worth nothing. */
  refreshToken?: string | undefined;
  /** Time at which to get the next one, shortly before this one expires, in ms since the epoch. */
  renewAt?: number | undefined;
  /** The allowed scopes, separated by spaces. */
  scope?: string | undefined;
}

/**
 * Keeps sign-ins, so that a person signs in once. One store may be used by many connections and, if it supports that,
 * by many processes.
 */
export interface TokenStore {
  /**
   * Names the place where the sign-ins are kept. The connections of stores with the same `id` share one request budget, since
   * they act for the same person.
   * @default each connection has a budget of its own
   */
  readonly id?: string | undefined;
  /** The sign-in that was written last for the address of an MCP server. */
  read(url: string): Promise<SignIn | undefined>;
  /** Writes a sign-in; `undefined` removes it. Only called within `exclusive` for the same address. */
  write(url: string, signIn: SignIn | undefined): Promise<void>;
  /**
   * Runs a task while no other task for this address runs, in any process. A refresh token is good for one use, so reading,
   * refreshing and writing must not mix with those of somebody else. A task may take minutes: a person may have to sign in.
   *
   * @param signal aborts when the connection is closed. A task that still waits then need not run: reject with the signal's reason.
   */
  exclusive<T>(url: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** A store for one process. After it ends, people sign in again. */
export function memoryTokenStore(): TokenStore {
  const signIns = new Map<string, SignIn>();
  const queues = createQueues();
  return {
    id: `memory ${crypto.randomUUID()}`,
    read: async url => signIns.get(url),
    async write(url, signIn) {
      if (signIn) signIns.set(url, structuredClone(signIn));
      else signIns.delete(url);
    },
    exclusive: queues,
  };
}

/** Runs the tasks of one name after one another. */
function createQueues(): <T>(name: string, task: () => Promise<T>) => Promise<T> {
  const lasts = new Map<string, Promise<unknown>>();
  return async (name, task) => {
    const before = lasts.get(name);
    const run = before ? before.then(task) : task();
    const last = run.catch(() => {});
    lasts.set(name, last);
    try {
      return await run;
    } finally {
      if (lasts.get(name) === last) lasts.delete(name);
    }
  };
}

/** Options of {@link fileTokenStore}. */
export interface FileTokenStoreOptions {
  /** The file. It is made with the permissions 0600; its folder has to exist. */
  path: string;
}

const EXAMPLE = "{ path: 'tokens.json' }";

/**
 * A store in a file that only its owner can read; a file that others may read is refused. Any number of processes of one
 * machine may share it: the file is replaced as a whole, and one of them at a time refreshes.
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
  const { fs, resolve, shortHash } = fileSystem();
  const queued = createQueues();

  /** Runs a task alone among all processes, after the queue of this one. */
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
    try {
      await fs.writeFile(next, JSON.stringify(all), { flag: 'wx', mode: 0o600, flush: true });
      await fs.rename(next, path);
    } catch (error) {
      await fs.rm(next, { force: true });
      throw error;
    }
  }

  return {
    id: `file ${resolve(path)}`,
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
    // A hash, since an address is not a valid name of a file.
    exclusive: (url, task, signal) => locked(`${path}.${shortHash(url)}.lock`, task, signal),
  };
}

/** @throws {ConfigurationError} for a file that others may read: a refresh token opens the account. */
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

type FileSystem = typeof import('node:fs/promises');

/** A file may have been written by another version, or by hand. */
function isSignIn(value: unknown): value is SignIn {
  if (!isRecord(value) || typeof value.issuer !== 'string' || !isRecord(value.client)) return false;
  const { client, tokens } = value;
  const hasClient = typeof client.client_id === 'string' && typeof client.redirect_uri === 'string';
  return hasClient && (tokens === undefined || (isRecord(tokens) && typeof tokens.accessToken === 'string'));
}

function fileSystem() {
  const [fs, nodePath, nodeCrypto] = [builtin('node:fs/promises'), builtin('node:path'), builtin('node:crypto')];
  if (!fs || !nodePath || !nodeCrypto) {
    throw new ConfigurationError('fileTokenStore() needs Node 20.16, 22.3 or later, Bun or Deno 2.');
  }
  const shortHash = (text: string) => nodeCrypto.createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { fs, resolve: nodePath.resolve, shortHash };
}

/** Interval in ms at which the holder of a lock touches its file. */
const BEAT_MS = 1000;
/** Time in ms without a touch after which the process that holds a lock counts as dead. */
const STALE_MS = 10_000;
const POLL_MS = 25;

/**
 * A lock between processes: a file that only one of them can create. It is touched as long as it is held, so that one that
 * a process has left behind is known by its age.
 *
 * @param signal ends the wait, which then rejects with the signal's reason.
 * @returns a function that gives the lock back.
 */
async function acquireLock(
  fs: FileSystem,
  path: string,
  signal = new AbortController().signal,
): Promise<() => Promise<void>> {
  const owner = crypto.randomUUID();
  signal.throwIfAborted();
  while (!(await created(fs, path, owner))) {
    if (await isStale(fs, path)) await removeStale(fs, path);
    // Not all of them at the same time again.
    else await sleep(POLL_MS * (1 + Math.random()), signal);
  }
  const beat = setInterval(() => {
    const now = new Date();
    fs.utimes(path, now, now).catch(() => {});
  }, BEAT_MS);
  return async () => {
    clearInterval(beat);
    // A process that was stopped for long may have lost it to another.
    if ((await fs.readFile(path, 'utf8').catch(() => '')) === owner) await fs.rm(path, { force: true });
  };
}

async function created(fs: FileSystem, path: string, text: string): Promise<boolean> {
  try {
    await fs.writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(fs: FileSystem, path: string): Promise<boolean> {
  const stats = await fs.stat(path).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > STALE_MS;
}

/** Only one process at a time removes it, and looks again first: meanwhile it may be the lock of somebody who is alive. */
async function removeStale(fs: FileSystem, path: string): Promise<void> {
  const breaker = `${path}.stale`;
  if (!(await created(fs, breaker, ''))) {
    if (await isStale(fs, breaker)) await fs.rm(breaker, { force: true });
    return;
  }
  try {
    if (await isStale(fs, path)) await fs.rm(path, { force: true });
  } finally {
    await fs.rm(breaker, { force: true });
  }
}
