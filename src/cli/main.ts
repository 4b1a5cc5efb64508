#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { ConfigurationError } from '../errors.ts';
import { createSandbox, type SandboxOptions, type SandboxServer } from '../sandbox/index.ts';
import { VERSION } from '../version.ts';

const HELP = `container-tracking ${VERSION}

  container-tracking sandbox [--port 4010] [--seed 1] [--speed 1]
      Serves an emulation of the tracking service on this machine.

      --port   the port; 0 stands for any free port
      --seed   a whole number; it decides ids, names and voyages
      --speed  how many times faster than real time the service's clock runs
`;

const { positionals, values } = readArguments();

const [command, ...rest] = positionals;
if (values.version) console.log(VERSION);
else if (values.help || command === undefined) console.log(HELP);
else if (command !== 'sandbox') fail(`There is no command ${command}.`);
else if (rest.length > 0) fail(`The command sandbox takes no argument ${rest[0]}.`);
else void serveSandbox();

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
  const server = await serve(port, { seed, speed, now: new Date() });
  console.log(`Sandbox at ${server.baseUrl}\n`);
  console.log(`  export TRACKING_BASE_URL=${server.baseUrl} TRACKING_API_KEY=sandbox\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)));
  }
}

async function serve(port: number, options: SandboxOptions): Promise<SandboxServer> {
  try {
    return await createSandbox(options).listen({ port });
  } catch (error) {
    const { message } = error as Error;
    return fail(error instanceof ConfigurationError ? message : `Port ${port} cannot be used: ${message}`);
  }
}

function number(name: 'port' | 'seed' | 'speed'): number {
  const value = Number(values[name]);
  if (values[name].trim() === '' || !(value >= 0)) {
    fail(`--${name} must be a number of at least 0, not ${values[name]}.`);
  }
  return value;
}

function fail(message: string): never {
  console.error(`${message}\n\n${HELP}`);
  process.exit(2);
}
