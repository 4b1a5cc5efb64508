import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ClientOptions, Fetch } from '../../src/index.ts';
import { clientFor, rejection } from '../../support/client.ts';

/** Receives the errors that would end the process. */
const uncaught = vi.fn();

beforeEach(() => {
  uncaught.mockClear();
  process.on('uncaughtException', uncaught);
  onTestFinished(async () => {
    // Node throws the exception of a signal listener in the next turn of the event loop.
    await new Promise(resolve => setImmediate(resolve));
    process.off('uncaughtException', uncaught);
    expect(uncaught).not.toHaveBeenCalled();
  });
});

const SLOT = {
  signed_id: 'signed',
  direct_upload: { url: 'https://storage.example/slot?sig=s3cret', headers: { 'x-storage-own': 'yes' } },
};

/** A response of a fetch package for Node: `body` is not a web stream. */
function responseWith(body: Readable | null, status = 200): Response {
  const { ok, headers } = new Response(null, { status });
  return { status, ok, headers, body } as unknown as Response;
}

/** A normal service, and a storage with this response. */
function clientWith(respond: () => Response | Promise<Response>, options: ClientOptions = {}) {
  const fetch: Fetch = async (input, init) => {
    const { pathname, host } = new URL(input instanceof Request ? input.url : String(input));
    if (host === 'storage.example') {
      if (init?.body) await new Response(init.body).arrayBuffer();
      return respond();
    }
    if (pathname.endsWith('/download_url')) return Response.json({ download_url: 'https://storage.example/file' });
    if (pathname.endsWith('/direct_uploads')) return Response.json(SLOT);
    return Response.json({ data: { type: 'document', id: 'd1', attributes: { name: 'a.pdf' } } }, { status: 201 });
  };
  return clientFor({ baseUrl: 'https://api.example/v2' }, { fetch, retry: false, ...options });
}

const stalled = () => new Readable({ read() {} });
const piecesOf = (text: string) => Readable.from(Array.from(text, letter => Buffer.from(letter)));

describe('a download whose body is a stream of Node', () => {
  test('returns its bytes', async () => {
    const body = piecesOf('the bytes');
    const stream = await clientWith(() => responseWith(body)).documents.download('d1');
    expect(await new Response(stream).text()).toBe('the bytes');
    expect(body.destroyed).toBe(true);
  });

  test('is empty if the response has no body', async () => {
    const stream = await clientWith(() => responseWith(null)).documents.download('d1');
    expect(await new Response(stream).text()).toBe('');
  });

  test('rejects with a NotFoundError if the storage does not have the file', async () => {
    const client = clientWith(() => responseWith(piecesOf('<Error/>'), 404));
    expect(await rejection(client.documents.download('d1'))).toMatchObject({ name: 'NotFoundError', status: 404 });
  });

  test('is ended by an abort, before and during the reading', async () => {
    for (const isRead of [true, false]) {
      const [body, controller] = [stalled(), new AbortController()];
      const { signal } = controller;
      const stream = await clientWith(() => responseWith(body)).documents.download('d1', { signal });
      const reading = isRead ? rejection(stream.getReader().read()) : undefined;
      controller.abort('stop');
      expect(await (reading ?? rejection(stream.getReader().read()))).toBe('stop');
      expect(body.destroyed).toBe(true);
    }
  });

  test('can be ended by its reader', async () => {
    const body = stalled();
    const stream = await clientWith(() => responseWith(body)).documents.download('d1');
    await stream.cancel();
    expect(body.destroyed).toBe(true);
  });

  test('is complete over a socket, and an abort closes the connection', async () => {
    const bytes = Buffer.alloc(3_000_000, 'x');
    const server = createServer((request, response) => {
      response.write(bytes);
      if (request.url === '/whole') response.end();
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const download = (path: string, signal?: AbortSignal) =>
      clientWith(async () => {
        const [incoming] = (await once(get({ port, path, agent: false }), 'response')) as [IncomingMessage];
        return responseWith(incoming, incoming.statusCode);
      }).documents.download('d1', { signal });

    expect(Buffer.from(await new Response(await download('/whole')).arrayBuffer()).equals(bytes)).toBe(true);
    const controller = new AbortController();
    const reader = (await download('/endless', controller.signal)).getReader();
    await reader.read();
    const connections = () => new Promise(resolve => server.getConnections((_, count) => resolve(count)));
    controller.abort('stop');
    expect(await rejection(reader.read())).toBe('stop');
    await expect.poll(connections, { interval: 1 }).toBe(0);
  });

  test('makes the reader reject with a ConnectionError if the stream breaks before it is read', async () => {
    const body = stalled();
    const stream = await clientWith(() => responseWith(body)).documents.download('d1');
    body.destroy(new Error('stream broke'));
    await new Promise(resolve => body.once('close', resolve));
    expect(await rejection(stream.getReader().read())).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(/stream broke$/),
    });
  });
});

describe('an upload whose response is a stream of Node', () => {
  const file = new Blob(['the bytes']);

  test('creates the document', async () => {
    const body = piecesOf('');
    const client = clientWith(() => responseWith(body));
    expect(await client.documents.upload({ file, filename: 'a.pdf' })).toMatchObject({ id: 'd1' });
    expect(body.destroyed).toBe(true);
  });

  test('is refused with the status of the storage', async () => {
    const client = clientWith(() => responseWith(piecesOf('<Error/>'), 404));
    expect(await rejection(client.documents.upload({ file, filename: 'a.pdf' }))).toMatchObject({
      name: 'UploadError',
      stage: 'put',
      cause: { name: 'NotFoundError', status: 404 },
    });
  });

  test.each([200, 404])('is ended by an abort while the body is read (status %i)', async status => {
    const [body, controller] = [stalled(), new AbortController()];
    const client = clientWith(() => responseWith(body, status));
    const upload = rejection(client.documents.upload({ file, filename: 'a.pdf', signal: controller.signal }));
    // The body is being read now.
    await vi.waitUntil(() => body.listenerCount('readable') > 0, { interval: 1 });
    controller.abort('stop');
    expect(await upload).toBe('stop');
    expect(body.destroyed).toBe(true);
  });
});
