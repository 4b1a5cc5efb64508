import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isHarmless } from '../../src/transport/response.ts';
import { clientFor, PARTY, rejection, withRequest } from '../../support/client.ts';
import { type Answer, type Handler, serve } from '../../support/server.ts';

const LIMIT = 100_000;
/** JSON that is small when it is compressed, but larger than the limit. */
const long = JSON.stringify({ ...PARTY, meta: { filler: ' '.repeat(10 * LIMIT) } });
const short = JSON.stringify(PARTY);
const type = { 'content-type': 'application/vnd.api+json' };

const inChunks =
  (text: string): Handler =>
  (_, response) => {
    response.writeHead(200, type);
    for (let at = 0; at < text.length; at += 10_000) response.write(text.slice(at, at + 10_000));
    response.end();
  };

describe('a response longer than maxResponseBytes causes a ResponseFormatError, and is not requested again', () => {
  test.each<[string, Answer | Handler]>([
    ['with its length', { headers: type, body: long }],
    ['in chunks', inChunks(long)],
    ['gzip', { headers: { ...type, 'content-encoding': 'gzip' }, body: gzipSync(long) }],
    ['brotli', { headers: { ...type, 'content-encoding': 'br' }, body: brotliCompressSync(long) }],
    ['deflated twice', { headers: { ...type, 'content-encoding': 'gzip, gzip' }, body: gzipSync(gzipSync(long)) }],
  ])('%s', async (_, answer) => {
    const server = await serve(answer);
    const error = await rejection(clientFor(server, { maxResponseBytes: LIMIT }).parties.get('1'));
    expect(error).toMatchObject({ name: 'ResponseFormatError', message: expect.stringContaining('maxResponseBytes') });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, Answer | Handler]>([
    ['with its length', { headers: type, body: short }],
    ['in chunks', inChunks(short)],
    ['gzip', { headers: { ...type, 'content-encoding': 'gzip' }, body: gzipSync(short) }],
    ['brotli', { headers: { ...type, 'content-encoding': 'br' }, body: brotliCompressSync(short) }],
    [
      'with characters of several bytes, split between chunks',
      inBytes(JSON.stringify({ ...PARTY, meta: { é: '😀'.repeat(9) } })),
    ],
  ])('but a shorter response is read: %s', async (_, answer) => {
    const server = await serve(answer);
    expect(await clientFor(server, { maxResponseBytes: LIMIT }).parties.get('1')).toMatchObject({ id: '1' });
  });
});

test('a Content-Length is not trusted if the body is chunked or compressed', () => {
  const answer = (headers: HeadersInit) => new Response(null, { headers: { 'content-length': '10', ...headers } });
  expect(isHarmless(answer({}), LIMIT)).toBe(true);
  expect(isHarmless(answer({ 'transfer-encoding': 'chunked' }), LIMIT)).toBe(false);
  expect(isHarmless(answer({ 'content-encoding': 'gzip' }), LIMIT)).toBe(false);
});

function inBytes(text: string): Handler {
  return async (_, response) => {
    response.writeHead(200, type);
    for (const byte of Buffer.from(text)) {
      response.write(Buffer.from([byte]));
      await new Promise(resolve => setImmediate(resolve));
    }
    response.end();
  };
}

test('exactly maxResponseBytes are read, and one more byte is refused', async () => {
  const server = await serve(inChunks(short));
  const bytes = Buffer.byteLength(short);
  expect(await clientFor(server, { maxResponseBytes: bytes }).parties.get('1')).toMatchObject({ id: '1' });
  const error = await rejection(clientFor(server, { maxResponseBytes: bytes - 1 }).parties.get('1'));
  expect(error).toMatchObject({ name: 'ResponseFormatError' });
});

test('a small brotli body that expands to 600 MB is read only up to the limit, and does not block the event loop', async () => {
  const bomb = brotliOf(600);
  expect(bomb.length).toBeLessThan(5000);
  const server = await serve({ headers: { ...type, 'content-encoding': 'br' }, body: bomb });
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 1);
  onTestFinished(() => clearInterval(turning));
  const before = process.memoryUsage().rss;
  const error = await rejection(clientFor(server).parties.get('1'));
  expect(error).toMatchObject({ name: 'ResponseFormatError' });
  expect(turns).toBeGreaterThan(3);
  expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
});

/** This number of megabytes of blanks, compressed with brotli. */
function brotliOf(megabytes: number): Buffer {
  return brotliCompressSync(Buffer.alloc(megabytes * 1_000_000, ' '), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
}

test('a Content-Length that does not match the sent bytes causes an error', async () => {
  const server = createServer(({ socket }) => {
    socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n${short}`);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
  const error = await rejection(clientFor({ baseUrl }, { retry: false }).parties.get('1'));
  expect(error).toMatchObject({ name: expect.stringMatching(/^(ResponseFormatError|ConnectionError)$/) });
});

test('the bytes of a custom fetch are counted even if its Content-Length is small', async () => {
  const fetch = withRequest(async () => new Response(long, { headers: { 'content-length': '10' } }));
  const client = clientFor({ baseUrl: 'https://host.example/v2' }, { fetch, maxResponseBytes: LIMIT });
  expect(await rejection(client.parties.get('1'))).toMatchObject({ name: 'ResponseFormatError' });
});

test('a body from asResponse() has no limit', async () => {
  const server = await serve(inChunks(long));
  const response = await clientFor(server, { maxResponseBytes: LIMIT }).parties.get('1').asResponse();
  expect((await response.text()).length).toBe(long.length);
});

test('a body that is too long leaves no open connection', async () => {
  let closed = 0;
  const server = await serve((_, response) => {
    response.on('close', () => {
      closed += 1;
    });
    response.writeHead(200, type).write(' '.repeat(2 * LIMIT));
  });
  await rejection(clientFor(server, { maxResponseBytes: LIMIT }).parties.get('1'));
  await expect.poll(() => closed, { interval: 5 }).toBe(1);
});

test.each([0, -1, 1.5, Number.NaN, '1000'])('maxResponseBytes %s is refused', async value => {
  const baseUrl = 'https://host.example/v2';
  expect(() => clientFor({ baseUrl }, { maxResponseBytes: value as number })).toThrow(/maxResponseBytes/);
});
