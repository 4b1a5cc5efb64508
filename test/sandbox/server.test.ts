import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer } from '../../support/sandbox.ts';
import { unhandledRejections } from '../../support/unhandled-rejections.ts';

const headers = { authorization: 'Token sandbox' };

let server: SandboxServer | undefined;

afterEach(async () => {
  await server?.close();
});

async function serve(sandbox: Sandbox): Promise<string> {
  server = await sandbox.listen();
  return server.baseUrl;
}

test('the server responds on the loopback interface, and links have its address', async () => {
  const baseUrl = await serve(createSandbox());
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2$/);
  const response = await fetch(`${baseUrl}/shipments?page[size]=2`, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/vnd.api+json');
  expect(await response.json()).toMatchObject({ links: { self: `${baseUrl}/shipments?page[size]=2` } });
});

test('request bodies arrive complete, and a response may have no body', async () => {
  const baseUrl = await serve(createSandbox());
  const webhook = { url: 'https://hooks.example', active: true, events: ['container.updated'] };
  const created = await fetch(`${baseUrl}/webhooks`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'webhook', attributes: webhook } }),
  });
  expect(created.status).toBe(201);
  const { data } = (await created.json()) as { data: { id: string } };
  const deleted = await fetch(`${baseUrl}/webhooks/${data.id}`, { method: 'DELETE', headers });
  expect([deleted.status, await deleted.text()]).toEqual([200, '']);
});

test('a fault that drops connections resets a connection before the response, or in the middle of the response', async () => {
  const sandbox = createSandbox({ faults: [{ drop: 'before' }, { drop: 'mid-body' }] });
  const baseUrl = await serve(sandbox);
  await expect(fetch(`${baseUrl}/shipping_lines`, { headers })).rejects.toThrow();
  const response = await fetch(`${baseUrl}/shipping_lines`, { headers });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  expect((await fetch(`${baseUrl}/shipping_lines`, { headers })).status).toBe(200);
});

test('close() ends open connections and frees the port', async () => {
  const sandbox = createSandbox({ latency: 60_000 });
  const baseUrl = await serve(sandbox);
  const pending = expect(fetch(`${baseUrl}/parties`, { headers })).rejects.toThrow();
  while (sandbox.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
  await server?.close();
  await pending;
  server = await sandbox.listen({ port: Number(new URL(baseUrl).port) });
  expect(server.baseUrl).toBe(baseUrl);
});

test('a request without a Host header does not stop the server', async () => {
  const baseUrl = await serve(createSandbox());
  const { port } = new URL(baseUrl);
  await new Promise<void>(resolve => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.end('GET /v2/shipments HTTP/1.0\r\n\r\n'));
    socket.resume().on('close', () => resolve());
  });
  expect((await fetch(`${baseUrl}/parties`, { headers })).status).toBe(200);
});

test.each([
  ['a host with a user', 'GET /v2/shipments HTTP/1.1\r\nHost: x@localhost'],
  ['a host that is none', 'GET /v2/shipments HTTP/1.1\r\nHost: a b'],
  ['a method that no request may have', 'TRACE /v2/shipments HTTP/1.1\r\nHost: localhost'],
  ['two slashes', 'GET // HTTP/1.1\r\nHost: localhost'],
  ['an address in place of a path', 'GET http://x@y/ HTTP/1.1\r\nHost: localhost'],
  ['a question about the whole server', 'OPTIONS * HTTP/1.1\r\nHost: localhost'],
])('a request with %s does not stop the server', async (_, head) => {
  const unhandled = unhandledRejections();
  const baseUrl = await serve(createSandbox());
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.resume().write(`${head}\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
  expect((await fetch(`${baseUrl}/shipments`, { headers })).status).toBe(200);
  expect(await unhandled.settle()).toEqual([]);
});

test('500 requests to a sandbox with 2,000 shipments all get a response', async () => {
  const sandbox = createSandbox({ rateLimit: false });
  sandbox.seedShipments(2000);
  const baseUrl = await serve(sandbox);
  for (let batch = 0; batch < 20; batch++) {
    const requests = Array.from({ length: 25 }, () => fetch(`${baseUrl}/containers?page[size]=2`, { headers }));
    for (const response of await Promise.all(requests)) expect((await response.json()).data).toHaveLength(2);
  }
});
