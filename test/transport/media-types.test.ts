import { describe, expect, test, vi } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { clientFor, PARTY } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

test('a body is sent as JSON:API, with a Content-Length', async () => {
  const server = await serve({ body: PARTY });
  await clientFor(server).parties.create({ company_name: 'Ä' });
  const [request] = server.requests;
  expect(request?.headers).toMatchObject({ 'content-type': 'application/vnd.api+json' });
  expect(request?.headers['content-length']).toBe(String(Buffer.byteLength(request?.body ?? '')));
  expect(JSON.parse(request?.body ?? '')).toEqual({ data: { type: 'party', attributes: { company_name: 'Ä' } } });
});

test('the webhook trigger is sent as plain JSON', async () => {
  const server = await serve({ body: { succeeded: true } });
  await clientFor(server).webhooks.trigger({ url: 'https://example.com/hook', event: 'container.updated' });
  expect(server.requests[0]?.headers['content-type']).toBe('application/json');
  expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
    url: 'https://example.com/hook',
    event: 'container.updated',
  });
});

test('a request without a body has no content type', async () => {
  const server = await serve({ body: PARTY });
  await clientFor(server).parties.get('1');
  const headers = server.requests[0]?.headers;
  expect(headers?.['content-type']).toBeUndefined();
  expect(headers?.accept).toBe('application/vnd.api+json, application/json');
});

test.each([
  'application/vnd.api+json',
  'application/vnd.api+json; charset=utf-8',
  'application/json',
  'text/plain',
  undefined,
])('a response of type %s is read', async type => {
  const server = await serve({ headers: type ? { 'content-type': type } : {}, body: JSON.stringify(PARTY) });
  expect(await clientFor(server).parties.get('1')).toMatchObject({ id: '1' });
});

describe('User-Agent', () => {
  test('names the package and its version', async () => {
    const server = await serve({ body: PARTY });
    await clientFor(server).parties.get('1');
    expect(server.requests[0]?.headers['user-agent']).toBe(`container-tracking-sdk/${VERSION}`);
  });

  test('is set by the browser, and not by the client, in a browser', async () => {
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});
    const server = await serve({ body: PARTY });
    await clientFor(server, { accessToken: 'token' }).parties.get('1');
    vi.unstubAllGlobals();
    expect(server.requests[0]?.headers['user-agent']).not.toContain('container-tracking-sdk');
  });
});

test('the headers of the call override the headers of the client', async () => {
  const server = await serve({ body: PARTY });
  const client = clientFor(server, { headers: { 'x-a': 'client', 'x-b': 'client' } });
  await client.parties.get('1', { headers: { 'X-B': 'call' } });
  expect(server.requests[0]?.headers).toMatchObject({ 'x-a': 'client', 'x-b': 'call' });
});
