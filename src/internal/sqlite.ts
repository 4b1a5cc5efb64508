import { ConfigurationError } from '../errors.ts';
import { describeValue } from './arguments.ts';
import { builtin } from './runtime.ts';

/**
 * The driver that is built into Node.
 *
 * @param user name of the function that needs the driver; `instead` names a replacement for runtimes without the driver.
 * @throws {ConfigurationError} if the driver is missing, or if `path` is not the path of a file.
 */
export function sqliteDriver(user: string, path: string, { example, instead }: { example: string; instead: string }) {
  const sqlite = builtin('node:sqlite');
  if (!sqlite) {
    throw new ConfigurationError(
      `${user}() needs node:sqlite, which Node has from 22.13 on; this is ${globalThis.process?.version ?? 'not Node'}. Update Node, or use ${instead} for your own database.`,
    );
  }
  // An empty path is refused: SQLite would use a temporary file, and delete it when the database is closed.
  if (typeof path !== 'string' || path.trim() === '') {
    throw new ConfigurationError(
      `The path is ${describeValue(path)}; it must be the path of a file, such as '${example}'.`,
    );
  }
  return sqlite;
}

/** Result codes of SQLite. Higher bits of a code give details. */
export const SQLITE = { BUSY: 5, LOCKED: 6, IOERR: 10, FULL: 13 } as const;

export function isSqliteCode(error: unknown, ...codes: number[]): boolean {
  return error instanceof Error && 'errcode' in error && codes.includes(Number(error.errcode) & 0xff);
}

/** Explains a failure to open a file: SQLite itself does not report the reason. */
export function openingFailure(path: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const fs = builtin('node:fs');
  const { dirname, resolve } = builtin('node:path') ?? {};
  if (!fs || !dirname || !resolve || path.startsWith('file:')) return reason;
  const directory = dirname(resolve(path));
  if (!fs.existsSync(directory)) return `there is no directory ${directory}`;
  const target = fs.existsSync(path) ? path : directory;
  try {
    if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()) return 'it is a directory';
    fs.accessSync(target, fs.constants.R_OK | fs.constants.W_OK);
    return reason;
  } catch {
    return `this process may not read and write ${target}`;
  }
}

/**
 * Returns a function that checks whether an open file is still at its path. The function returns a description of the
 * problem, or `undefined` if there is no problem or the database is in memory. Without this check, a program could
 * write to a deleted or replaced file: no call fails, but the data is lost when the program ends.
 */
export function fileGuard(path: string): () => string | undefined {
  const fs = builtin('node:fs');
  if (!fs || path === '') return () => undefined;
  const identify = () => {
    const { dev, ino } = fs.statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  };
  const opened = identify();
  return () => {
    let reason = 'was replaced by another file';
    try {
      if (identify() === opened) return undefined;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      reason = code === 'ENOENT' || code === 'ENOTDIR' ? 'was deleted or moved' : `cannot be found: ${message}`;
    }
    return `The file ${path} ${reason} while it was open. New data would be lost: restart the process.`;
  };
}
