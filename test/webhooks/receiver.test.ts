import { createHmac } from 'node:crypto';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import fastify from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import {
  createReceiver,
  type InboxEntry,
  memoryInbox,
  type ReceiverOptions,
  type Rejection,
} from '../../src/webhooks/index.ts';
import { readAll } from '../../support/listening.ts';
import deliveries from '../../support/samples/webhooks.deliveries.json' with { type: 'json' };

const SECRET = 'sample-signing-secret';
const HEADER = 'X-SVC-Webhook-Signature';
const BODY = Buffer.from(JSON.stringify(deliveries['container.updated'], null, 1));
const ID = deliveries['container.updated'].data.id;

const sign = (body: string | Buffer, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex');
const signed = (body: string | Buffer = BODY) => ({ [HEADER]: sign(body), 'Content-Type': 'application/json' });

/** The first lines of a signed request, as they are sent over the wire. */
const HEAD = `POST / HTTP/1.1\r\nHost: a\r\n${HEADER}: ${sign(BODY)}\r\n`;

function setUp(options: Partial<ReceiverOptions> = {}) {
  const stored: InboxEntry[] = [];
  const rejections: Rejection[] = [];
  const errors: string[] = [];
  const memory = memoryInbox({ ephemeral: true });
  const inbox = {
    async put(entry: InboxEntry) {
      const outcome = await memory.put(entry);
      if (outcome === 'stored') stored.push(entry);
      return outcome;
    },
  };
  const receiver = createReceiver({
    secrets: SECRET,
    inbox,
    onRejected: rejection => rejections.push(rejection),
    logger: { warn: message => errors.push(message), error: message => errors.push(message) },
    ...options,
  });
  return { receiver, stored, rejections, errors, memory };
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Reply {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  text: string;
}

/** Sends header lines unchanged, and the body in these chunks. */
function send(port: number, headers: Record<string, string | string[]>, chunks: (string | Buffer)[], method = 'POST') {
  return new Promise<Reply>((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method, path: '/webhooks', headers }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    request.on('error', reject);
    for (const chunk of chunks) request.write(chunk);
    request.end();
  });
}

type Kind = 'fetch' | 'node' | 'lambda';
const lambdaHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Sends a delivery to the handler for each kind of server. */
const deliver: Record<
  Kind,
  (setup: ReturnType<typeof setUp>, headers: Record<string, string>, body: Buffer, method?: string) => Promise<Reply>
> = {
  async fetch({ receiver: { fetch } }, headers, body, method = 'POST') {
    const init = { method, headers, body: method === 'GET' ? null : new Uint8Array(body) };
    const response = await fetch(new Request('https://a.example/webhooks', init));
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  },
  async node({ receiver: { node } }, headers, body, method) {
    return send(await listen(node), headers, body.length > 0 ? [body] : [], method);
  },
  async lambda({ receiver: { lambda } }, headers, body, method = 'POST') {
    const event = { requestContext: { http: { method } }, headers: lambdaHeaders(headers) };
    const result = await lambda({ ...event, body: body.toString('base64'), isBase64Encoded: true });
    return { status: result.statusCode, headers: result.headers ?? {}, text: result.body };
  },
};

describe.each(Object.keys(deliver) as Kind[])('%s', kind => {
  const post = deliver[kind];

  test('stores a delivery before the acknowledgement; a repeated delivery is acknowledged, but not stored again', async () => {
    const setup = setUp();
    expect(await post(setup, signed(), BODY)).toMatchObject({ status: 202, text: 'stored' });
    expect(await post(setup, signed(), BODY)).toMatchObject({ status: 200, text: 'duplicate' });
    expect(setup.stored).toMatchObject([{ id: ID, event: 'container.updated' }]);
    expect(Buffer.from(setup.stored[0]?.body ?? [])).toEqual(BODY);
    expect(setup.rejections).toEqual([]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['a missing signature', {}, 'missing_signature'],
    ['an empty signature', { [HEADER]: '' }, 'missing_signature'],
    ['a wrong signature', { [HEADER]: sign(BODY, 'other') }, 'mismatch'],
    ['a signature with a prefix', { [HEADER]: `sha256=${sign(BODY)}` }, 'malformed_signature'],
    ['two joined signatures', { [HEADER]: `${sign(BODY)}, ${sign(BODY)}` }, 'malformed_signature'],
  ])('refuses %s with 401', async (_, headers, reason) => {
    const setup = setUp();
    expect(await post(setup, headers, BODY)).toMatchObject({ status: 401, text: reason });
    expect(setup.stored).toEqual([]);
    expect(setup.rejections).toMatchObject([{ status: 401, reason, error: { reason } }]);
    expect(setup.errors).toEqual([expect.stringContaining(reason)]);
  });

  test('responds 400 to a signed body that is not a notification', async () => {
    const setup = setUp();
    const body = Buffer.from('{"data":"\xff"}', 'latin1');
    expect(await post(setup, signed(body), body)).toMatchObject({ status: 400, text: 'bad_payload' });
    expect(setup.stored).toEqual([]);
  });

  test('stores one dead letter for a signed body that is not a notification if onPoison is `accept`', async () => {
    const setup = setUp({ onPoison: 'accept' });
    const body = Buffer.from('{"data":"\xff"}', 'latin1');
    expect((await post(setup, signed(body), body)).status).toBe(202);
    expect((await post(setup, signed(body), body)).status).toBe(200);
    const letters = await setup.memory.deadLetters();
    expect(letters).toMatchObject([{ error: 'The payload cannot be read.', attempts: 0 }]);
    expect(Buffer.from(letters[0]?.body ?? [])).toEqual(body);
    expect((await post(setup, { [HEADER]: sign(body, 'other') }, body)).status).toBe(401);
  });

  test('refuses an empty body: the status is 401 if the request is unsigned, and 400 if it is signed', async () => {
    const setup = setUp();
    const body = Buffer.alloc(0);
    expect((await post(setup, {}, body)).status).toBe(401);
    expect((await post(setup, signed(body), body)).status).toBe(400);
  });

  test('accepts a body of exactly the limit, and responds 413 to a body with one more byte', async () => {
    const exact = setUp({ maxBodyBytes: BODY.length });
    expect((await post(exact, signed(), BODY)).status).toBe(202);
    const less = setUp({ maxBodyBytes: BODY.length - 1 });
    expect(await post(less, signed(), BODY)).toMatchObject({ status: 413, text: 'too_large' });
    expect(less.stored).toEqual([]);
  });

  test('responds 405 to any method except POST', async () => {
    const setup = setUp();
    expect(await post(setup, {}, Buffer.alloc(0), 'GET')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect((await post(setup, signed(), BODY, 'PUT')).status).toBe(405);
    expect(setup.stored).toEqual([]);
  });

  test.each<[string, Partial<ReceiverOptions>]>([
    ['rejects', { inbox: { put: () => Promise.reject(new Error('the disk is full')) } }],
    [
      'throws',
      {
        inbox: {
          put() {
            throw new Error('the disk is full');
          },
        },
      },
    ],
    ['returns nothing', { inbox: { put: async () => undefined as never } }],
    ['returns another value', { inbox: { put: async () => true as never } }],
    ['does not respond', { inbox: { put: () => new Promise(() => {}) }, deadlineMs: 20 }],
  ])('responds 503 with Retry-After for an inbox that %s', async (_, options) => {
    const setup = setUp(options);
    const reply = await post(setup, signed(), BODY);
    expect(reply).toMatchObject({ status: 503, text: 'unavailable' });
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(setup.rejections).toMatchObject([{ status: 503, reason: 'unavailable', error: expect.any(Error) }]);
    expect(setup.errors).toHaveLength(1);
  });

  test.each<[string, ReceiverOptions['secrets']]>([
    ['fail', () => Promise.reject(new Error('the vault is closed'))],
    ['are missing', () => ''],
    ['are slow', () => new Promise(() => {})],
  ])('responds 503 for secrets that %s', async (_, secrets) => {
    const setup = setUp({ secrets, deadlineMs: 20 });
    expect((await post(setup, signed(), BODY)).status).toBe(503);
    expect(setup.stored).toEqual([]);
  });

  test('calls the method `put` that the inbox has at the time of each delivery', async () => {
    const inbox = { put: async (): Promise<'stored' | 'duplicate'> => 'stored' };
    const setup = setUp({ inbox });
    expect((await post(setup, signed(), BODY)).status).toBe(202);
    inbox.put = async () => 'duplicate';
    expect((await post(setup, signed(), BODY)).status).toBe(200);
  });

  test('accepts another header name and another signature format', async () => {
    const format = { algorithm: 'SHA-512', encoding: 'base64', prefix: 'v1=' } as const;
    const setup = setUp({ header: 'X-Other', ...format });
    const signature = `v1=${createHmac('sha512', SECRET).update(BODY).digest('base64')}`;
    expect((await post(setup, { 'x-OTHER': signature }, BODY)).status).toBe(202);
    expect((await post(setup, signed(), BODY)).status).toBe(401);
  });

  test('calls the hook even if the logger throws, and handles the rejection of a hook', async () => {
    const [onRejected, unhandled] = [vi.fn(() => Promise.reject(new Error('metrics are down'))), vi.fn()];
    process.on('unhandledRejection', unhandled);
    const fail = () => {
      throw new Error('broken');
    };
    const setup = setUp({ onRejected, logger: { warn: fail, error: fail }, secrets: () => '' });
    expect((await post(setup, signed(), BODY)).status).toBe(503);
    await sleep(1);
    expect(onRejected).toHaveBeenCalledWith(expect.objectContaining({ status: 503, reason: 'unavailable' }));
    expect(unhandled).not.toHaveBeenCalled();
    process.off('unhandledRejection', unhandled);
  });

  test('does not wait in close() for an inbox that did not respond before the deadline', async () => {
    const setup = setUp({ inbox: { put: () => new Promise(() => {}) }, deadlineMs: 20 });
    expect((await post(setup, signed(), BODY)).status).toBe(503);
    await setup.receiver.close();
  });

  test('waits for the inbox if there is no deadline', async () => {
    const put = () => sleep(20).then(() => 'stored' as const);
    const setup = setUp({ inbox: { put }, deadlineMs: Number.POSITIVE_INFINITY });
    expect((await post(setup, signed(), BODY)).status).toBe(202);
  });

  test('sends the same response if a hook or a logger throws', async () => {
    const fail = () => {
      throw new Error('broken');
    };
    const setup = setUp({ onRejected: fail, logger: { warn: fail, error: fail }, secrets: () => '' });
    expect((await post(setup, signed(), BODY)).status).toBe(503);
  });

  test('waits in close() for open deliveries, and refuses later deliveries', async () => {
    let store = () => {};
    const put = vi.fn(
      () =>
        new Promise<'stored'>(resolve => {
          store = () => resolve('stored');
        }),
    );
    const setup = setUp({ inbox: { put } });
    const first = post(setup, signed(), BODY);
    await vi.waitFor(() => expect(put).toHaveBeenCalled());
    let closed = false;
    const closing = setup.receiver.close().then(() => {
      closed = true;
    });
    expect((await post(setup, signed(), BODY)).status).toBe(503);
    expect(closed).toBe(false);
    store();
    await closing;
    expect((await first).status).toBe(202);
  });
});

describe('options that cannot work are refused at the start', () => {
  test.each<[string, object]>([
    ['no secret', { secrets: undefined }],
    ['an empty secret', { secrets: [''] }],
    ['two secrets, one of them missing', { secrets: [SECRET, undefined] }],
    ['an algorithm that does not exist', { algorithm: 'md5' }],
    ['no inbox', { inbox: undefined }],
    ['an inbox that stores nothing', { inbox: { claim() {} } }],
    ['a schema that checks nothing', { schema: { type: 'object' } }],
    ...[0, -1, Number.NaN, '5000'].flatMap(value => [
      [`a deadline of ${value}`, { deadlineMs: value }] as [string, object],
      [`a limit of ${value}`, { maxBodyBytes: value }] as [string, object],
    ]),
    ['a deadline that no timer can hold', { deadlineMs: 3e10 }],
  ])('for example %s', (_, options) => {
    expect(() => setUp(options)).toThrow(ConfigurationError);
  });

  test('for example an unset environment variable: the error names the option', () => {
    const options = { secrets: process.env.NOT_SET_ANYWHERE, inbox: memoryInbox({ ephemeral: true }) };
    expect(() => createReceiver(options)).toThrow('Set secrets: the webhook secret is missing or empty.');
    expect(() => createReceiver({ ...options, secrets: ['right', options.secrets] })).toThrow('Set secrets[1]: ');
  });

  test('for example a missing inbox: the error names a function that makes an inbox', () => {
    const create = createReceiver as (options: object) => unknown;
    expect(() => create({ secrets: 'right' })).toThrow('inbox is missing. sqliteInbox() makes one.');
    expect(() => create({ secrets: 'right', inbox: {} })).toThrow('inbox has no method put().');
  });

  test('for example missing options', () => {
    expect(() => createReceiver(undefined as unknown as ReceiverOptions)).toThrow(ConfigurationError);
  });
});

describe('fetch', () => {
  const chunked = (chunks: Uint8Array[], headers: Record<string, string>) =>
    new Request('https://a.example', {
      method: 'POST',
      headers,
      body: new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk));
          controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);

  test('immediately responds 500 to a request whose body was read before, and logs the remedy', async () => {
    const { receiver, errors, stored } = setUp();
    const request = new Request('https://a.example', { method: 'POST', headers: signed(), body: BODY });
    await request.json();
    expect((await receiver.fetch(request)).status).toBe(500);
    const locked = new Request('https://a.example', { method: 'POST', headers: signed(), body: BODY });
    locked.body?.getReader();
    expect((await receiver.fetch(locked)).status).toBe(500);
    expect(errors[0]).toMatch(/arrayBuffer/);
    expect(stored).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['the context of a framework', { req: { raw: {} }, method: 'POST' }],
    ['a request of node:http', { method: 'POST', headers: {} }],
    ['nothing', undefined],
  ])('responds 500 to %s instead of a Request, and logs the remedy', async (_, request) => {
    const { receiver, errors } = setUp();
    expect((await receiver.fetch(request as Request)).status).toBe(500);
    expect(errors[0]).toMatch(/Hono: c\.req\.raw/);
  });

  test('refuses a body with a false Content-Length', async () => {
    const { receiver, stored } = setUp({ maxBodyBytes: BODY.length - 1 });
    const long = chunked([BODY.subarray(0, 10)], { ...signed(), 'content-length': '99999999' });
    expect((await receiver.fetch(long)).status).toBe(413);
    expect(long.bodyUsed).toBe(false);
    const short = chunked([BODY.subarray(0, 10), BODY.subarray(10)], { ...signed(), 'content-length': '10' });
    expect((await receiver.fetch(short)).status).toBe(413);
    expect(stored).toEqual([]);
  });

  test('stops reading an endless body at the limit', async () => {
    const { receiver } = setUp();
    let cancelled = false;
    const body = new ReadableStream({
      pull: controller => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => {
        cancelled = true;
      },
    });
    const init = { method: 'POST', headers: signed(), body, duplex: 'half' } as RequestInit;
    expect((await receiver.fetch(new Request('https://a.example', init))).status).toBe(413);
    expect(cancelled).toBe(true);
  });

  test('stores nothing if the body stops before its end', async () => {
    const { receiver, stored } = setUp();
    let pulls = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulls += 1;
        if (pulls === 1) controller.enqueue(new Uint8Array(BODY.subarray(0, 50)));
        else controller.error(new Error('gone'));
      },
    });
    const init = { method: 'POST', headers: signed(), body, duplex: 'half' } as RequestInit;
    expect((await receiver.fetch(new Request('https://a.example', init))).status).toBe(400);
    expect(stored).toEqual([]);
  });

  test('cancels a stalled body at the deadline', async () => {
    const { receiver, stored } = setUp({ deadlineMs: 20 });
    let cancelled = false;
    const body = new ReadableStream({
      start: controller => controller.enqueue(new Uint8Array(BODY)),
      cancel: () => {
        cancelled = true;
      },
    });
    const init = { method: 'POST', headers: signed(), body, duplex: 'half' } as RequestInit;
    expect((await receiver.fetch(new Request('https://a.example', init))).status).toBe(408);
    await sleep(1);
    expect(cancelled).toBe(true);
    expect(stored).toEqual([]);
  });

  test('reads a body of many chunks', async () => {
    const { receiver } = setUp();
    const chunks = Array.from({ length: Math.ceil(BODY.length / 7) }, (_, n) => BODY.subarray(n * 7, n * 7 + 7));
    expect((await receiver.fetch(chunked(chunks, signed()))).status).toBe(202);
  });
});

