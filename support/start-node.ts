import { type ChildProcess, spawn } from 'node:child_process';

/** Starts Node with these arguments. `output` returns everything that the process has written so far. */
export function startNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += chunk;
    });
  }
  return { child, output: () => output };
}
