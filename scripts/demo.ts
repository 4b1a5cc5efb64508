/**
 * Runs the example of the main task, with the service of TRACKING_BASE_URL and TRACKING_API_KEY. Without these variables it
 * starts a sandbox, and then also shows the notifications of the next events. Arguments are passed to the example.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSandbox, type Sandbox } from 'container-tracking-sdk/sandbox';

const EXAMPLES = resolve(import.meta.dirname, '../examples');
const SAMPLE = ['--number', 'COSU241167638', '--scac', 'COSU'];

const args = process.argv.slice(2);
const { number } = parseArgs({ args, strict: false, options: { number: { type: 'string' } } }).values;
const isReal = Boolean(process.env.TRACKING_BASE_URL && process.env.TRACKING_API_KEY);
if (isReal && !String(number ?? '').trim()) {
  console.error(`TRACKING_BASE_URL and TRACKING_API_KEY are set, so this calls the real service.
Pass a number to track there, for example:

  npm run demo -- --number MAEU123456789 --scac MAEU

Unset them to see a sample shipment in the sandbox.`);
  process.exitCode = 2;
} else if (isReal) {
  process.exitCode = await track(args, process.env);
} else {
  const sandbox = createSandbox({ now: new Date(), speed: 4 });
  const server = await sandbox.listen({ port: 0 });
  console.log(`No TRACKING_BASE_URL and TRACKING_API_KEY: using the sandbox at ${server.baseUrl}\n`);
  const environment = { ...process.env, TRACKING_BASE_URL: server.baseUrl, TRACKING_API_KEY: 'sandbox' };
  process.exitCode = await track(args.length > 0 ? args : SAMPLE, environment);
  if (!(await showNotifications(sandbox, environment))) process.exitCode = 1;
  await server.close();
}

async function track(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const example = spawn(process.execPath, [`${EXAMPLES}/track-a-shipment.ts`, ...args], { stdio: 'inherit', env });
  const [code] = await once(example, 'exit');
  return code ?? 1;
}

/** Lets time pass until a webhook has reported a few events. False if the webhook has reported no event. */
async function showNotifications(sandbox: Sandbox, env: NodeJS.ProcessEnv): Promise<boolean> {
  console.log('\nTime passes in the sandbox, and a webhook reports it.');
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  const receiver = await startReceiver(env, join(folder, 'inbox.db'));
  for (let step = 0; step < 60 && receiver.lines < 6; step++) {
    sandbox.advance({ hours: 6 });
    await sandbox.flush();
    await sleep(100);
  }
  await receiver.stop();
  rmSync(folder, { recursive: true });
  // The first line is the address.
  return receiver.lines > 1;
}

async function startReceiver(
  env: NodeJS.ProcessEnv,
  inbox: string,
): Promise<{ lines: number; stop(): Promise<unknown> }> {
  const args = ['--disable-warning=ExperimentalWarning', `${EXAMPLES}/webhook-receiver.ts`, '--inbox', inbox];
  const child = spawn(process.execPath, [...args, '--port', await freePort()], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const exited = once(child, 'exit');
  const receiver = {
    lines: 0,
    stop() {
      child.kill();
      return exited;
    },
  };
  const output = createInterface(child.stdout).on('line', line => {
    console.log(line);
    receiver.lines += 1;
  });
  await Promise.race([once(output, 'line'), exited]);
  return receiver;
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' ? address?.port : address);
}
