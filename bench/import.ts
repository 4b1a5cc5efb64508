import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Contender, compare, type Ratio, takeTurns } from './measure.ts';

const DIST = resolve(import.meta.dirname, '../dist');

/** A whole process that imports one module, against one that imports an empty module. */
export async function importTime(): Promise<Ratio[]> {
  const directory = mkdtempSync(join(tmpdir(), 'import-'));
  const empty = join(directory, 'empty.mjs');
  writeFileSync(empty, 'export {};\n');
  const contenders: Contender[] = [
    { name: 'an empty module', run: () => load(empty) },
    { name: 'the main entry', run: () => load(join(DIST, 'index.js')) },
    { name: 'the schemas', run: () => load(join(DIST, 'schemas.js')) },
  ];
  const results = compare('import, whole process', contenders, await takeTurns(contenders, 25));
  rmSync(directory, { recursive: true });
  return results;
}

function load(file: string): void {
  execFileSync(process.execPath, [
    '--input-type=module',
    '-e',
    `await import(${JSON.stringify(pathToFileURL(file).href)})`,
  ]);
}