describe('node', () => {
  test('sends the length of the response, which is then not chunked', async () => {
    const { headers, text } = await send(await listen(setUp().receiver.node), signed(), [BODY]);
    expect(headers).toMatchObject({ 'content-length': String(text.length) });
    expect(headers).not.toHaveProperty('transfer-encoding');
  });

  test('refuses a request that has two header lines with a signature', async () => {
    const { receiver, stored } = setUp();
    const port = await listen(receiver.node);
    expect((await send(port, { [HEADER]: [sign(BODY), sign(BODY)] }, [BODY])).status).toBe(401);
    expect(stored).toEqual([]);
  });

  test('reads a body in chunks, without a length', async () => {
    const { receiver, stored } = setUp({ maxBodyBytes: BODY.length });
    const port = await listen(receiver.node);
    const half = BODY.length / 2;
    expect((await send(port, signed(), [BODY.subarray(0, half), BODY.subarray(half)])).status).toBe(202);
    expect(stored).toHaveLength(1);
  });

  test('responds 413 to chunks beyond the limit, and closes the connection', async () => {
    const { receiver, stored } = setUp({ maxBodyBytes: 100 });
    const port = await listen(receiver.node);
    const socket = connect(port, '127.0.0.1');
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    socket.write(`c8\r\n${'x'.repeat(200)}\r\n`);
    const reply = await readAll(socket);
    expect(reply).toMatch(/^HTTP\/1.1 413 .*connection: close/is);
    expect(stored).toEqual([]);
  });

  test('responds 413 to a length beyond the limit, without waiting for the body', async () => {
    const { receiver } = setUp();
    const port = await listen(receiver.node);
    const socket = connect(port, '127.0.0.1');
    socket.write(`${HEAD}Content-Length: 99999999\r\n\r\n`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1.1 413 .*connection: close/is);
  });

  test('stores nothing from a client that disconnects half-way', async () => {
    const { receiver, stored, rejections } = setUp();
    const port = await listen(receiver.node);
    const head = `POST / HTTP/1.1\r\nHost: a\r\n${HEADER}: ${sign(BODY)}\r\nContent-Length: ${BODY.length}\r\n\r\n`;
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    socket.write(BODY.subarray(0, 100));
    await sleep(20);
    socket.destroy();
    await vi.waitFor(() => expect(rejections).toMatchObject([{ reason: 'incomplete' }]));
    expect(stored).toEqual([]);
  });

  test('responds at the deadline to a client that stops sending', async () => {
    const { receiver, stored } = setUp({ deadlineMs: 30 });
    const port = await listen(receiver.node);
    const socket = connect(port, '127.0.0.1');
    socket.write(`${HEAD}Content-Length: ${BODY.length}\r\n\r\n{`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1.1 408 .*connection: close/is);
    expect(stored).toEqual([]);
  });

  test('handles two deliveries on one connection', async () => {
    const { receiver, stored } = setUp();
    const port = await listen(receiver.node);
    const socket = connect(port, '127.0.0.1');
    const head = `POST / HTTP/1.1\r\nHost: a\r\n${HEADER}: ${sign(BODY)}\r\nContent-Length: ${BODY.length}\r\n`;
    socket.write(`${head}\r\n${BODY}`);
    socket.write(`${head}Connection: close\r\n\r\n${BODY}`);
    const reply = await readAll(socket);
    expect(reply.match(/HTTP\/1.1 \d+/g)?.sort()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 202']);
    expect(stored).toHaveLength(1);
  });

  test.each<[string, (request: IncomingMessage, bytes: Buffer) => object, number]>([
    ['an object in body', (_, bytes) => ({ body: JSON.parse(String(bytes)) }), 500],
    ['nothing', () => ({}), 500],
    ['the bytes in body', (_, bytes) => ({ body: bytes }), 202],
    ['the text in body', (_, bytes) => ({ body: String(bytes) }), 202],
    ['the bytes in rawBody beside an object', (_, bytes) => ({ rawBody: bytes, body: JSON.parse(String(bytes)) }), 202],
  ])('behind a parser that leaves %s, responds %s', async (_, leave, status) => {
    const { receiver, errors } = setUp();
    const port = await listen(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      await receiver.node(Object.assign(request, leave(request, Buffer.concat(chunks))), response);
    });
    expect((await send(port, signed(), [BODY])).status).toBe(status);
    if (status === 500) expect(errors[0]).toContain('Express: the route before express.json(), or keep rawBody.');
  });

  test('reads a stream that another handler has switched to text', async () => {
    const { receiver } = setUp();
    const port = await listen((request, response) => receiver.node(request.setEncoding('utf8'), response));
    expect((await send(port, signed(), [BODY])).status).toBe(202);
  });

  test('reads the stream if a parser left an empty body object', async () => {
    const { receiver } = setUp();
    const port = await listen((request, response) => receiver.node(Object.assign(request, { body: {} }), response));
    expect((await send(port, signed(), [BODY])).status).toBe(202);
  });
});

