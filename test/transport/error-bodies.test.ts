import { describe, expect, test } from 'vitest';
import { type APIError, APIError as APIErrorClass } from '../../src/index.ts';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import documents from '../../support/samples/errors.json' with { type: 'json' };
import { type Answer, type Handler, serve } from '../../support/server.ts';

const NOTHING = {
  title: undefined,
  detail: undefined,
  pointer: undefined,
  parameter: undefined,
  code: undefined,
  status: undefined,
  meta: undefined,
};

async function errorFor(answer: Answer): Promise<APIError> {
  const server = await serve(answer);
  const error = await rejection(clientFor(server, { retry: false }).parties.get('1'));
  expect(error).toBeInstanceOf(APIErrorClass);
  return error as APIError;
}

const NAMES: Record<string, [name: string, code: string]> = {
  400: ['BadRequestError', 'bad_request'],
  401: ['AuthenticationError', 'unauthorized'],
  403: ['FeatureNotEnabledError', 'feature_not_enabled'],
  404: ['NotFoundError', 'not_found'],
  409: ['ConflictError', 'conflict'],
  422: ['ValidationError', 'invalid'],
  429: ['RateLimitError', 'rate_limited'],
  500: ['ServerError', 'server_error'],
};

interface WireItem {
  title?: string;
  detail?: string | null;
  code?: string;
  source?: { pointer?: string; parameter?: string } | null;
}

// Some documented errors have only a status, and no body.
const documented = Object.entries(documents).flatMap(([name, body]) => (body ? [{ name, body }] : []));

test.each(documented)('a documented error becomes an APIError: $name', async ({ name, body }) => {
  const status = Number(name.slice(0, 3));
  const error = await errorFor({ status, body });
  const [wire] = ('errors' in body ? body.errors : body.error) as [WireItem];
  const [expectedName, code] = NAMES[status] ?? [];
  expect(error).toMatchObject({ name: expectedName, code, status, method: 'GET', path: '/parties/1', body });
  expect(error.errors).toHaveLength(1);
  expect(error.errors[0]).toMatchObject({
    title: wire.title,
    detail: wire.detail ?? undefined,
    code: wire.code,
    pointer: wire.source?.pointer,
    parameter: wire.source?.parameter,
  });
  expect(error.message).toContain(`GET /parties/1: ${status} ${wire.detail ?? wire.title}`);
  if (wire.source?.pointer) expect(error.message).toContain(wire.source.pointer);
});

test('a 409 names the existing document', async () => {
  const error = await errorFor({ status: 409, body: documents['409 duplicate document'] });
  expect(error).toMatchObject({
    existingDocumentId: '2d627901-4cdd-4f17-b561-0087c2d0ca61',
    existingDocumentName: 'invoice.pdf',
  });
});

test('a 403 causes a FeatureNotEnabledError only if its text mentions a feature', async () => {
  const plain = await errorFor({
    status: 403,
    body: { errors: [{ title: 'Forbidden', detail: 'Not your shipment' }] },
  });
  expect(plain).toMatchObject({ name: 'PermissionDeniedError', code: 'forbidden' });
  const second = { errors: [{ title: 'Forbidden' }, { detail: 'Routing is NOT ENABLED' }] };
  expect(await errorFor({ status: 403, body: second })).toMatchObject({ name: 'FeatureNotEnabledError' });
  expect(await errorFor({ status: 403 })).toMatchObject({ name: 'PermissionDeniedError' });
});

describe('an undocumented error body', () => {
  test.each([
    ['errors as text', { errors: 'no such port' }, { title: 'no such port' }],
    ['error as text', { error: 'no such port' }, { title: 'no such port' }],
    ['error and message', { error: 'invalid', message: 'no such port' }, { title: 'invalid', detail: 'no such port' }],
    ['error as an object', { error: { title: 'A', detail: 'B' } }, { title: 'A', detail: 'B' }],
    ['a list of texts', { errors: ['A', 'B'] }, { title: 'A' }],
    ['message alone', { message: 'no such port' }, { detail: 'no such port' }],
    ['detail alone', { detail: 'no such port' }, { detail: 'no such port' }],
    ['an empty list beside a message', { errors: [], message: 'no such port' }, { detail: 'no such port' }],
    ['an object without any known key', { reason: 1 }, {}],
    ['an empty object', {}, {}],
    ['status and code as numbers', { errors: [{ status: 422, code: 7 }] }, { status: '422', code: '7' }],
    ['source, meta and title of the wrong kind', { errors: [{ source: 'x', meta: [], title: {} }] }, {}],
    ['an item that is null', { errors: [null] }, { title: 'null' }],
    ['an item without a usable text', { errors: [[{ toString: 1 }]] }, { title: '[{"toString":1}]' }],
    ['a list', [{ title: 'A' }], { title: '[{"title":"A"}]' }],
    ['text in JSON', JSON.stringify('no such port'), { title: 'no such port' }],
    ['null', 'null', { title: 'null' }],
    ['a number', '5', { title: '5' }],
    ['plain text', 'Bad  Gateway\n', { title: 'Bad Gateway' }],
    ['a page', '<!doctype html><html><title> Not\nfound </title><p>x', { title: 'Not found' }],
    ['a page without a title', '<html><body><h1>Not</h1> found</body>', { title: 'Not found' }],
    ['JSON that is cut off', '{"errors":[{"title":"A', { title: '{"errors":[{"title":"A' }],
  ])('%s', async (_, body, item) => {
    const error = await errorFor({ status: 422, body });
    expect(error.errors[0]).toEqual({ ...NOTHING, ...item });
    const words = 'detail' in item ? item.detail : 'title' in item ? item.title : 'code' in item ? item.code : '422';
    expect(error.message).toContain(words);
  });

  test.each(['', ' \n'])('that is empty (%j) gives no items, and the reason phrase is the message', async body => {
    const error = await errorFor({ status: 503, statusText: 'Taking a nap', body });
    expect(error).toMatchObject({ errors: [], body: undefined, message: 'GET /parties/1: 503 Taking a nap' });
  });

  test('with several items: the message has all of them', async () => {
    const errors = [
      { detail: '', title: 'A' },
      { detail: 'B', source: { parameter: 'include' } },
      { code: 'c', source: { pointer: '/data' } },
      {},
    ];
    const error = await errorFor({ status: 400, body: { errors } });
    expect(error.errors).toHaveLength(4);
    expect(error.message).toBe('GET /parties/1: 400 A; B (include); c (/data)');
  });
});

