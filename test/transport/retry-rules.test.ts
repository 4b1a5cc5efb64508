import { afterEach, describe, expect, test, vi } from 'vitest';
import type { APIError, ClientOptions, RequestOptions } from '../../src/index.ts';
import { backOff } from '../../src/internal/back-off.ts';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { type Answer, type Handler, serve, startServer } from '../../support/server.ts';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'PATCH'] as const;
const SAFE = METHODS.slice(0, 5);
const UNSAFE = METHODS.slice(5);
const TRANSIENT = [408, 429, 500, 502, 503, 504];
const FINAL = [400, 401, 402, 403, 404, 405, 409, 410, 413, 422, 425, 501, 505, 507, 511, 599];

const reset: Handler = (_, response) => response.socket?.destroy();
const resetInBody: Handler = (_, response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"data":');
  setImmediate(() => response.socket?.destroy());
};

afterEach(() => {
  vi.restoreAllMocks();
});

/** Number of attempts of a call. Its first attempt fails with this response, and a second attempt would succeed. */
async function attempts(method: (typeof METHODS)[number], failure: Answer | Handler, options: RequestOptions = {}) {
  const server = await startServer(failure, { body: PARTY });
  const call = clientFor(server).request({ method, path: '/parties/1', ...options });
  await call.catch(() => {});
  await server.close();
  return server.requests.length;
}

const DENO_DNS =
  'error sending request for url (x): client error (Connect): dns error: failed to lookup address information';

describe('retries', () => {
  test.each(TRANSIENT)('repeat safe methods after a %i, and every method after a 429', async status => {
    const failure = { status, headers: { 'retry-after': '0.001' } };
    for (const method of SAFE) expect([method, await attempts(method, failure)]).toEqual([method, 2]);
    const expected = status === 429 ? 2 : 1;
    for (const method of UNSAFE) expect([method, await attempts(method, failure)]).toEqual([method, expected]);
  });

  test.each(FINAL)('repeat no method after a %i, with or without Retry-After', async status => {
    const failure = { status, headers: { 'retry-after': '0.001' } };
    for (const method of METHODS) expect([method, await attempts(method, failure)]).toEqual([method, 1]);
  });

  test.each([
    ['a connection that breaks before the headers', reset],
    ['a connection that breaks in the body', resetInBody],
  ])('repeat only safe methods after %s', async (_, failure) => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) expect(await attempts(method, failure)).toBe(2);
    for (const method of UNSAFE) expect(await attempts(method, failure)).toBe(1);
  });

  test('repeat nothing after a response that is not JSON', async () => {
    expect(await attempts('GET', { body: '<html>' })).toBe(1);
  });

  test('repeat nothing if the call has `retry: false`', async () => {
    expect(await attempts('GET', { status: 503 }, { retry: false })).toBe(1);
    expect(await attempts('GET', { status: 429 }, { retry: false })).toBe(1);
    expect(await attempts('GET', reset, { retry: false })).toBe(1);
  });
});

describe('after a failed connection, a request is repeated unless the failure is permanent, or a POST may have arrived', () => {
  const limited: ClientOptions = { retry: { limit: 2, minDelay: 0 } };

  test('refused', async () => {
    const server = await startServer();
    await server.close();
    const error = await rejection(clientFor(server, limited).parties.create({ company_name: 'A' }));
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection', attempts: 3 });
  });

  const node = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) });
  const bothFamilies = new TypeError('fetch failed', {
    cause: Object.assign(new AggregateError([node('ECONNREFUSED').cause, node('ECONNREFUSED').cause]), {
      code: 'ECONNREFUSED',
    }),
  });
  const half = new TypeError('fetch failed', {
    cause: new AggregateError([node('ECONNREFUSED').cause, node('ECONNRESET').cause]),
  });

  test.each([
    ['refused, in Node', node('ECONNREFUSED'), 3, 3],
    ['refused on IPv4 and IPv6', bothFamilies, 3, 3],
    ['a name that does not exist, in Node', node('ENOTFOUND'), 1, 1],
    ['name server out of reach, in Node', node('EAI_AGAIN'), 3, 3],
    ['refused, in Bun', Object.assign(new Error('Unable to connect.'), { code: 'ConnectionRefused' }), 3, 3],
    [
      'refused, in Deno',
      new TypeError('error sending request for url (x): tcp connect error: Connection refused'),
      3,
      3,
    ],
    [
      'a name that does not exist, in Deno',
      new TypeError('error sending request for url (x): dns error: failed'),
      1,
      1,
    ],
    ['name server out of reach, in Deno', new TypeError(`${DENO_DNS}: Temporary failure in name resolution`), 3, 3],
    [
      'name server out of reach, in Deno, in the cause of the error',
      new TypeError(DENO_DNS, { cause: new Error('Temporary failure in name resolution') }),
      3,
      3,
    ],
    [
      'a failure that may come after the sending, with a text about trying again',
      new TypeError('failed, please try again'),
      1,
      3,
    ],
    [
      'two addresses, one of them temporarily not resolved',
      new AggregateError([node('ENOTFOUND'), new Error('getaddrinfo EAI_AGAIN')]),
      3,
      3,
    ],
    ['a port that fetch refuses', new TypeError('fetch failed', { cause: new Error('bad port') }), 1, 1],
    ['a certificate that does not verify', node('SELF_SIGNED_CERT_IN_CHAIN'), 1, 1],
    ['a certificate of another name', node('ERR_TLS_CERT_ALTNAME_INVALID'), 1, 1],
    ['reset', node('ECONNRESET'), 1, 3],
    ['reset on one address', half, 1, 3],
    ['timed out while connecting', node('UND_ERR_CONNECT_TIMEOUT'), 1, 3],
    ['a failure without a reason', new TypeError('Failed to fetch'), 1, 3],
  ])('%s', async (_, failure, posts, gets) => {
    const fetch = async () => {
      throw failure;
    };
    const client = clientFor({ baseUrl: 'https://host.example/v2' }, { ...limited, fetch });
    expect(await rejection(client.parties.create({ company_name: 'A' }))).toMatchObject({ attempts: posts });
    expect(await rejection(client.parties.get('1'))).toMatchObject({ attempts: gets });
  });
});

