#!/usr/bin/env node
import { outputGone } from './command.ts';
import { run } from './run.ts';

process.stdout.on('error', outputGone);
// Without a reader of messages the work goes on.
process.stderr.on('error', () => {});

const exitCode = await run(process.argv.slice(2));
if (exitCode !== undefined) process.exit(exitCode);
