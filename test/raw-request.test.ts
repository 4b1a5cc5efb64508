import { describe, expect, test } from 'vitest';
import { ConfigurationError, type RawRequest } from '../src/index.ts';
import { clientFor, KEY, rejection } from '../support/client.ts';
import { serve } from '../support/server.ts';

describe('client.request', () => {
  test('sends the request like every other call, and returns the JSON body unchanged', async () => {
    const body = { message: 'Refresh enqueued', data: 5 };
    const server = await serve({ status: 503 }, { body });
    const result = await clientFor(server).request<typeof body>({
      path: '/containers/1%2F2/refresh',
      query: { filter: { number: 'A B' }, page: { size: 2 }, nothing: null, absent: undefined },
      headers: { 'x-trace': '1' },
    });
    expect(result).toEqual(body);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]).toMatchObject({
      method: 'GET',
      url: '/v2/containers/1%2F2/refresh?filter[number]=A%20B&page[size]=2',
      headers: { authorization: `Token ${KEY}`, 'x-trace': '1' },
    });
  });

  test('sends a body as JSON:API', async () => {
    const server = await serve({ status: 201, body: {} });
    await clientFor(server).request({ method: 'POST', path: '/x', body: { data: { type: 'a' } } });
    expect(server.requests[0]).toMatchObject({ method: 'POST', body: '{"data":{"type":"a"}}' });
    expect(server.requests[0]?.headers['content-type']).toBe('application/vnd.api+json');
  });

  test.each([0, false, null, ''])('also sends %j as a body', async body => {
    const server = await serve({ body: {} });
    await clientFor(server).request({ method: 'PUT', path: '/x', body });
    expect(server.requests[0]?.body).toBe(JSON.stringify(body));
  });

  test.each(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'sends the method %s',
    async method => {
      const server = await serve({ status: 200 });
      expect(await clientFor(server).request({ method, path: '/x' })).toBeUndefined();
      expect(server.requests[0]?.method).toBe(method);
    },
  );

  test('accepts the options of a call', async () => {
    const server = await serve(() => {});
    const call = clientFor(server).request({ path: '/x', timeout: 30, retry: false });
    expect(await rejection(call)).toMatchObject({ code: 'timeout', limitMs: 30 });
  });

  test('fails with a ResponseFormatError for a response that is not JSON', async () => {
    const server = await serve({ body: '<html>' });
    expect(await rejection(clientFor(server).request({ path: '/x' }))).toMatchObject({ name: 'ResponseFormatError' });
  });

  test('refuses a second argument, which would be ignored', async () => {
    const server = await serve({ body: {} });
    // @ts-expect-error the options are part of the request
    const error = await rejection(clientFor(server).request({ path: '/x' }, { signal: AbortSignal.abort() }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toContain(
      'request has no option in a second argument; there are: method, path, query, body, signal,',
    );
    expect(server.requests).toHaveLength(0);
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;

  test.each<[string, Partial<Record<keyof RawRequest, unknown>>]>([
    ['no path', { path: undefined }],
    ['a path without its slash', { path: 'x' }],
    ['a path to another host', { path: '//other.example/x' }],
    ['an address instead of a path', { path: 'https://other.example/x' }],
    ['a backslash', { path: '/\\other.example' }],
    ['a query in the path', { path: '/x?a=1' }],
    ['a fragment', { path: '/x#a' }],
    ['a path that leaves the base URL', { path: '/../admin' }],
    ['an encoded path that leaves the base URL', { path: '/x/%2e%2E/%2e%2e/admin' }],
    ['a dot segment', { path: '/./x' }],
    ['a line break', { path: '/x\ny' }],
    ['an unknown method', { method: 'TRACE' }],
    ['a method in lower case', { method: 'post' }],
    ['a body for GET', { body: {} }],
    ['a body for HEAD', { method: 'HEAD', body: {} }],
    ['a circular body', { method: 'POST', body: circular }],
    ['a BigInt', { method: 'POST', body: { a: 1n } }],
    ['a function', { method: 'POST', body: () => {} }],
    ['an unknown priority', { priority: 'high' }],
    ['a retry that is a number', { retry: 2 }],
    ['a header that cannot be sent', { headers: { 'x-a': 'a\nb' } }],
    ['headers as a Headers object', { headers: new Headers({ 'x-a': '1' }) }],
  ])('refuses %s with a ConfigurationError, and sends nothing', async (_, request) => {
    const server = await serve({ body: {} });
    const call = clientFor(server).request({ path: '/x', ...request } as RawRequest);
    expect(await rejection(call)).toBeInstanceOf(ConfigurationError);
    expect(server.connections).toBe(0);
  });
});
