/**
 * Runs the example of the main job: against the service that TRACKING_BASE_URL and TRACKING_API_KEY name, or else against
 * a sandbox that is started for it. Arguments go to the example.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createSandbox } from 'container-tracking-sdk/sandbox';

const EXAMPLE = resolve(import.meta.dirname, '../examples/track-a-shipment.ts');
const SAMPLE = ['--number', 'COSU241167638', '--scac', 'COSU'];

const args = process.argv.slice(2);
if (process.env.TRACKING_BASE_URL && process.env.TRACKING_API_KEY) {
  process.exitCode = await run(args, {});
} else {
  const server = await createSandbox({ now: new Date(), speed: 4 }).listen({ port: 0 });
  console.log(`No TRACKING_BASE_URL and TRACKING_API_KEY: using the sandbox at ${server.baseUrl}\n`);
  const environment = { TRACKING_BASE_URL: server.baseUrl, TRACKING_API_KEY: 'sandbox' };
  process.exitCode = await run(args.length > 0 ? args : SAMPLE, environment);
  await server.close();
}

async function run(args: string[], environment: Record<string, string>): Promise<number> {
  const example = spawn(process.execPath, [EXAMPLE, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  const [code] = await once(example, 'exit');
  return code ?? 1;
}
