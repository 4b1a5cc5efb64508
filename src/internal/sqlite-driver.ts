import { ConfigurationError } from '../errors.ts';
import { describeValue } from './arguments.ts';
import { builtin } from './runtime.ts';

/**
 * The driver that is built into Node.
 *
 * @param user the function that needs it, and `instead` what to use where it is missing.
 * @throws {ConfigurationError} if there is none, or if `path` is not the path of a file.
 */
export function sqliteDriver(user: string, path: string, { example, instead }: { example: string; instead: string }) {
  const sqlite = builtin('node:sqlite');
  if (!sqlite) {
    throw new ConfigurationError(
      `${user}() needs node:sqlite, which Node has from 22.13 on; this is ${globalThis.process?.version ?? 'not Node'}. Update Node, or use ${instead} for your own database.`,
    );
  }
  // For an empty path, SQLite uses a temporary file that is deleted when it is closed.
  if (typeof path !== 'string' || path.trim() === '') {
    throw new ConfigurationError(
      `The path is ${describeValue(path)}; it must be the path of a file, such as '${example}'.`,
    );
  }
  return sqlite;
}
