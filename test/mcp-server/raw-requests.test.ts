import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createMcpHandler, type McpHandlerOptions } from '../../src/mcp-server/index.ts';
import { listening } from '../../support/listening.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { unhandledRejections } from '../../support/unhandled-rejections.ts';

/** Requests that a client of this protocol never sends, but that anybody can send without a credential. */

function handlerOf(options: McpHandlerOptions = {}) {
  const sandbox = createSandbox({ rateLimit: false });
  const client = { baseUrl: 'https://service.example/v2', logger: false, fetch: sandbox.fetch } as const;
  const handler = createMcpHandler({ path: '/mcp', client, ...options });
  onTestFinished(() => handler.close());
  return { handler, sandbox };
}

/** The complete response to a request with this head. */
async function answerTo(port: number, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', chunk => {
    answer += chunk;
  });
  socket.write(`${head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
  return answer;
}

test.each([
  ['a host with a user', 'POST /mcp HTTP/1.1\r\nHost: x@localhost', '400'],
  ['a host with a user and a password', 'GET /mcp HTTP/1.1\r\nHost: x:y@localhost', '400'],
  ['a host with a user, for the metadata', 'GET /.well-known/oauth-protected-resource HTTP/1.1\r\nHost: @x@', '400'],
  ['a host that is none', 'POST /mcp HTTP/1.1\r\nHost: a b', '400'],
  ['a method that no request may have', 'TRACE /mcp HTTP/1.1\r\nHost: localhost', '400'],
  ['no host', 'POST /mcp HTTP/1.0', '401'],
  ['an empty host', 'POST /mcp HTTP/1.1\r\nHost: ', '403'],
  ['a question about the whole server', 'OPTIONS * HTTP/1.1\r\nHost: localhost', '400'],
  ['an address in place of a path', 'POST http://localhost/mcp HTTP/1.1\r\nHost: localhost', '401'],
  ['an address with a user', 'POST http://x@localhost/mcp HTTP/1.1\r\nHost: localhost', '400'],
  ['an address of a foreign host', 'POST http://evil.example/mcp HTTP/1.1\r\nHost: evil.example', '403'],
  ['an address of another scheme', 'POST about:blank HTTP/1.1\r\nHost: localhost', '400'],
  ['a path that looks like a host', 'POST //[ HTTP/1.1\r\nHost: localhost', '404'],
  ['a path of two slashes', 'POST // HTTP/1.1\r\nHost: localhost', '404'],
])('%s is refused without a request, and the next connection is served', async (_, head, status) => {
  const unhandled = unhandledRejections();
  const { handler, sandbox } = handlerOf();
  const port = await listening(handler.node);
  expect((await answerTo(port, head)).split(' ')[1]).toBe(status);
  expect(sandbox.requests).toEqual([]);
  expect((await fetch(`http://127.0.0.1:${port}/mcp`)).status).toBe(405);
  expect(await unhandled.settle()).toEqual([]);
});

test('a response that can no longer be sent resets its connection, and has no other effect', async () => {
  const unhandled = unhandledRejections();
  const { handler } = handlerOf();
  const port = await listening((request, response) => {
    // The program has already responded, for example after its own time limit.
    response.writeHead(503).write('late');
    handler.node(request, response);
  });
  expect(await answerTo(port, 'POST /mcp HTTP/1.1\r\nHost: localhost')).toContain('503');
  expect(await unhandled.settle()).toEqual([]);
});

test('a client that disconnects before the response does not affect other clients', async () => {
  const unhandled = unhandledRejections();
  const { handler } = handlerOf();
  let closed: Promise<unknown> | undefined;
  const port = await listening((request, response) => {
    closed ??= once(response, 'close').then(() => handler.node(request, response));
    if (response.destroyed) return;
    request.socket.destroy();
  });
  await answerTo(port, 'POST /mcp HTTP/1.1\r\nHost: localhost');
  await closed;
  expect(await unhandled.settle()).toEqual([]);
});
