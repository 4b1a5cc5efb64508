import { ConfigurationError } from '../errors.ts';
import { objectArgument, refuseUnknownNames } from '../internal/arguments.ts';
import { builtin } from '../internal/runtime.ts';
import { sleep } from '../internal/signal.ts';
import { isRecord, parseJson } from '../jsonapi/document.ts';

/** The data of a sign-in. Everything except the issuer is secret. */
export interface SignIn {
  /** The authorization server of this data. The data is never sent to another server. */
  issuer: string;
  /** The registration of this program at that server, in the names of the protocol. */
  client: RegisteredClient;
  /** The tokens; absent after they were revoked. */
  tokens?: Tokens | undefined;
  /** Address of the document in which the MCP server names its authorization server, if it is not the usual address. */
  resourceMetadataUrl?: string | undefined;
}

/** A program that is registered at the authorization server. */
export interface RegisteredClient {
  /** Id of the program. */
  client_id: string;
  /** Secret of the program, if it has one. */
  client_secret?: string | undefined;
  /** Method with which the program proves that it has its secret. */
  token_endpoint_auth_method?: string | undefined;
  /** Address to which browsers are sent back. */
  redirect_uri: string;
}

/** The tokens for the access that a person has allowed. */
export interface Tokens {
  /** The access token, which is sent with each request. */
  accessToken: string;
  /**
   * Token for requesting the next access token. If the response contains a new refresh token, this refresh token is no
   * longer valid.
   */
  refreshToken?: string | undefined;
  /** Time at which to request the next access token, in ms since the epoch: shortly before this token expires. */
  renewAt?: number | undefined;
  /** The allowed scopes, separated by spaces. */
  scope?: string | undefined;
}

/**
 * Stores sign-ins, so that a person signs in only once. Several connections may use one store. If the store supports it, several
 * processes may use it too.
 */
export interface TokenStore {
  /**
   * Identifies the place where the sign-ins are stored. Connections whose stores have the same `id` share one request
   * budget, because they act for the same person.
   * @default each connection has a separate budget
   */
  readonly id?: string | undefined;
  /** The last written sign-in for the address of an MCP server. */
  read(url: string): Promise<SignIn | undefined>;
  /**
   * Writes a sign-in, or removes the sign-in if `signIn` is `undefined`. It is called only within `exclusive` for the
   * same address.
   */
  write(url: string, signIn: SignIn | undefined): Promise<void>;
  /**
   * Runs a task while no other task for this address runs, in any process. A refresh token can be used only once, so reading,
   * refreshing and writing must not overlap in two processes. A task may take minutes, because a person may have to sign in.
   *
   * @param signal aborts when the connection is closed. If the task has not started yet, do not run it: reject with the
   * reason of the signal.
   */
  exclusive<T>(url: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** A store for one process. After the process ends, people must sign in again. */
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

/** Runs the tasks with the same name one after another. */
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
  /** Path of the file. It is created with the permissions 0600; its folder must exist. */
  path: string;
}

const EXAMPLE = "{ path: 'tokens.json' }";

/**
 * A store in a file that only its owner can read. If other users can read the file, the store rejects with an error.
 * Any number of processes on one machine may share the file: it is replaced as a whole, and only one process at a time
 * refreshes a token.
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

  /** Runs a task after the earlier tasks of this process, and while no other process runs a task. */
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
      // The error is replaced, because its message would quote the file.
    }
    throw new ConfigurationError(`${path} is not a file of tokens. Remove it, and sign in again.`);
  }

  async function writeAll(all: Record<string, unknown>): Promise<void> {
    // A separate file in the same folder: a rename replaces a file as a whole only within one file system.
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
      // The file also contains the sign-ins of other servers, so it is locked while it is changed.
      return locked(`${path}.lock`, async () => {
        const { [url]: _, ...others } = await readAll();
        await writeAll(signIn ? { ...others, [url]: signIn } : others);
      });
    },
    // A hash, because an address is not a valid file name.
    exclusive: (url, task, signal) => locked(`${path}.${shortHash(url)}.lock`, task, signal),
  };
}

/** @throws {ConfigurationError} if other users can read the file: a refresh token gives access to the account. */
async function readPrivate(fs: FileSystem, path: string): Promise<string> {
  const file = await fs.open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  try {
    if (!file) return '{}';
    const { mode } = await file.stat();
    // Windows does not have these bits, and reports all of them.
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

/** The file may have been written by another version, or by hand. */
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
/** Time in ms. If the file is not touched for this long, the process that holds the lock is regarded as dead. */
const STALE_MS = 10_000;
const POLL_MS = 25;

/**
 * A lock between processes: a file that only one of them can create. The file is touched as long as the lock is held,
 * so that the file of a dead process is recognised by its age.
 *
 * @param signal ends the wait, which then rejects with the reason of the signal.
 * @returns a function that releases the lock.
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
    // The wait is random, so that not all processes try again at the same time.
    else await sleep(POLL_MS * (1 + Math.random()), signal);
  }
  const beat = setInterval(() => {
    const now = new Date();
    fs.utimes(path, now, now).catch(() => {});
  }, BEAT_MS);
  return async () => {
    clearInterval(beat);
    // If this process was stopped for a long time, another process may have the lock.
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

/**
 * Removes a lock. Only one process at a time does this. It first checks again, because the lock may now belong to a
 * living process.
 */
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
