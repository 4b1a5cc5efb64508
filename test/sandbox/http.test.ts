import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { attributes, call, createSandbox, stillSandbox } from '../../support/sandbox.ts';

const KEY = { authorization: 'Token sandbox' };
const PARTY = JSON.stringify(attributes('party', { company_name: 'Sample Imports' }));

describe('HEAD', () => {
  test.each([
    '/v2/shipments',
    '/v2/shipments/unknown',
    '/v2/unknown',
    '/mcp',
    '/.well-known/oauth-protected-resource',
    '/',
  ])('of %s has the status and headers of GET, but no body', async path => {
    const sandbox = createSandbox({ shipments: 1 });
    const server = await sandbox.listen();
    onTestFinished(() => server.close());
    const url = new URL(path, server.baseUrl);
    const [get, head] = [await fetch(url, { headers: KEY }), await fetch(url, { method: 'HEAD', headers: KEY })];
    expect([head.status, head.headers.get('content-type')]).toEqual([get.status, get.headers.get('content-type')]);
    expect(await head.text()).toBe('');
  });

  test('is counted and logged under its own method, and changes nothing', async () => {
    const sandbox = stillSandbox({
      rateLimit: { limits: { default: 1 } },
      faults: [{ route: 'GET /parties', status: 503 }],
    });
    const head = () => sandbox.fetch('https://host.example/v2/parties', { method: 'HEAD', headers: KEY });
    expect([(await head()).status, (await head()).status]).toEqual([200, 429]);
    expect(sandbox.requests.map(({ method }) => method)).toEqual(['HEAD', 'HEAD']);
  });
});

describe('a body', () => {
  const post = (path: string, type: string | undefined, body: BodyInit = PARTY) =>
    stillSandbox().fetch(`https://host.example${path}`, {
      method: 'POST',
      headers: { ...KEY, ...(type !== undefined && { 'content-type': type }) },
      body,
    });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/jsonp',
    'application/json5',
  ])('of the type %s gets a 415, and changes nothing', async type => {
    const response = await post('/v2/parties', type);
    expect(response.status).toBe(415);
    expect(await response.json()).toEqual({
      errors: [
        {
          status: '415',
          title: 'Unsupported Media Type',
          detail: 'The Content-Type must be application/vnd.api+json or application/json.',
        },
      ],
    });
    expect((await post('/mcp', type, '{"jsonrpc":"2.0","id":1,"method":"ping"}')).status).toBe(415);
  });

  test.each([
    'application/json',
    'application/vnd.api+json',
    'Application/JSON; charset=utf-8',
    'application/json ;a=b',
  ])('of the type %s is read', async type => {
    expect((await post('/v2/parties', type)).status).toBe(201);
  });

  test('without a type is read as JSON', async () => {
    expect((await post('/v2/parties', undefined, new TextEncoder().encode(PARTY))).status).toBe(201);
  });
});

describe('a media type of a file that is not valid in a header', () => {
  const type = 'text/html\r\nX-Injected: 1';

  test('causes a 422 for an upload', async () => {
    const blob = { filename: 'a', content_type: type, byte_size: 1, checksum: 'AAAAAAAAAAAAAAAAAAAAAA==' };
    const { status } = await call(stillSandbox(), 'POST', '/rails/active_storage/direct_uploads', { blob });
    expect(status).toBe(422);
  });

  test('causes a ConfigurationError for an email, and the email does not arrive', () => {
    const sandbox = stillSandbox();
    const attachments = [{ filename: 'a.html', contentType: type }];
    expect(() => sandbox.receiveEmail({ attachments })).toThrow(ConfigurationError);
    expect(sandbox.account().counts().documents).toBe(0);
  });
});
