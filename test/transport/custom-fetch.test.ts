import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { ClientOptions, Fetch } from '../../src/index.ts';
import { clientFor, KEY, PARTY, rejection } from '../../support/client.ts';

const baseUrl = 'https://host.example/v2';
const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init);

test('a custom fetch is called like the global fetch, with every part of the request', async () => {
  const requests: Request[] = [];
  const fetch: Fetch = async (input, init) => {
    expect(input).toBe(`${baseUrl}/parties`);
    expect(init?.signal).toBeInstanceOf(AbortSignal);
    requests.push(new Request(input, init));
    return json(PARTY);
  };
  await clientFor({ baseUrl }, { fetch }).parties.create({ company_name: 'A' });
  const [request] = requests;
  expect(request).toMatchObject({ method: 'POST', url: `${baseUrl}/parties`, redirect: 'manual' });
  expect(request?.headers.get('authorization')).toBe(`Token ${KEY}`);
  expect(await request?.json()).toEqual({ data: { type: 'party', attributes: { company_name: 'A' } } });
});

test('the global fetch is read again for each request', async () => {
  const original = globalThis.fetch;
  const client = clientFor({ baseUrl });
  globalThis.fetch = async () => json(PARTY);
  try {
    expect(await client.parties.get('1')).toMatchObject({ id: '1' });
  } finally {
    globalThis.fetch = original;
  }
});

test('a custom fetch may throw instead of rejecting', async () => {
  const fetch: Fetch = () => {
    throw new Error('no network stack');
  };
  const error = await rejection(clientFor({ baseUrl }, { fetch, retry: false }).parties.get('1'));
  expect(error).toMatchObject({ name: 'ConnectionError', cause: { message: 'no network stack' } });
});

/** A fetch that ignores its signal, and the functions that settle it. */
function lateFetch() {
  let resolve: (response: Response) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const answer = new Promise<Response>((...settle) => {
    [resolve, reject] = settle;
  });
  return { fetch: () => answer, resolve, reject };
}

describe('a fetch that ignores its signal', () => {
  test('does not delay a timeout or an abort before the response', async () => {
    const fetch: Fetch = () => new Promise(() => {});
    const client = clientFor({ baseUrl }, { fetch, retry: false });
    expect(await rejection(client.parties.get('1', { timeout: 20 }))).toMatchObject({ code: 'timeout' });
    const controller = new AbortController();
    const call = rejection(client.parties.get('1', { signal: controller.signal }));
    setTimeout(() => controller.abort('stop'), 5);
    expect(await call).toBe('stop');
  });

  test('does not delay a timeout during the body', async () => {
    for (const status of [200, 500]) {
      const fetch: Fetch = async () => new Response(new ReadableStream({}), { status });
      const client = clientFor({ baseUrl }, { fetch, retry: false, timeout: 20 });
      expect(await rejection(client.parties.get('1'))).toMatchObject({ code: 'timeout' });
    }
  });

  test('and resolves too late: the client cancels the body of the late response', async () => {
    let cancelled: unknown;
    const body = new ReadableStream({
      cancel(reason) {
        cancelled = reason ?? 'cancelled';
      },
    });
    const late = lateFetch();
    const client = clientFor({ baseUrl }, { fetch: late.fetch, retry: false, timeout: 20 });
    expect(await rejection(client.parties.get('1'))).toMatchObject({ code: 'timeout' });
    late.resolve(new Response(body));
    await expect.poll(() => cancelled, { interval: 1 }).toBe('cancelled');
  });

  test('causes no unhandled rejection if it fails later', async () => {
    const late = lateFetch();
    const client = clientFor({ baseUrl }, { fetch: late.fetch, retry: false, timeout: 20 });
    await rejection(client.parties.get('1'));
    late.reject(new Error('too late'));
    // An unhandled rejection would fail the run.
    await new Promise(resolve => setImmediate(resolve));
  });
});

test.each<[string, unknown]>([
  [
    'an error of another realm',
    runInNewContext(
      `Object.assign(new TypeError('x'), { cause: Object.assign(new Error('y'), { code: 'ECONNREFUSED' }) })`,
    ),
  ],
  [
    'several errors of another realm',
    runInNewContext(`new AggregateError([Object.assign(new Error('y'), { code: 'ECONNREFUSED' })])`),
  ],
  ['an error whose stack is a list', Object.assign(new Error('ECONNREFUSED'), { stack: [] })],
  [
    'an error whose message is not a text',
    Object.assign(new Error('x', { cause: new Error('ECONNREFUSED') }), { message: 5 }),
  ],
])(
  'if a custom fetch fails with %s, the ConnectionError has the reason, and a POST is tried again',
  async (_, thrown) => {
    const fetch: Fetch = async () => {
      throw thrown;
    };
    const call = clientFor({ baseUrl }, { fetch, retry: { limit: 1, minDelay: 0 } }).parties.create({
      company_name: 'A',
    });
    expect(await rejection(call)).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(/ECONNREFUSED \(nothing listens at /),
      attempts: 2,
    });
  },
);

test('if a custom fetch fails with an error that cannot be read, the call rejects with a ConnectionError', async () => {
  const fetch: Fetch = async () => {
    throw Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('no');
      },
    });
  };
  expect(await rejection(clientFor({ baseUrl }, { fetch, retry: false }).parties.get('1'))).toMatchObject({
    name: 'ConnectionError',
  });
});

