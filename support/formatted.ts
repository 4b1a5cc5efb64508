import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

/** A source as the formatter writes it. */
export function formatted(path: string, input: string): string {
  const biome = resolve(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', '--stdin-file-path', path];
  return execFileSync(process.execPath, args, { cwd: ROOT, input, encoding: 'utf8' });
}
