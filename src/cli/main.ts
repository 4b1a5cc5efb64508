#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { createSandbox } from '../sandbox/index.ts';
import { VERSION } from '../version.ts';

const HELP = `container-tracking ${VERSION}

  container-tracking sandbox [--port 4010] [--seed 1] [--speed 1]
      Serves an emulation of the tracking service on this machine.

      --port   port to listen on; 0 for any free one
      --seed   number that decides ids, names and voyages
      --speed  how many times faster than real time the voyages go
`;

const { positionals, values } = readArguments();

const [command] = positionals;
if (values.version) console.log(VERSION);
else if (values.help || command === undefined) console.log(HELP);
else if (command === 'sandbox') void serveSandbox();
else fail(`There is no command ${command}.`);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        port: { type: 'string', default: '4010' },
        seed: { type: 'string', default: '1' },
        speed: { type: 'string', default: '1' },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail((error as Error).message);
  }
}

async function serveSandbox(): Promise<void> {
  const [port, seed, speed] = [number('port'), number('seed'), number('speed')];
  const sandbox = createSandbox({ seed, speed, now: new Date() });
  const server = await sandbox.listen({ port }).catch(error => fail(`Port ${port} cannot be used: ${error.message}`));
  console.log(`Sandbox at ${server.baseUrl}\n`);
  console.log(`  export TRACKING_BASE_URL=${server.baseUrl} TRACKING_API_KEY=sandbox\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)));
  }
}

function number(name: 'port' | 'seed' | 'speed'): number {
  const value = Number(values[name]);
  if (values[name].trim() === '' || !(value >= 0))
    fail(`--${name} must be a number of at least 0, not ${values[name]}.`);
  return value;
}

function fail(message: string): never {
  console.error(`${message}\n\n${HELP}`);
  process.exit(2);
}
