import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** True if the machine has a program that some tests need. */
export function hasProgram(name: string): boolean {
  return findProgram(name) !== undefined;
}

/**
 * The path of a program that some tests need, in the PATH or in one of `directories`. If the machine does not have the
 * program, the tests that need it are skipped, and a line of output reports this. In CI the program is required.
 */
export function findProgram(name: string, directories: readonly string[] = []): string | undefined {
  const found = [name, ...directories.map(directory => join(directory, name))].find(
    path => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0,
  );
  if (found) return found;
  if (process.env.CI) throw new Error(`${name} is missing: CI has to install it.`);
  console.warn(`${name} is not installed: the tests that need it are skipped.`);
  return undefined;
}
