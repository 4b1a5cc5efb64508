import { spawnSync } from 'node:child_process';

/**
 * Whether a program of the machine is there that some tests need. Without it they are skipped with a line that says so; in
 * CI it must be there.
 */
export function hasProgram(name: string): boolean {
  if (spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0) return true;
  if (process.env.CI) throw new Error(`${name} is missing: CI has to install it.`);
  console.warn(`${name} is not installed: the tests that need it are skipped.`);
  return false;
}