describe('lambda', () => {
  const text = BODY.toString();
  const base = { body: text, isBase64Encoded: false };
  const forms = {
    'a function URL': {
      ...base,
      version: '2.0',
      requestContext: { http: { method: 'POST' } },
      headers: { 'x-svc-webhook-signature': sign(BODY) },
    },
    'an API Gateway, payload 1.0': {
      ...base,
      version: '1.0',
      httpMethod: 'POST',
      requestContext: { stage: 'x' },
      headers: { [HEADER]: sign(BODY) },
      multiValueHeaders: { [HEADER]: [sign(BODY)] },
    },
    'an API Gateway, payload 2.0': {
      body: BODY.toString('base64'),
      isBase64Encoded: true,
      version: '2.0',
      requestContext: { http: { method: 'POST' } },
      headers: { 'x-svc-webhook-signature': sign(BODY) },
    },
    'a load balancer': {
      ...base,
      httpMethod: 'POST',
      requestContext: { elb: {} },
      headers: { 'x-svc-webhook-signature': sign(BODY) },
    },
    'a load balancer with lists': {
      ...base,
      httpMethod: 'POST',
      requestContext: { elb: {} },
      multiValueHeaders: { 'X-Svc-Webhook-Signature': [sign(BODY)] },
    },
  };

  test.each(Object.entries(forms))('accepts the event of %s', async (name, event) => {
    const { receiver, stored } = setUp();
    const result = await receiver.lambda(event);
    expect(result).toMatchObject({ statusCode: 202, isBase64Encoded: false, body: 'stored' });
    expect(result).toHaveProperty(name.endsWith('lists') ? 'multiValueHeaders' : 'headers');
    expect(Buffer.from(stored[0]?.body ?? [])).toEqual(BODY);
  });

  test('refuses a signature that was sent twice, although `headers` has only the last signature', async () => {
    const { receiver } = setUp();
    const event = forms['an API Gateway, payload 1.0'];
    const multiValueHeaders = { [HEADER]: [sign(BODY), sign(BODY)] };
    expect((await receiver.lambda({ ...event, multiValueHeaders })).statusCode).toBe(401);
    const headers = { ...event.headers, 'x-svc-webhook-signature': sign(BODY) };
    expect((await receiver.lambda({ ...event, headers, multiValueHeaders: null })).statusCode).toBe(401);
  });

  test.each<[string, object, number]>([
    ['an object in body', { body: JSON.parse(text) }, 500],
    ['an object in body, the text in rawBody', { body: JSON.parse(text), rawBody: text }, 202],
    ['an object in body, the bytes in rawBody', { body: JSON.parse(text), rawBody: BODY, isBase64Encoded: true }, 202],
    [
      'an object in body, the encoded bytes in rawBody',
      { body: JSON.parse(text), rawBody: BODY.toString('base64'), isBase64Encoded: true },
      202,
    ],
  ])('behind a middleware that leaves %s, responds %s', async (_, over, status) => {
    const { receiver, errors } = setUp();
    expect((await receiver.lambda({ ...forms['a function URL'], ...over })).statusCode).toBe(status);
    if (status === 500) expect(errors[0]).toMatch(/signed bytes are gone/);
  });

  test('reads `headers` if `multiValueHeaders` is empty', async () => {
    const { receiver } = setUp();
    expect((await receiver.lambda({ ...forms['a function URL'], multiValueHeaders: {} })).statusCode).toBe(202);
  });

  test.each([undefined, null])('responds 500 to the event %s', async event => {
    const { receiver } = setUp();
    expect((await receiver.lambda(event as unknown as object)).statusCode).toBe(500);
  });

  test.each<[string, object, number]>([
    ['no body', { body: null }, 401],
    ['no headers at all', { headers: null }, 401],
    ['broken Base64', { body: '%%%', isBase64Encoded: true }, 400],
    ['a body over the limit', { body: 'x'.repeat(2_000_000) }, 413],
    ['Base64 over the limit', { body: 'eHh4'.repeat(400_000), isBase64Encoded: true }, 413],
    ['multi-byte text over the limit', { body: 'ü'.repeat(600_000) }, 413],
    ['no method', { requestContext: undefined }, 405],
  ])('refuses an event with %s', async (_, over, status) => {
    const { receiver, stored } = setUp();
    expect((await receiver.lambda({ ...forms['a function URL'], ...over })).statusCode).toBe(status);
    expect(stored).toEqual([]);
  });
});

