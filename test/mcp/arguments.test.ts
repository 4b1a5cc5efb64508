import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigurationError } from '../../src/index.ts';
import { connectMcp, fileTokenStore, type McpClient } from '../../src/mcp/index.ts';
import { rejection } from '../../support/client.ts';
import { connected, INITIALIZED, servedSandbox } from '../../support/mcp.ts';
import { startServer } from '../../support/server.ts';

/** The error of a call that the compiler would refuse, in the form of a log. */
async function refused(attempt: () => unknown): Promise<string> {
  const error = await rejection((async () => attempt())());
  expect(error, inspect(error)).toBeInstanceOf(ConfigurationError);
  return inspect(error, { depth: 9 });
}

const SECRET = 'k3y-Zq81-never-printed';
const PROGRAM = resolve(import.meta.dirname, 'stdio.worker.ts');
const url = 'https://host.example/mcp';

describe('connectMcp() describes an invalid option, and repeats no secret', () => {
  const stdio = (options: object) => ({ stdio: { command: 'no-such-program-7', ...options } });
  const oauth = (options: object) => ({ url, auth: { oauth: options } });

  test.each<[string, object, string]>([
    [
      'env with a variable that is not set',
      stdio({ env: { TRACKING_API_KEY: undefined } }),
      'stdio.env.TRACKING_API_KEY is undefined',
    ],
    ['env with a number', stdio({ env: { PORT: 8080 } }), 'stdio.env.PORT is of type number'],
    ['env as a text', stdio({ env: `TRACKING_API_KEY=${SECRET}` }), 'stdio.env'],
    ['env as null', stdio({ env: null }), 'stdio.env'],
    ['args as a text', stdio({ args: `mcp --key ${SECRET}` }), 'stdio.args'],
    ['args with a number', stdio({ args: ['--port', 8080, SECRET] }), 'stdio.args'],
    ['an invalid cwd', stdio({ cwd: 5 }), 'stdio.cwd'],
    ['an invalid stderr', stdio({ stderr: 'pipe' }), 'stdio.stderr'],
    ['a redirect path that is not a text', oauth({ redirect: { path: 5 } }), 'auth.oauth.redirect'],
    ['a redirect path with a query', oauth({ redirect: { path: '/callback?a=1' } }), 'auth.oauth.redirect'],
    ['a redirect path that a browser cannot return to', oauth({ redirect: { path: '//' } }), 'auth.oauth.redirect'],
    ['a client without an id', oauth({ client: {} }), 'auth.oauth.client.id'],
    ['a client with a blank id', oauth({ client: { id: ' ' } }), 'auth.oauth.client.id'],
    ['a client whose secret is not set', oauth({ client: { id: 'a', secret: null } }), 'auth.oauth.client.secret'],
    ['a scope that is not a text', oauth({ scope: ['a', 'b'] }), 'auth.oauth.scope'],
    ['a name that is not a text', oauth({ clientName: 5 }), 'auth.oauth.clientName'],
    ['a document that is not an address', oauth({ clientMetadataUrl: 'client.json' }), 'auth.oauth.clientMetadataUrl'],
    ['oauth as null', { url, auth: { oauth: null } }, 'exactly one'],
    ['a key as null', { url, auth: { apiKey: null } }, 'exactly one'],
    ['clientInfo as null', { url, auth: { apiKey: 'k' }, clientInfo: null }, 'clientInfo'],
    ['clientInfo without a version', { url, auth: { apiKey: 'k' }, clientInfo: { name: 'a' } }, 'clientInfo.version'],
  ])('%s', async (_, options, said) => {
    const text = await refused(() => connectMcp(options as never));
    expect(text).toContain(said);
    expect(text).not.toContain(SECRET);
  });
});

test('fileTokenStore() requires a path', async () => {
  const make = fileTokenStore as (options?: unknown) => unknown;
  for (const options of [undefined, null, 'tokens.json', {}, { path: '' }, { path: 'a', mode: 1 }]) {
    expect(await refused(() => make(options))).toContain('fileTokenStore()');
  }
});

describe('a call describes an invalid limit before it sends a request', () => {
  const limits = [{ timeout: '5s' }, { deadline: '5s' }, { timeout: 0 }, { deadline: -1 }, { timeout: Number.NaN }];

  async function refuses(mcp: McpClient) {
    for (const options of limits) {
      const [[name]] = Object.entries(options) as [[string, unknown]];
      expect(await refused(() => mcp.listTools(options as never))).toContain(`${name} is `);
      expect(await refused(() => mcp.getShipmentDetails({ id: '1' }, options as never))).toContain('milliseconds');
    }
  }

  test('over HTTP', async () => {
    const { sandbox, server } = await servedSandbox();
    const mcp = await connected(server);
    const { length } = sandbox.requests;
    await refuses(mcp);
    expect(sandbox.requests).toHaveLength(length);
  });

  test('to a program', async () => {
    const mcp = await connectMcp({
      stdio: { command: process.execPath, args: [PROGRAM], env: { TRACKING_API_KEY: SECRET } },
    });
    onTestFinished(() => mcp.close());
    await refuses(mcp);
  });
});

describe('getPrompt()', () => {
  test('accepts null instead of arguments', async () => {
    const server = await startServer((request, response) => {
      const { id, method } = JSON.parse(request.body || '{}');
      if (method === 'server/discover') return response.writeHead(404).end('{}');
      if (id === undefined) return response.writeHead(202).end();
      const result = method === 'initialize' ? INITIALIZED : { messages: [] };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` });
    for (const args of [null, undefined, {}]) {
      expect(await mcp.getPrompt('of-this-server', args as never)).toEqual({ messages: [] });
      expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toMatchObject({
        params: { name: 'of-this-server', arguments: {} },
      });
    }
  });

  test('refuses invalid names and invalid arguments', async () => {
    const { sandbox, server } = await servedSandbox();
    const mcp = await connected(server);
    const { length } = sandbox.requests;
    for (const name of [undefined, null, '', 5]) {
      expect(await refused(() => mcp.getPrompt(name as never))).toContain('name of the prompt');
    }
    for (const args of ['id', 5, ['id'], new Map()]) {
      expect(await refused(() => mcp.getPrompt('check-demurrage', args as never))).toContain('check-demurrage');
    }
    expect(sandbox.requests).toHaveLength(length);
  });
});
