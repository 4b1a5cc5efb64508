import { sleep } from '../../internal/signal.ts';

type FileSystem = typeof import('node:fs/promises');

/** How often the holder says that it is alive, in ms. */
const BEAT_MS = 1000;
/** A lock that nobody has touched for longer belongs to a process that has died, in ms. */
const STALE_MS = 10_000;
const POLL_MS = 25;
const NEVER = new AbortController().signal;

/**
 * A lock between processes: a file that only one of them can create. It is touched as long as it is held, so that one that
 * a process has left behind is known by its age.
 *
 * @param signal ends the wait, which then rejects with the signal's reason.
 * @returns what gives it back.
 */
export async function acquireLock(fs: FileSystem, path: string, signal = NEVER): Promise<() => Promise<void>> {
  const owner = crypto.randomUUID();
  signal.throwIfAborted();
  while (!(await created(fs, path, owner))) {
    if (await isStale(fs, path)) await removeStale(fs, path);
    // Not all at once again.
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
