import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { serverFor, surfaceOf } from '../src/mcp-server/create-server.ts';
import { serveCallers } from '../src/mcp-server/http/handler.ts';
import { checkHandlerOptions } from '../src/mcp-server/http/options.ts';
import { createSandbox } from '../src/sandbox/index.ts';
import { addFixtures } from './fixtures.ts';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const SUITE = resolve(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Runs the server scenarios of the official suite. Returns the failures. */
export async function checkWithSuite(): Promise<string[]> {
  const { url, close } = await serve();
  const failures: string[] = [];
  for (const revision of REVISIONS) {
    const baseline = resolve(import.meta.dirname, `expected-failures-${revision}.yml`);
    const args = [SUITE, 'server', '--url', url, '--requirements', revision, '--expected-failures', baseline];
    const { code, stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      error => ({ code: error.code, stdout: `${error.stdout}${error.stderr}` }),
    );
    const summary = stdout.slice(stdout.indexOf('=== SUMMARY ==='));
    console.log(`Conformance, ${revision}: ${/^Total: .*$/m.exec(summary)?.[0] ?? 'no total'}, exit code ${code}`);
    if (code !== 0) failures.push(`Conformance, ${revision}:\n${summary}`);
  }
  await close();
  return failures;
}

/**
 * Serves the tracking server with the fixtures of the suite. The suite cannot send a key, so this server adds the key.
 */
export async function serve(): Promise<{ url: string; close(): Promise<void> }> {
  const sandbox = createSandbox({ rateLimit: false });
  sandbox.seedShipments(3);
  const client = { baseUrl: 'https://service.example/v2', rateLimit: false, fetch: sandbox.fetch } as const;
  const settings = checkHandlerOptions({ client });
  const surface = surfaceOf(settings);
  const handler = serveCallers(settings, (caller, hangUp) => {
    const server = serverFor(caller, surface, hangUp);
    addFixtures(server);
    return server;
  });
  const http = createServer((request, response) => {
    request.headers.authorization ??= 'Token sandbox';
    handler.node(request, response);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      http.closeAllConnections();
      http.close();
      await handler.close();
    },
  };
}
