/**
 * Calls every operation at Prism, which serves docs/service/openapi.json. Prism checks each request, and the client reads its
 * responses with `validation: 'strict'`. The calls are made with the examples of the document, and then with several sets of
 * invented values.
 *
 * node conformance/run-prism.ts
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ResponseFormatError, TrackingClient } from '../src/index.ts';
import { calls } from '../support/service/calls.ts';
import { openWorld } from '../support/service/run.ts';

const DOCUMENT = resolve(import.meta.dirname, '../docs/service/openapi.json');
const PRISM = resolve(import.meta.dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');

/** Operations that are not in the document. */
const ELSEWHERE: Record<string, string> = { 'directUploads.put': 'goes to the storage' };

/**
 * Operations for which Prism invents a response that no service would send. `message` is a part of the error that
 * follows. Prism never sends some related records; these are only logged.
 */
const INVENTED: Record<string, { message: string; reason: string }> = {
  search: {
    message: ' type: expected search_result or shipment or cargo or tracking_request, received another type',
    reason: 'the document allows any text as the type of a search hit, and Prism invents one',
  },
  'webhookNotifications.examples': {
    message: "TypeError: Cannot read properties of undefined (reading 'items')",
    reason: 'the value generator of Prism fails for an empty object below `anyOf`',
  },
};

/** The values of the header `prefer`: the examples of the document, and sets of invented values. */
const ANSWERS = ['dynamic=false', ...[1, 2, 3, 4, 5].map(seed => `dynamic=true,seed=${seed}`)];

const called = Object.entries(calls).filter(([name]) => !(name in ELSEWHERE));
const complaints: string[] = [];
const unused = new Set(Object.keys(INVENTED));
const { world, close } = await openWorld();
const prism = await start();
try {
  for (const prefer of ANSWERS) {
    const { client, violations } = clientOf(prism.origin, prefer);
    for (const [name, call] of called) {
      violations.length = 0;
      const [outcome] = await Promise.allSettled([call(client, world)]);
      complaints.push(...violations.map(message => `${name} (${prefer}): ${message}`));
      if (outcome.status === 'fulfilled') continue;
      for (const message of messagesOf(outcome.reason)) {
        const invented = INVENTED[name];
        if (invented && message.includes(invented.message)) unused.delete(name);
        else complaints.push(`${name} (${prefer}): ${message}`);
      }
    }
    // The check proves something only if Prism reports a wrong request.
    violations.length = 0;
    await client.request({ method: 'GET', path: '/documents', query: { sort: 'nothing' } }).then(undefined, () => {});
    if (violations.length === 0) complaints.push('Prism has not noticed a wrong parameter.');
  }
} finally {
  prism.stop();
  await close();
}
for (const name of unused) complaints.push(`${name} is not an exception: all of its responses pass.`);
for (const complaint of complaints) console.error(complaint);
console.log(
  `Prism: ${called.length} operations called ${ANSWERS.length} times, ${complaints.length} complaints; ` +
    `for ${Object.keys(INVENTED).length} operations Prism cannot invent a valid response.`,
);
process.exitCode = complaints.length === 0 ? 0 : 1;

/** A client of Prism, and the list of Prism's complaints about its requests. */
function clientOf(origin: string, prefer: string) {
  const violations: string[] = [];
  const client = new TrackingClient({
    baseUrl: `${origin}/v2`,
    apiKey: 'key',
    rateLimit: false,
    retry: false,
    validation: 'strict',
    logger: false,
    headers: { prefer },
    async fetch(input, init) {
      // Prism serves the paths of the document without the prefix.
      const response = await fetch(String(input).replace(`${origin}/v2`, origin), init);
      violations.push(...requestViolations(response.headers.get('sl-violations') ?? ''));
      return response;
    },
  });
  return { client, violations };
}

/** The mismatches in a response that does not match the schemas. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof ResponseFormatError) || error.mismatches.length === 0) return [String(error)];
  const mismatches = error.mismatches as { resourceType: string; path: string; message: string }[];
  return mismatches.map(({ resourceType, path, message }) => `${resourceType} ${path}: ${message}`);
}

/**
 * The violations in a header of Prism. The header also lists the faults of the response, and is cut off if the list is
 * long.
 */
function requestViolations(header: string): string[] {
  const found = header.matchAll(/\{"location":\["request".*?"message":"((?:[^"\\]|\\.)*)"/g);
  return Array.from(found, ([, message = '']) => message);
}

async function start(): Promise<{ origin: string; stop: () => void }> {
  const port = await freePort();
  const args = [PRISM, 'mock', '--host', '127.0.0.1', '--port', String(port), DOCUMENT];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let isListening = false;
  for await (const line of createInterface(child.stdout)) {
    isListening = line.includes('is listening');
    if (isListening) break;
  }
  if (!isListening) throw new Error(`Prism cannot serve ${DOCUMENT}.`);
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
