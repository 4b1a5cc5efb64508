import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasProgram } from '../../support/needs.ts';
import { createSandbox, type SandboxOptions, stillSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

const ORIGIN = 'https://app.example';
const PREFLIGHT = {
  origin: ORIGIN,
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'authorization,content-type,x-sent-by',
};

async function listening(options: SandboxOptions = {}, cors: string[] = []) {
  const sandbox = createSandbox(options);
  const server = await sandbox.listen({ cors });
  onTestFinished(() => server.close());
  return { sandbox, baseUrl: server.baseUrl };
}

type Start = () => Promise<{ send: (path: string, init?: RequestInit) => Promise<Response> }>;

const ways: [string, string, Start][] = [
  ['fetch()', '*', async () => ({ send: (path, init) => stillSandbox().fetch(`https://host.example${path}`, init) })],
  [
    'listen({ cors })',
    ORIGIN,
    async () => {
      const { baseUrl } = await listening({}, [ORIGIN]);
      return { send: (path, init) => fetch(new URL(path, baseUrl), init) };
    },
  ],
];

describe.each(ways)('%s', (_, allowed, start) => {
  test.each(['/v2/shipments/1', '/v2/rails/active_storage/disk/1', '/v2/unknown', '/mcp'])(
    'allows a page of another origin to request %s with any header',
    async path => {
      const { send } = await start();
      const { status, headers } = await send(path, { method: 'OPTIONS', headers: PREFLIGHT });
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(allowed);
      expect(headers.get('access-control-allow-methods')?.split(', ')).toEqual(
        expect.arrayContaining(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']),
      );
      expect(headers.get('access-control-allow-headers')).toBe(PREFLIGHT['access-control-request-headers']);
    },
  );

  test('lets a page of an allowed origin read every response and its headers, even an error response', async () => {
    const { send } = await start();
    for (const key of ['sandbox', 'wrong']) {
      const { status, headers } = await send('/v2/parties', {
        headers: { authorization: `Token ${key}`, origin: ORIGIN },
      });
      expect(status).toBe(key === 'sandbox' ? 200 : 401);
      expect(headers.get('access-control-allow-origin')).toBe(allowed);
      expect(headers.get('access-control-expose-headers')).toBe('*');
    }
  });

  test('lets an allowed page of the public network reach the loopback interface', async () => {
    const headers = { ...PREFLIGHT, 'access-control-request-private-network': 'true' };
    const { send } = await start();
    const answer = await send('/v2/parties', { method: 'OPTIONS', headers });
    expect(answer.headers.get('access-control-allow-private-network')).toBe('true');
  });

  test('sends no CORS headers if the request does not come from a page', async () => {
    const { send } = await start();
    const { headers } = await send('/v2/parties', { headers: { authorization: 'Token sandbox' } });
    expect([...headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([]);
  });
});

test('faults, latency and the rate limit do not apply to a preflight, and the log does not show it', async () => {
  const sandbox = stillSandbox({
    faults: [{ status: 500 }],
    latency: 60_000,
    rateLimit: { limits: { default: 1 } },
  });
  for (let count = 0; count < 3; count += 1) {
    const { status } = await sandbox.fetch('https://host.example/v2/parties', {
      method: 'OPTIONS',
      headers: PREFLIGHT,
    });
    expect(status).toBe(204);
  }
  expect(sandbox.requests).toEqual([]);
});

test.skipIf(!hasProgram('chromium'))(
  'a page in Chromium uses the client against a sandbox of another origin',
  { timeout: 60_000 },
  async () => {
    const { sandbox, baseUrl } = await listening();
    sandbox.seedShipments(2);
    const contents = `
      import { TrackingClient } from ${JSON.stringify(resolve(import.meta.dirname, '../../src/index.ts'))};
      window.run = async baseUrl => {
        const client = new TrackingClient({ baseUrl, accessToken: 'sandbox', logger: false, retry: false });
        const shipments = await client.shipments.list().toArray();
        const party = await client.parties.create({ company_name: 'Sample Imports' });
        const { name } = await client.documents.upload({ file: new File(['text'], 'invoice.txt') });
        const refused = new TrackingClient({ baseUrl, accessToken: 'wrong', logger: false, retry: false });
        const error = await refused.parties.list().then(() => undefined, reason => reason);
        return [shipments.length, party.company_name, name, error?.status, typeof error?.requestId];
      };`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      format: 'esm',
      write: false,
    });
    const page = await serve((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<!doctype html><script type="module">${outputFiles[0]?.text.replaceAll('</script', '<\\/script')}</script>`,
        ),
    );
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
    });
    onTestFinished(() => browser.close());
    const tab = await browser.newPage();
    await tab.goto(page.origin);
    const result = await tab.evaluate(
      url => (window as unknown as { run(url: string): Promise<unknown> }).run(url).catch(String),
      baseUrl,
    );
    expect(result).toEqual([2, 'Sample Imports', 'invoice.txt', 401, 'string']);
  },
);

test.each([
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
])('the preflight of %s gets a 200 that allows only reading', async path => {
  const request = new Request(`https://service.example${path}`, {
    method: 'OPTIONS',
    headers: { origin: 'https://page.example' },
  });
  const response = await stillSandbox().fetch(request);
  expect([response.status, await response.text()]).toEqual([200, '']);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-allow-methods')).toBe('GET, OPTIONS');
});
