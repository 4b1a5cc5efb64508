#!/usr/bin/env node
import { outputGone } from './command.ts';
import { run } from './run.ts';

process.stdout.on('error', outputGone);
// If nobody reads stderr any more, the command continues.
process.stderr.on('error', () => {});

const exitCode = await run(process.argv.slice(2));
if (exitCode !== undefined) process.exit(exitCode);
