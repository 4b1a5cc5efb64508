/**
 * Installs the board of `examples/board/`, builds the package if its sources have changed, and opens the board. With `--check`
 * it checks the types of the board instead.
 *
 * node scripts/board.ts
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const BOARD = join(ROOT, 'examples/board');
const isCheck = process.argv.includes('--check');

// Declarations are only needed to check types.
const built = join(ROOT, isCheck ? 'dist/sandbox/msw.d.ts' : 'dist/sandbox/msw.js');
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
if (Math.max(...sources.map(file => changedAt(join(ROOT, 'src', file)))) > changedAt(built)) {
  run(process.execPath, ['node_modules/tsdown/dist/run.mjs', ...(isCheck ? [] : ['--no-dts'])]);
}
if (changedAt(join(BOARD, 'package-lock.json')) > changedAt(join(BOARD, 'node_modules/.package-lock.json'))) {
  run('npm', ['ci', '--prefix', BOARD, '--prefer-offline', '--no-audit', '--no-fund', '--silent']);
}
if (isCheck) run(process.execPath, ['node_modules/typescript/bin/tsc'], BOARD);
else run(process.execPath, ['node_modules/vite/bin/vite.js', ...process.argv.slice(2)], BOARD);

/** When a file last changed, in ms; 0 if the file does not exist. */
function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function run(command: string, args: string[], cwd = ROOT): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
