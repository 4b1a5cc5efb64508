import { builtin } from './runtime.ts';

/** Result codes of SQLite. Higher bits of a code give details. */
export const SQLITE = { BUSY: 5, LOCKED: 6, IOERR: 10, FULL: 13 } as const;

export function isSqliteCode(error: unknown, ...codes: number[]): boolean {
  return error instanceof Error && 'errcode' in error && codes.includes(Number(error.errcode) & 0xff);
}

/** Why a file cannot be opened: SQLite itself does not say. */
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
