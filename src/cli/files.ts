import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { wrongUsage } from './command.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

/** A sentence for a file that cannot be used. */
export function fileProblem(path: string, use: 'read' | 'written', error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const missing = use === 'read' ? 'there is no such file' : `there is no folder ${dirname(path)}`;
  return `${path} cannot be ${use}: ${code === 'ENOENT' ? missing : (REASONS[code] ?? (code || message))}.`;
}

/**
 * Checks that a file can be written, before the request for its content is made.
 *
 * @throws {CommandError}
 */
export async function checkWritable(path: string): Promise<void> {
  const problem = await problemOf(path);
  if (problem) throw wrongUsage(fileProblem(path, 'written', problem));
}

/**
 * A file is replaced by a new file, which is created in the same folder. If that is not allowed, the file itself must
 * be writable.
 */
async function problemOf(path: string): Promise<unknown> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : error));
  if (found instanceof Error) return found;
  if (found?.isDirectory()) return { code: 'EISDIR' };
  if (found && !found.isFile()) return accessProblem(path);
  const inFolder = await accessProblem(dirname(found ? await realpath(path) : path));
  return inFolder && found ? accessProblem(path) : inFolder;
}

async function accessProblem(path: string): Promise<unknown> {
  return access(path, constants.W_OK).catch((error: unknown) => error);
}
