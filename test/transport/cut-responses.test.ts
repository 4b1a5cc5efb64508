import { expect, test } from 'vitest';
import type { ConnectionError, ResponseFormatError } from '../../src/index.ts';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { type Handler, serve } from '../../support/server.ts';

const JSON_TYPE = { 'content-type': 'application/vnd.api+json' };
const WHOLE = JSON.stringify(PARTY);

/** Sends the headers and half of the body, then breaks the connection. */
const cut =
  (headers: Record<string, string | number>, status = 200): Handler =>
  (_, response) => {
    response.writeHead(status, { ...JSON_TYPE, ...headers });
    response.write(WHOLE.slice(0, WHOLE.length / 2), () => response.socket?.destroy());
  };

const KINDS: [string, Record<string, string | number>][] = [
  ['with a length', { 'content-length': WHOLE.length }],
  ['in chunks', {}],
];

test.each(KINDS)('a response %s that is cut off is not reported as a missing response', async (_, headers) => {
  const server = await serve(cut(headers));
  const error = (await rejection(clientFor(server, { retry: false }).parties.get('1'))) as ConnectionError;
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection', attempts: 1 });
  expect(error.message).toMatch(/^GET \/parties\/1: the response could not be read to its end \(attempt 1\): /);
  expect(error.message).not.toContain('may have done it');
});

test.each(KINDS)('a GET whose response %s is cut off is sent again', async (_, headers) => {
  const server = await serve(cut(headers), { body: PARTY });
  const { attempts } = await clientFor(server, { retry: { minDelay: 1 } })
    .parties.get('1')
    .withResponse();
  expect(attempts).toBe(2);
});

test.each(KINDS)(
  'a POST whose response %s is cut off is not sent again, and the error warns that the service may have acted',
  async (_, headers) => {
    const server = await serve(cut(headers, 201));
    const error = (await rejection(clientFor(server).parties.create({ company_name: 'A' }))) as ConnectionError;
    expect(server.requests).toHaveLength(1);
    expect(error.message).toMatch(/^POST \/parties: the response could not be read to its end \(attempt 1\): /);
    expect(error.message).toMatch(/ \(the service may have done it: check before you repeat it\)$/);
  },
);

test('the error for a POST without a response warns that the service may have acted, but only if the POST may have arrived', async () => {
  const server = await serve((_, response) => response.socket?.resetAndDestroy());
  const create = (service: { baseUrl: string }) =>
    rejection(clientFor(service, { retry: false }).parties.create({ company_name: 'A' })) as Promise<Error>;
  expect((await create(server)).message).toMatch(/: no response from .*ECONNRESET \(the service may have done it: /);
  const nobody = { baseUrl: `http://127.0.0.1:${await freePort()}/v2` };
  expect((await create(nobody)).message).toMatch(/ECONNREFUSED \(nothing listens at/);
});

test('if a browser hides why a response was cut off, the error does not name CORS as the likely cause', async () => {
  const body = () => new ReadableStream({ pull: stream => stream.error(new TypeError('Load failed')) });
  const fetch = async () => new Response(body(), { headers: JSON_TYPE });
  const client = clientFor({ baseUrl: 'https://host.example/v2' }, { retry: false, fetch });
  const { message } = (await rejection(client.parties.get('1'))) as Error;
  expect(message).toBe('GET /parties/1: the response could not be read to its end (attempt 1): Load failed');
});

test('a compressed response that is damaged is not reported as cut off', async () => {
  const server = await serve({ body: 'not gzip', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } });
  const { message } = (await rejection(clientFor(server, { retry: false }).parties.get('1'))) as Error;
  expect(message).toMatch(/: Z_DATA_ERROR \(the body cannot be decompressed\)$/);
});

test('an error response whose body is cut off keeps its status', async () => {
  const server = await serve(cut({}, 422));
  expect(await rejection(clientFor(server).parties.get('1'))).toMatchObject({ name: 'ValidationError', status: 422 });
});

test.each([
  ['parties.get', (client: ReturnType<typeof clientFor>) => client.parties.get('1'), 'GET /parties/1'],
  ['parties.create', (client: ReturnType<typeof clientFor>) => client.parties.create({ company_name: 'A' }), 'POST'],
])(
  'the error for truncated JSON of %s does not name the address as the cause, and does not quote the JSON',
  async (_, call, start) => {
    const server = await serve({ body: WHOLE.slice(0, -9), headers: JSON_TYPE });
    const error = (await rejection(call(clientFor(server)))) as ResponseFormatError;
    expect(error).toMatchObject({ name: 'ResponseFormatError', status: 200 });
    expect(error.message).toContain(start);
    expect(error.message).toContain(
      `the body is not valid JSON (application/vnd.api+json, ${WHOLE.length - 9} characters)`,
    );
    expect(error.message).not.toContain('baseUrl');
  },
);
