/**
 * Calls every operation once at Prism, which makes a server of docs/service/openapi.json: it looks at each request, and its
 * answers are read under `validation: 'strict'`. Once with the examples of the document, once with values that it makes up.
 *
 * node conformance/run-prism.ts
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { TrackingClient } from '../src/index.ts';
import { calls } from '../support/service/calls.ts';
import { openWorld } from '../support/service/run.ts';

const DOCUMENT = resolve(import.meta.dirname, '../docs/service/openapi.json');
const PRISM = resolve(import.meta.dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');

/** Operations whose answers Prism invents as no service would. Related records that it never sends are only logged. */
const INVENTED: Record<string, { mode: string; reason: string }> = {
  'containers.mapGeojson': { mode: 'static', reason: 'it cannot make pairs (`prefixItems`), such as coordinates' },
  search: { mode: 'dynamic', reason: 'it makes up types of records' },
};

/** Operations that Prism never sees. */
const ELSEWHERE: Record<string, string> = { 'directUploads.put': 'goes to the storage' };

const MODES = { static: [], dynamic: ['--dynamic', '--seed', 'container'] };

const open = await openWorld();
const failures: string[] = [];
try {
  for (const [mode, flags] of Object.entries(MODES)) failures.push(...(await complaintsOf(mode, flags)));
} finally {
  await open.close();
}
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

async function complaintsOf(mode: string, flags: string[]): Promise<string[]> {
  const prism = await start(flags);
  const violations: string[] = [];
  const client = new TrackingClient({
    baseUrl: `${prism.origin}/v2`,
    apiKey: 'key',
    rateLimit: false,
    retry: false,
    validation: 'strict',
    logger: false,
    async fetch(input, init) {
      // Prism serves the paths of the document without the prefix.
      const response = await fetch(String(input).replace(`${prism.origin}/v2`, prism.origin), init);
      violations.push(...requestViolations(response.headers.get('sl-violations')));
      return response;
    },
  });
  const complaints: string[] = [];
  try {
    for (const [name, call] of Object.entries(calls)) {
      if (name in ELSEWHERE) continue;
      violations.length = 0;
      const outcome = await Promise.allSettled([call(client, open.world)]);
      complaints.push(...violations.map(text => `${name}: ${text}`), ...answerComplaints(name, mode, outcome[0]));
    }
    // Prism is a judge only if it objects.
    violations.length = 0;
    await client.request({ method: 'GET', path: '/documents', query: { sort: 'nothing' } }).then(undefined, () => {});
    if (violations.length === 0) complaints.push('Prism has not noticed a wrong parameter.');
  } finally {
    prism.stop();
  }
  const count = Object.keys(calls).length - Object.keys(ELSEWHERE).length;
  console.log(`Prism, ${mode}: ${count} operations called, ${complaints.length} complaints.`);
  return complaints.map(text => `${mode}: ${text}`);
}

function answerComplaints(name: string, mode: string, outcome: PromiseSettledResult<unknown>): string[] {
  const isExpected = INVENTED[name]?.mode === mode;
  if (outcome.status === 'fulfilled') return isExpected ? [`${name} passes: it need not be an exception`] : [];
  return isExpected ? [] : [`${name}: ${outcome.reason}`];
}

interface Violation {
  location: string[];
  message: string;
}

/** The header lists what is wrong with the answer, too, and says so if that is too much to list. */
function requestViolations(header: string | null): string[] {
  const all: Violation[] = JSON.parse(header?.slice(header.indexOf('[')) ?? '[]');
  return all.filter(({ location }) => location[0] === 'request').map(({ message }) => message);
}

async function start(flags: string[]): Promise<{ origin: string; stop: () => void }> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [PRISM, 'mock', ...flags, '--host', '127.0.0.1', '--port', String(port), DOCUMENT],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const line of createInterface(child.stdout)) if (line.includes('is listening')) break;
  if (child.exitCode !== null) throw new Error(`Prism has ended with ${child.exitCode}.`);
  child.stdout.resume();
  return { origin: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
