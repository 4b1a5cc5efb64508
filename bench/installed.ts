import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPacked } from '../support/packed.ts';

export interface Project {
  /** Writes a program into the project. The project has the packed package and an empty package. */
  program(name: string, source: string): string;
  remove(): void;
}

/** A project of a user with the installed tarball, in its own directory. */
export function installedProject(): Project {
  const { directory, remove } = installPacked();
  const empty = join(directory, 'node_modules/empty');
  mkdirSync(empty);
  writeFileSync(join(empty, 'package.json'), '{"name":"empty","type":"module","exports":"./index.js"}');
  writeFileSync(join(empty, 'index.js'), 'export {};\n');
  return {
    program(name, source) {
      const file = join(directory, `${name}.mjs`);
      writeFileSync(file, source);
      return file;
    },
    remove,
  };
}

export interface ProgramRun {
  /** The output of the program. */
  output: string;
  /** Time from the start of the program to its first output, in ms. */
  toOutput: number;
  /** Time from the start of the program to its end, in ms. */
  toEnd: number;
}

export async function run(file: string, ...args: string[]): Promise<ProgramRun> {
  const start = performance.now();
  const child: ChildProcess = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  let toOutput = Number.NaN;
  child.stdout?.on('data', (chunk: Buffer) => {
    if (output === '') toOutput = performance.now() - start;
    output += chunk;
  });
  let toEnd = Number.NaN;
  child.on('exit', () => {
    toEnd = performance.now() - start;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${file} ended with ${code}.`);
  return { output: output.trim(), toOutput, toEnd };
}