describe('a harmful body', () => {
  test('leads to a short message, but `body` and `errors` have the full texts', async () => {
    const detail = 'x'.repeat(100_000);
    const error = await errorFor({ status: 422, body: { errors: [{ detail }, { detail }] } });
    expect(error.message.length).toBeLessThan(1_200);
    expect(error.errors[0]?.detail).toBe(detail);
    const list = await errorFor({ status: 422, body: [detail] });
    expect(list.message.length).toBeLessThan(1_200);
  });

  test.each([
    ['brackets', '<'.repeat(900_000)],
    ['titles', '<title'.repeat(150_000)],
    ['blanks', `${' '.repeat(900_000)}x`],
  ])('that consists only of %s is read in linear time', async (_, body) => {
    // The time is measured as processor time. A quadratic algorithm would need minutes.
    const start = process.cpuUsage();
    await errorFor({ status: 500, body });
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  });

  test.each([
    ['lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['items', `{"errors":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}`],
    ['objects', `{"errors":[{"meta":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}]}`],
  ])('with 100,000 nested %s still becomes an APIError', async (_, body) => {
    const error = await errorFor({ status: 422, body });
    expect(error).toMatchObject({ name: 'ValidationError', status: 422 });
    expect(error.errors).toHaveLength(1);
    expect(() => JSON.stringify(error)).not.toThrow();
  });

  test('with a key __proto__ changes no prototype', async () => {
    const body = '{"errors":[{"title":"A","meta":{"__proto__":{"polluted":1}}}],"__proto__":{"polluted":1}}';
    const error = await errorFor({ status: 422, body });
    expect(error.errors[0]?.meta).toEqual({});
    expect((error.body as { polluted?: number }).polluted).toBeUndefined();
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('is read even if it has invalid UTF-8 or a byte order mark', async () => {
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    const json = Buffer.concat([mark, Buffer.from('{"errors":[{"title":"A'), Buffer.from([0xff]), Buffer.from('"}]}')]);
    expect((await errorFor({ status: 422, body: json })).errors[0]?.title).toBe('A\ufffd');
  });
});

test.each([
  [400, 'BadRequestError'],
  [401, 'AuthenticationError'],
  [402, 'APIError'],
  [403, 'PermissionDeniedError'],
  [404, 'NotFoundError'],
  [405, 'APIError'],
  [409, 'ConflictError'],
  [410, 'APIError'],
  [418, 'APIError'],
  [422, 'ValidationError'],
  [429, 'RateLimitError'],
  [500, 'ServerError'],
  [503, 'ServerError'],
  [599, 'ServerError'],
])('status %i causes a %s', async (status, name) => {
  expect(await errorFor({ status })).toMatchObject({ name, status });
});

test('an error has the request id of the service', async () => {
  expect(await errorFor({ status: 404, headers: { 'x-request-id': 'req-7' } })).toMatchObject({ requestId: 'req-7' });
  expect((await errorFor({ status: 404 })).requestId).toBeUndefined();
});

describe('a failed response whose body breaks off', () => {
  const breakingOff =
    (status: number, headers: Record<string, string> = {}): Handler =>
    (_, response) =>
      void response.writeHead(status, headers).write('{', () => response.destroy());

  test('is not retried if it is a 404', async () => {
    const server = await serve(breakingOff(404));
    expect(await rejection(clientFor(server).parties.get('1'))).toMatchObject({ name: 'NotFoundError', attempts: 1 });
  });

  test('is retried if it is a 429, even for a POST', async () => {
    const server = await serve(breakingOff(429, { 'retry-after': '0.001' }), { body: PARTY });
    expect(await clientFor(server).parties.create({ company_name: 'A' })).toMatchObject({ id: '1' });
    expect(server.requests).toHaveLength(2);
  });

  test('determines the error by its status, even if the body cannot be decompressed', async () => {
    const server = await serve({ status: 422, headers: { 'content-encoding': 'gzip' }, body: 'not gzip' });
    expect(await rejection(clientFor(server).parties.get('1'))).toMatchObject({ name: 'ValidationError' });
  });

  test('does not hide a timeout during the body', async () => {
    const server = await serve((_, response) => void response.writeHead(404).write('{'));
    const call = clientFor(server, { timeout: 50, retry: false }).parties.get('1');
    expect(await rejection(call)).toMatchObject({ name: 'TimeoutError' });
  });
});

test.each([
  ['an HTML page', '<html><head><title>502 Bad Gateway</title></head></html>'],
  ['text', '502 Bad Gateway'],
  ['JSON', { errors: [{ title: '502 Bad Gateway' }] }],
])('the message has the status once if %s repeats it', async (_, body) => {
  const server = await serve({ status: 502, body });
  const error = await rejection(clientFor(server, { retry: false }).parties.get('1'));
  expect(error).toMatchObject({ message: 'GET /parties/1: 502 Bad Gateway', errors: [{ title: '502 Bad Gateway' }] });
});
