import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Whether a program of the machine is there that some tests need. */
export function hasProgram(name: string): boolean {
  return findProgram(name) !== undefined;
}

/**
 * Where such a program is, in the PATH or else in one of `directories`. Without it the tests that need it are skipped with a
 * line that says so; in CI it must be there.
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