describe('Express', () => {
  const app = () => express();

  test('accepts a delivery if no parser runs before the receiver', async () => {
    const { receiver } = setUp();
    const server = app();
    server.post('/webhooks', receiver.node);
    server.use(express.json());
    expect((await send(await listen(server), signed(), [BODY])).status).toBe(202);
  });

  test('accepts a delivery behind express.raw()', async () => {
    const { receiver } = setUp();
    const server = app();
    server.post('/webhooks', express.raw({ type: '*/*' }), receiver.node);
    expect((await send(await listen(server), signed(), [BODY])).status).toBe(202);
  });

  test('accepts a delivery behind express.json() that keeps rawBody', async () => {
    const { receiver } = setUp();
    const server = app();
    server.use(express.json({ verify: (request, _, rawBody) => Object.assign(request, { rawBody }) }));
    server.post('/webhooks', receiver.node);
    expect((await send(await listen(server), signed(), [BODY])).status).toBe(202);
  });

  test('immediately responds 500 behind express.json(), and logs the remedy', async () => {
    const { receiver, errors, stored } = setUp();
    const server = app();
    server.use(express.json());
    server.post('/webhooks', receiver.node);
    expect((await send(await listen(server), signed(), [BODY])).status).toBe(500);
    expect(errors[0]).toContain('Express: the route before express.json(), or keep rawBody.');
    expect(stored).toEqual([]);
  });
});

