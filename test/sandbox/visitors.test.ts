import { execFileSync } from 'node:child_process';
import { request as send } from 'node:http';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { hasProgram } from '../../support/needs.ts';
import { attributes, createSandbox, type ListenOptions, type Sandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

const FOREIGN = 'https://app.example';
const KEY = { authorization: 'Token sandbox' };

interface Listening {
  sandbox: Sandbox;
  port: number;
  ask(path: string, init?: Init): Promise<Answer>;
}

interface Init {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

async function listening(options: ListenOptions = {}): Promise<Listening> {
  const sandbox = createSandbox();
  const server = await sandbox.listen(options);
  onTestFinished(() => server.close());
  const port = Number(new URL(server.baseUrl).port);
  return {
    sandbox,
    port,
    // The `fetch` of a browser cannot set the host or the origin, so the test does not use it.
    ask: (path, { method = 'GET', headers = {}, body = '' } = {}) =>
      new Promise((resolve, reject) => {
        const type = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
        const asked = send({ port, host: '127.0.0.1', path, method, headers: { ...(body && type), ...headers } });
        asked.on('error', reject).on('response', async response => {
          let text = '';
          for await (const chunk of response) text += chunk;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
        asked.end(body);
      }),
  };
}

const corsOf = ({ headers }: Answer) => Object.keys(headers).filter(name => name.startsWith('access-control-'));
const party = JSON.stringify(attributes('party', { company_name: 'Sample Imports' }));

describe('a page of another machine', () => {
  test.each([FOREIGN, 'http://192.168.1.5:3000', 'null', 'http://localhost.example', 'http://127.0.0.1.host.example'])(
    '(%s) gets a 403 without CORS headers, before anything happens',
    async origin => {
      const { sandbox, ask } = await listening();
      const page = { ...KEY, origin };
      for (const answer of [
        await ask('/v2/shipments', { headers: page }),
        await ask('/v2/parties', { method: 'POST', headers: page, body: party }),
        await ask('/mcp', { method: 'POST', headers: page, body: '{}' }),
        await ask('/oauth/register', { method: 'POST', headers: page, body: '{"redirect_uris":["http://a.example"]}' }),
        await ask('/.well-known/oauth-authorization-server', { headers: page }),
        await ask('/v2/parties', {
          method: 'OPTIONS',
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization',
            'access-control-request-private-network': 'true',
          },
        }),
      ]) {
        expect(answer.status).toBe(403);
        expect(corsOf(answer)).toEqual([]);
        expect(JSON.parse(answer.body).errors[0].detail).toContain(`the origin ${origin}`);
      }
      expect(sandbox.requests).toEqual([]);
      expect(JSON.parse((await ask('/v2/parties', { headers: KEY })).body).data).toEqual([]);
    },
  );

  test('is allowed if `cors` has its origin, in any usual spelling', async () => {
    const { ask } = await listening({ cors: ['HTTPS://App.example:443/'] });
    const answer = await ask('/v2/parties', { headers: { ...KEY, origin: FOREIGN } });
    expect([answer.status, answer.headers['access-control-allow-origin'], answer.headers.vary]).toEqual([
      200,
      FOREIGN,
      'origin',
    ]);
    expect((await ask('/v2/parties', { headers: { ...KEY, origin: 'https://other.example' } })).status).toBe(403);
  });

  test('gets no header and no body from the receiver of a trigger, even if the page is allowed', async () => {
    const receiver = await serve({ headers: { 'x-secret': 'of the machine' }, body: 'a secret of the machine' });
    const { ask } = await listening({ cors: [FOREIGN] });
    const trigger = async (origin: Record<string, string>) => {
      const body = JSON.stringify({ url: receiver.origin, event: 'container.updated' });
      return (await ask('/v2/webhooks/trigger', { method: 'POST', headers: { ...KEY, ...origin }, body })).body;
    };
    expect(JSON.parse(await trigger({ origin: FOREIGN }))).toMatchObject({
      succeeded: true,
      status_code: 200,
      response_headers: null,
      response_body: null,
    });
    for (const origin of [{}, { origin: 'http://localhost:3000' }])
      expect(JSON.parse(await trigger(origin))).toMatchObject({
        response_headers: { 'x-secret': 'of the machine' },
        response_body: 'a secret of the machine',
      });
  });
});

test.each([
  'http://localhost:3000',
  'https://localhost',
  'http://127.0.0.1:5173',
  'http://[::1]:8080',
  'http://a.localhost',
])('a page of this machine (%s) may use the sandbox', async origin => {
  const { ask } = await listening();
  const answer = await ask('/v2/parties', { method: 'POST', headers: { ...KEY, origin }, body: party });
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([201, origin]);
});

test('a page of the sandbox itself may use the sandbox, even if the browser hides its origin', async () => {
  const { ask } = await listening({ host: '0.0.0.0' });
  const form = { method: 'POST', body: party };
  const own = { ...KEY, host: '192.168.1.5:4010', origin: 'http://192.168.1.5:4010' };
  expect((await ask('/v2/parties', { ...form, headers: own })).status).toBe(201);
  const hidden = { ...KEY, origin: 'null', 'sec-fetch-site': 'same-origin' };
  expect((await ask('/v2/parties', { ...form, headers: hidden })).status).toBe(422);
  expect((await ask('/v2/parties', { ...form, headers: { ...hidden, 'sec-fetch-site': 'cross-site' } })).status).toBe(
    403,
  );
});

describe('a name that leads to this machine (DNS rebinding)', () => {
  test.each(['rebound.example', 'localhost.example', '127.0.0.1.host.example', 'sandbox', 'a.local'])(
    '(%s) is refused on the loopback interface',
    async name => {
      const { sandbox, ask, port } = await listening();
      for (const path of ['/v2/shipments', '/mcp', '/oauth/authorize', '/.well-known/oauth-protected-resource'])
        expect((await ask(path, { headers: { ...KEY, host: `${name}:${port}` } })).status).toBe(403);
      const origin = `http://${name}:${port}`;
      const headers = { ...KEY, host: `${name}:${port}`, origin };
      const answer = await ask('/v2/parties', { method: 'POST', headers, body: party });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body).errors[0].detail).toContain(`--cors ${origin}`);
      expect(sandbox.requests).toEqual([]);
    },
  );

  test('is accepted if it is an IP address, localhost, or the host of an allowed origin', async () => {
    const { ask } = await listening({ cors: ['http://sandbox.example:4010'] });
    for (const host of ['127.0.0.1:1', 'localhost', 'api.localhost:80', '[::1]:4010', 'sandbox.example:4010'])
      expect((await ask('/v2/parties', { headers: { ...KEY, host } })).status).toBe(200);
    expect((await ask('/v2/parties', { headers: { ...KEY, host: 'sandbox.example:4011' } })).status).toBe(403);
  });

  test('is accepted on other interfaces if the name can only exist in a private network', async () => {
    const { ask } = await listening({ host: '0.0.0.0' });
    for (const host of ['sandbox:4010', 'host.docker.internal:4010', 'sandbox.default.svc.cluster.local'])
      expect((await ask('/v2/parties', { headers: { ...KEY, host } })).status).toBe(200);
    expect((await ask('/v2/parties', { headers: { ...KEY, host: 'rebound.example' } })).status).toBe(403);
  });
});

test.each([
  ['*'],
  ['null'],
  ['app.example'],
  ['https://app.example/path'],
  ['https://a:b@app.example'],
  ['http://a,http://b'],
  [5],
])('cors: [%j] causes a ConfigurationError that shows a correct origin', async origin => {
  const listen = createSandbox().listen({ cors: [origin as string] });
  await expect(listen).rejects.toThrow(ConfigurationError);
  await expect(listen).rejects.toThrow('https://app.example');
});

test('a value of cors that is not an array causes a ConfigurationError', async () => {
  await expect(createSandbox().listen({ cors: FOREIGN as unknown as string[] })).rejects.toThrow(
    "it must be an array such as ['https://app.example']",
  );
});

describe.skipIf(!hasProgram('chromium'))('in Chromium, a page of http://foreign.example', () => {
  let browser: Browser;

  beforeAll(async () => {
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--host-resolver-rules=MAP foreign.example 127.0.0.1',
    ];
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(() => browser.close());

  async function opened(isAllowed = false): Promise<Listening & { tab: Page; secret: string }> {
    const page = await serve({ headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>page</title>' });
    const service = await serve({ body: 'a secret of the machine' });
    const origin = page.origin.replace('127.0.0.1', 'foreign.example');
    const tab = await browser.newPage();
    onTestFinished(() => tab.close());
    await tab.goto(origin);
    return { ...(await listening({ cors: isAllowed ? [origin] : [] })), tab, secret: service.origin };
  }

  /** The text that the page can read, or the name of the error. */
  const read = (tab: Page, url: string, init: Init & { mode?: 'no-cors' }) =>
    tab.evaluate(
      ([address, options]) =>
        fetch(address, options).then(
          response => response.text(),
          error => error.name,
        ),
      [url, init] as const,
    );

  test('reads nothing and changes nothing, with and without a preflight', async () => {
    const { tab, port, secret, sandbox, ask } = await opened();
    const trigger = { url: secret, event: 'container.updated' };
    for (const host of ['127.0.0.1', 'localhost', 'foreign.example']) {
      const at = (path: string) => `http://${host}:${port}${path}`;
      const body = JSON.stringify(trigger);
      const headers = { ...KEY, 'content-type': 'application/json' };
      expect(await read(tab, at('/v2/webhooks/trigger'), { method: 'POST', headers, body })).toBe('TypeError');
      expect(await read(tab, at('/v2/shipments'), { headers: KEY })).toBe('TypeError');
      expect(await read(tab, at('/.well-known/oauth-authorization-server'), {})).toBe('TypeError');
      const simple = {
        method: 'POST',
        mode: 'no-cors',
        body: '{"redirect_uris":["https://foreign.example"]}',
      } as const;
      expect(await read(tab, at('/oauth/register'), simple)).toBe('');
    }
    expect(sandbox.requests).toEqual([]);
    expect((await ask('/v2/parties', { headers: KEY })).status).toBe(200);
  });

  test('under the name of the sandbox (DNS rebinding), reads nothing', async () => {
    const { tab, port, sandbox } = await opened();
    const refused = await tab.goto(`http://foreign.example:${port}/v2/shipments`);
    expect(refused?.status()).toBe(403);
    const body = JSON.stringify(attributes('party', { company_name: 'Foreign' }));
    const answer = await read(tab, '/v2/parties', { method: 'POST', headers: KEY, body });
    expect(JSON.parse(answer).errors[0].status).toBe('403');
    expect(sandbox.requests).toEqual([]);
  });

  test('may send a person to the sign-in page, where a click on Allow leads back to the page', async () => {
    const { tab, port, ask } = await opened();
    const back = `${new URL(tab.url()).origin}/callback`;
    const body = JSON.stringify({ redirect_uris: [back] });
    const { client_id } = JSON.parse((await ask('/oauth/register', { method: 'POST', body })).body);
    const question = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: back,
      code_challenge: 'a-challenge',
      code_challenge_method: 'S256',
    });
    await tab.evaluate(url => location.assign(url), `http://127.0.0.1:${port}/oauth/authorize?${question}`);
    await tab.getByRole('button', { name: 'Allow' }).click();
    await tab.waitForURL(`${back}?**`);
    expect(new URL(tab.url()).searchParams.get('code')).toMatch(/^code-/);
  });

  test('uses the sandbox when its origin is allowed, but cannot read other services through the sandbox', async () => {
    const { tab, port, secret } = await opened(true);
    const headers = { ...KEY, 'content-type': 'application/json' };
    const body = JSON.stringify({ url: secret, event: 'container.updated' });
    const at = `http://127.0.0.1:${port}/v2`;
    const seen = JSON.parse(await read(tab, `${at}/webhooks/trigger`, { method: 'POST', headers, body }));
    expect(seen).toMatchObject({ succeeded: true, response_headers: null, response_body: null });
    expect(JSON.parse(await read(tab, `${at}/parties`, { headers: KEY })).data).toEqual([]);
  });
});