test.each([
  [
    'Node',
    Object.assign(new Error('getaddrinfo ENOTFOUND hots.example'), { code: 'ENOTFOUND' }),
    /: ENOTFOUND \(there is no host \S+: check the address\)$/,
  ],
  [
    'a certificate',
    Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    /: DEPTH_ZERO_SELF_SIGNED_CERT \(the certificate of host.example is not valid here: check the address; .*NODE_EXTRA_CA_CERTS/,
  ],
  [
    'a port where nothing listens',
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    /: ECONNREFUSED \(nothing listens at host.example: check the address and the server\)$/,
  ],
  ['a browser', undefined, /Failed to fetch \(the likely cause is CORS/],
])('the message of a connection error has the innermost reason: %s', async (_, cause, message) => {
  const lines: string[] = [];
  const quiet = () => {};
  const logger = { debug: quiet, warn: quiet, error: quiet, info: (line: string) => lines.push(line) };
  const fetch = async () => {
    throw new TypeError(cause ? 'fetch failed' : 'Failed to fetch', { cause });
  };
  const options = { fetch, logger, retry: { limit: 1, minDelay: 0 } };
  const error = await rejection(clientFor({ baseUrl: 'https://host.example/v2' }, options).parties.get('1'));
  expect((error as Error).message).toMatch(message);
  expect((error as Error).message).toContain('no response from the service at host.example (');
  expect(JSON.stringify(error)).toContain((error as Error).message);
  if (!cause) expect(lines[0]).toContain('CORS');
});

describe('a call', () => {
  test('is tried again four times by default, and the error has the number of attempts', async () => {
    const server = await serve({ status: 503 });
    const error = await rejection(clientFor(server).parties.get('1'));
    expect(error).toMatchObject({ name: 'ServerError', attempts: 5 });
    expect(server.requests).toHaveLength(5);
  });

  test.each([0, 1, 7])('is tried again up to a limit of %i', async limit => {
    const server = await serve({ status: 503 });
    const client = clientFor(server, { retry: { limit, minDelay: 0 } });
    expect(await rejection(client.parties.get('1'))).toMatchObject({ attempts: limit + 1 });
  });

  test('can override some of the retry options of the client', async () => {
    const server = await serve({ status: 503 });
    const client = clientFor(server, { retry: { limit: 7, minDelay: 0 } });
    const error = await rejection(client.parties.get('1', { retry: { limit: 1 } }));
    expect(error).toMatchObject({ attempts: 2 });
  });

  test('returns the number of its attempts', async () => {
    const server = await serve({ status: 503 }, { status: 500 }, { body: PARTY });
    const { data, attempts } = await clientFor(server).parties.get('1').withResponse();
    expect(data.id).toBe('1');
    expect(attempts).toBe(3);
  });

  test('rejects with the last error', async () => {
    const server = await serve({ status: 503 }, reset, { status: 404 });
    expect(await rejection(clientFor(server).parties.get('1'))).toMatchObject({ name: 'NotFoundError', attempts: 3 });
  });
});

describe('the wait before the next attempt', () => {
  /** The delay that follows a failed response. The call is then aborted. */
  async function delayAfter(failure: Answer, options: ClientOptions = {}): Promise<number | undefined> {
    const server = await serve(failure);
    const controller = new AbortController();
    let delay: number | undefined;
    const onRetry = ({ delayMs }: { delayMs: number }) => {
      delay = delayMs;
      controller.abort();
    };
    const client = clientFor(server, { hooks: { onRetry }, ...options });
    await rejection(client.parties.get('1', { signal: controller.signal }));
    return delay;
  }

  test.each([
    ['2', 2_000],
    ['0', 0],
    ['0.25', 250],
    [' 7 ', 7_000],
    ['120', 120_000],
  ])('is the Retry-After %s', async (header, expected) => {
    expect(await delayAfter({ status: 503, headers: { 'retry-after': header } })).toBe(expected);
    expect(await delayAfter({ status: 429, headers: { 'retry-after': header } })).toBe(expected);
  });

  test('is computed with the clock of the service if Retry-After is a date', async () => {
    const date = 'Tue, 01 Jan 2030 00:00:00 GMT';
    const headers = { date, 'retry-after': 'Tue, 01 Jan 2030 00:00:05 GMT' };
    expect(await delayAfter({ status: 503, headers })).toBe(5_000);
  });

  test('is computed with the local clock if Retry-After is a date, but the response has no Date header', async () => {
    const fetch = async () =>
      new Response(null, { status: 503, headers: { 'retry-after': new Date(Date.now() + 9_500).toUTCString() } });
    const delay = await delayAfter({}, { fetch });
    expect(delay).toBeGreaterThan(7_000);
    expect(delay).toBeLessThan(10_000);
  });

  test.each(['-5', '', 'soon', 'NaN', '1e3', 'Tue, 01 Jan 2019 00:00:00 GMT', undefined])(
    'is a back-off for the Retry-After %s',
    async header => {
      vi.spyOn(Math, 'random').mockReturnValue(0.5);
      const headers = header === undefined ? {} : { 'retry-after': header };
      expect(await delayAfter({ status: 503, headers }, { retry: {} })).toBe(250);
    },
  );

  test('is a random part of a value that doubles each time, up to maxDelay', () => {
    const policy = { limit: 9, minDelay: 500, maxDelay: 3_000, maxRetryAfter: 0 };
    const longest = [1, 2, 3, 4, 5].map(attempt => backOff(attempt, policy, () => 1));
    expect(longest).toEqual([500, 1_000, 2_000, 3_000, 3_000]);
    expect(backOff(3, policy, () => 0)).toBe(0);
    expect(backOff(3, policy, () => 0.5)).toBe(1_000);
  });

  test('does not begin if Retry-After exceeds maxRetryAfter: the call rejects with a RateLimitError', async () => {
    const server = await serve({ status: 429, headers: { 'retry-after': '121' } });
    const error = await rejection(clientFor(server).parties.get('1'));
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfterMs: 121_000, attempts: 1 });
    const patient = { retry: { maxRetryAfter: 200_000 } };
    expect(await delayAfter({ status: 429, headers: { 'retry-after': '121' } }, patient)).toBe(121_000);
  });

  test('does not begin after a 503 whose Retry-After exceeds maxRetryAfter: the call rejects with a ServerError', async () => {
    const server = await serve({ status: 503, headers: { 'retry-after': '121' } });
    expect(await rejection(clientFor(server).parties.get('1'))).toMatchObject({ name: 'ServerError', attempts: 1 });
  });

  test('is never shorter than Retry-After', async () => {
    const server = await serve({ status: 503, headers: { 'retry-after': '0.1' } }, { body: PARTY });
    const start = performance.now();
    await clientFor(server).parties.get('1');
    expect(performance.now() - start).toBeGreaterThanOrEqual(99);
  });
});

test('every attempt has the same body and headers', async () => {
  const server = await serve({ status: 429, headers: { 'retry-after': '0.001' } }, { body: PARTY });
  await clientFor(server).parties.create({ company_name: 'A' }, { headers: { 'x-trace': '7' } });
  const [first, second] = server.requests;
  expect(second).toEqual(first);
});

test('if retries are off, the error of a 429 has the wait that the service requested', async () => {
  const server = await serve({ status: 429, headers: { 'retry-after': '60' }, body: { errors: [{ title: 'T' }] } });
  const error = (await rejection(clientFor(server, { retry: false }).parties.get('1'))) as APIError;
  expect(error).toMatchObject({ name: 'RateLimitError', code: 'rate_limited', retryAfterMs: 60_000 });
});
