import { builtin } from './runtime.ts';

/**
 * Says why a file that is open is no longer where it was: what a program writes to a file that somebody has deleted or replaced is
 * lost when the program ends, and no call fails. `undefined` as long as it is there, and for a database in memory.
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
    return `The file ${path} ${reason} while it was open. What is stored now would be lost: restart the process.`;
  };
}