test('a body that breaks off causes a ConnectionError, and a GET is tried again', async () => {
  const broken = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"data":'));
        controller.error(new Error('stream broke'));
      },
    });
  const answers = [new Response(broken()), json(PARTY)];
  const fetch: Fetch = async () => answers.shift() ?? json(PARTY);
  const { attempts } = await clientFor({ baseUrl }, { fetch }).parties.get('1').withResponse();
  expect(attempts).toBe(2);
  const failing: Fetch = async () => new Response(broken());
  expect(await rejection(clientFor({ baseUrl }, { fetch: failing, retry: false }).parties.get('1'))).toMatchObject({
    name: 'ConnectionError',
    cause: { message: 'stream broke' },
  });
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a plain object', { ok: true, status: 200 }],
  ['a response that was read before', 'read'],
])('a custom fetch that returns %s causes a ConnectionError', async (_, value) => {
  const response = json(PARTY);
  await response.text();
  const fetch = (async () => (value === 'read' ? response : value)) as unknown as Fetch;
  const error = await rejection(clientFor({ baseUrl }, { fetch, retry: false }).parties.get('1'));
  expect(error).toMatchObject({ name: 'ConnectionError', attempts: 1 });
});

test('a redirect whose address the browser hides causes an APIError', async () => {
  const hidden = Object.defineProperties(new Response(null), {
    type: { value: 'opaqueredirect' },
    status: { value: 0 },
    ok: { value: false },
  });
  const error = await rejection(clientFor({ baseUrl }, { fetch: async () => hidden }).parties.get('1'));
  expect(error).toMatchObject({ name: 'APIError', status: 0, message: expect.stringContaining('not followed') });
});

describe('a Response whose body is a Node stream, as in some fetch packages', () => {
  /** A response of such a package: `body` is not a web stream, but `text()` works. */
  function responseWith(body: Readable, init: ResponseInit = {}): Response {
    const { status, ok, headers } = new Response(null, init);
    const text = async () => {
      const pieces: Buffer[] = [];
      for await (const piece of body) pieces.push(piece as Buffer);
      return Buffer.concat(pieces).toString();
    };
    return { status, ok, headers, body, text, json: async () => JSON.parse(await text()) } as unknown as Response;
  }
  const pieces = (text: string) => Array.from(Buffer.from(text), byte => Buffer.from([byte]));
  const clientWith = (body: Readable, init?: ResponseInit, options: ClientOptions = {}) =>
    clientFor({ baseUrl }, { fetch: async () => responseWith(body, init), retry: false, ...options });

  test('is read, even with characters of several bytes', async () => {
    const text = JSON.stringify({ data: { type: 'party', id: '1', attributes: { company_name: 'Ærø 😀' } } });
    expect(await clientWith(Readable.from(pieces(text))).parties.get('1')).toMatchObject({ company_name: 'Ærø 😀' });
  });

  test('is read if it is an error response', async () => {
    const body = Readable.from(pieces(JSON.stringify({ errors: [{ title: 'No such party' }] })));
    expect(await rejection(clientWith(body, { status: 404 }).parties.get('1'))).toMatchObject({
      name: 'NotFoundError',
      errors: [{ title: 'No such party' }],
    });
  });

  test('is read only up to maxResponseBytes', async () => {
    let given = 0;
    async function* endless() {
      for (; given < 1000; given++) yield Buffer.alloc(1000, 32);
    }
    const body = Readable.from(endless());
    const error = await rejection(clientWith(body, {}, { maxResponseBytes: 10_000 }).parties.get('1'));
    expect(error).toMatchObject({ name: 'ResponseFormatError', message: expect.stringContaining('maxResponseBytes') });
    expect(body.destroyed).toBe(true);
    expect(given).toBeLessThan(100);
  });

  test.each([200, 500])('is ended by the timeout and by an abort (status %i)', async status => {
    const stalled = () => new Readable({ read() {} });
    const slow = stalled();
    expect(await rejection(clientWith(slow, { status }).parties.get('1', { timeout: 20 }))).toMatchObject({
      code: 'timeout',
    });
    expect(slow.destroyed).toBe(true);
    const [aborted, controller] = [stalled(), new AbortController()];
    const call = rejection(clientWith(aborted, { status }).parties.get('1', { signal: controller.signal }));
    setTimeout(() => controller.abort('stop'), 5);
    expect(await call).toBe('stop');
    expect(aborted.destroyed).toBe(true);
  });

  test('causes a ConnectionError if the stream breaks', async () => {
    const body = new Readable({
      read() {
        this.destroy(new Error('stream broke'));
      },
    });
    expect(await rejection(clientWith(body).parties.get('1'))).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(/stream broke$/),
    });
  });

  test('arrives after the timeout, and the client then destroys its stream', async () => {
    const late = lateFetch();
    const client = clientFor({ baseUrl }, { fetch: late.fetch, retry: false, timeout: 20 });
    expect(await rejection(client.parties.get('1'))).toMatchObject({ code: 'timeout' });
    const body = new Readable({ read() {} });
    late.resolve(responseWith(body));
    await expect.poll(() => body.destroyed, { interval: 1 }).toBe(true);
  });
});

test.each([
  ['a text', 'x'],
  ['a number', 5],
  ['an object', {}],
])('a Response whose body is %s causes a ConnectionError that reports the wrong body', async (_, body) => {
  const fetch = (async () => ({ status: 200, ok: true, headers: new Headers(), body })) as unknown as Fetch;
  expect(await rejection(clientFor({ baseUrl }, { fetch, retry: false }).parties.get('1'))).toMatchObject({
    name: 'ConnectionError',
    message: expect.stringContaining('the body of the Response is not a stream'),
  });
});