describe('Fastify', () => {
  test('reads raw bytes only on its own route, and other routes keep their parser', async () => {
    const { receiver, stored } = setUp();
    const server = fastify();
    server.register(receiver.fastify, { url: '/webhooks' });
    server.post('/other', request => ({ got: (request.body as { a: number }).a }));
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    const port = Number(new URL(address).port);
    expect((await send(port, signed(), [BODY])).status).toBe(202);
    expect((await send(port, signed(), [BODY])).status).toBe(200);
    expect((await send(port, { [HEADER]: sign(BODY), 'Content-Type': 'text/odd' }, [BODY])).status).toBe(200);
    expect((await send(port, { [HEADER]: sign(BODY) }, [BODY])).status).toBe(200);
    expect(await send(port, {}, [BODY])).toMatchObject({ status: 401, text: 'missing_signature' });
    expect(await send(port, {}, [], 'GET')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    const big = Buffer.alloc(1_048_577);
    expect((await send(port, signed(big), [big]).catch(() => ({ status: 413 }))).status).toBe(413);
    const other = await fetch(`${address}/other`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":5}',
    });
    expect(await other.json()).toEqual({ got: 5 });
    expect(stored).toHaveLength(1);
    await server.close();
  });

  async function start(options: Partial<ReceiverOptions> = {}) {
    const setup = setUp(options);
    const server = fastify();
    server.register(setup.receiver.fastify, { url: '/webhooks' });
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    return { ...setup, server, port: Number(new URL(address).port) };
  }

  test.each(['', 'odd', 'a b/c', ';', 'text/'])('accepts a delivery with the content type %j', async type => {
    const { server, port } = await start();
    expect((await send(port, { [HEADER]: sign(BODY), 'Content-Type': type }, [BODY])).status).toBe(202);
    await server.close();
  });

  test.each([
    ['too long', 413, 'Content-Length: 99999999\r\n\r\n'],
    ['too long, in chunks', 413, `Transfer-Encoding: chunked\r\n\r\nc8\r\n${'x'.repeat(200)}\r\n`],
    ['incomplete', 408, 'Content-Length: 90\r\n\r\n{'],
  ])('if the body is %s, responds %s and closes the connection', async (_, status, rest) => {
    const { server, port } = await start({ maxBodyBytes: 100, deadlineMs: 50 });
    const socket = connect(port, '127.0.0.1');
    socket.write(`${HEAD.replace('/', '/webhooks')}${rest}`);
    expect(await readAll(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} .*connection: close`, 'is'));
    await server.close();
  });
});
