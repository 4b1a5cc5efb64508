import { describe, expect, test } from 'vitest';
import { NotFoundError } from '../../src/index.ts';
import { rejection } from '../../support/client.ts';
import { gate } from '../../support/gate.ts';
import { connected, INITIALIZED, person, servedSandbox, signedIn } from '../../support/mcp.ts';
import { type ReceivedRequest, startServer } from '../../support/server.ts';

const SESSION = 'mcp-session-id';

/** A server of the revision with sessions. It forgets the sessions in `lost`. */
async function withSessions({
  refusal = {} as object,
  onSlow = () => {},
  onCancelled = () => {},
  onOpened = (_: number): unknown => 0,
} = {}) {
  let opened = 0;
  const lost = new Set<unknown>();
  const server = await startServer((request, response) => {
    if (request.method === 'GET') return response.writeHead(405).end();
    if (request.method === 'DELETE') return response.writeHead(204).end();
    const { id, method } = JSON.parse(request.body);
    if (method === 'server/discover') return response.writeHead(404).end('{}');
    const json = (result: object) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    if (method === 'initialize') {
      opened += 1;
      onOpened(opened);
      response.setHeader(SESSION, `s-${opened}`);
      return json(INITIALIZED);
    }
    if (lost.has(request.headers[SESSION])) return response.writeHead(404).end(JSON.stringify(refusal));
    if (method === 'notifications/cancelled') onCancelled();
    if (id === undefined) return response.writeHead(202).end();
    if (request.body.includes('"slow"')) return onSlow();
    return json(method === 'tools/list' ? { tools: [] } : { content: [], structuredContent: { a: 1 } });
  });
  const mcp = await connected({ mcpUrl: `${server.origin}/mcp` }, { retry: false });
  const sent = (method: string) => server.requests.filter(({ body }) => body.includes(`"${method}"`));
  return { server, mcp, lost, sent };
}

const sessionOf = ({ headers }: ReceivedRequest) => headers[SESSION];

describe('a lost session', () => {
  test.each([
    ['without an error of the protocol', {}],
    [
      'with an error of the protocol',
      { refusal: { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } } },
    ],
  ])('is replaced once for all calls, which are repeated: %s', async (_, options) => {
    const { mcp, lost, sent } = await withSessions(options);
    await mcp.listTools();
    lost.add('s-1');
    const calls = [mcp.listTools(), mcp.call('write_something'), mcp.listTools()];
    expect(await Promise.all(calls)).toMatchObject([[], { result: { a: 1 } }, []]);
    expect(sent('initialize')).toHaveLength(2);
    expect(sent('write_something').map(sessionOf)).toEqual(['s-1', 's-2']);
  });

  test('is replaced for all calls, even if the first call is aborted meanwhile', async () => {
    const controller = new AbortController();
    const { mcp, lost } = await withSessions({ onOpened: opened => opened === 2 && controller.abort() });
    lost.add('s-1');
    const [aborted, other] = [mcp.listTools({ signal: controller.signal }), mcp.listTools()];
    expect(await rejection(aborted)).toMatchObject({ name: 'AbortError' });
    expect(await other).toEqual([]);
  });

  test('rejects its calls if the new session is lost too, and a later call opens a third session', async () => {
    const { mcp, lost } = await withSessions();
    lost.add('s-1').add('s-2');
    expect(await rejection(mcp.listTools())).toBeInstanceOf(NotFoundError);
    expect(await mcp.listTools()).toEqual([]);
  });
});

test('close() deletes the session', async () => {
  const { mcp, server } = await withSessions();
  await mcp.close();
  const deleted = server.requests.filter(({ method }) => method === 'DELETE');
  expect(deleted.map(sessionOf)).toEqual(['s-1']);
  await mcp.close();
  expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('an abort is reported to the server', async () => {
  const cancelled = gate();
  const controller = new AbortController();
  const { mcp } = await withSessions({ onSlow: () => controller.abort(), onCancelled: cancelled.open });
  expect(await rejection(mcp.call('slow', {}, { signal: controller.signal }))).toMatchObject({ name: 'AbortError' });
  await cancelled.opened;
});

test('close() ends the session without a sign-in, even if the token has expired', async () => {
  const { sandbox, server } = await servedSandbox();
  let pages = 0;
  let isExpired = false;
  const methods: string[] = [];
  const fetching: typeof fetch = async (url, init) => {
    const message = String(init?.body);
    if (init?.method === 'DELETE') {
      methods.push('DELETE');
      return new Response(null, { status: 401 });
    }
    if (message.includes('server/discover')) return new Response('{}', { status: 404 });
    const response = await fetch(url, init);
    if (!message.includes('"initialize"')) return response;
    const headers = new Headers(response.headers);
    headers.set(SESSION, 's-1');
    return new Response(response.body, { status: response.status, headers });
  };
  const openBrowser = (url: URL) => {
    pages += 1;
    return isExpired ? undefined : person()(url);
  };
  const mcp = await signedIn(server, { openBrowser }, { fetch: fetching });
  isExpired = true;
  sandbox.advance({ days: 400 });
  await mcp.close();
  expect(methods).toEqual(['DELETE']);
  expect(pages).toBe(1);
});
