import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

/** A project of a user that contains only the installed tarball. */
export interface PackedProject {
  directory: string;
  tarball: string;
  remove(): void;
}

export function installPacked(): PackedProject {
  const directory = mkdtempSync(join(tmpdir(), 'packed-'));
  const tarball = pack(directory);
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], directory);
  return { directory, tarball, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Packs the package into a folder, and returns the path of the tarball. */
export function pack(directory: string): string {
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', directory], ROOT)) as {
    filename: string;
  }[];
  return join(directory, packed?.filename ?? '');
}

function npm(args: string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The command of a tool that the project installs, such as `bun`. */
export function tool(name: string): string {
  return join(ROOT, 'node_modules/.bin', name);
}
