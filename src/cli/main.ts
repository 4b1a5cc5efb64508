#!/usr/bin/env node
import { VERSION } from '../version.ts';

// If nobody reads stderr any more, the command continues.
process.stderr.on('error', () => {});

const args = process.argv.slice(2);
// The version needs none of the commands, so they are not loaded.
if (['--version', '-v'].includes(args.join(' '))) {
  process.stdout.on('error', () => {});
  process.stdout.write(`${VERSION}\n`);
} else {
  const [{ outputGone }, { run }] = await Promise.all([import('./command.ts'), import('./run.ts')]);
  process.stdout.on('error', outputGone);
  const exitCode = await run(args);
  if (exitCode !== undefined) process.exit(exitCode);
}
