import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasProgram } from '../../support/needs.ts';
import { serve } from '../../support/server.ts';

const SCRIPT = `
import { TrackingClient } from '../../src/index.ts';
window.call = async baseUrl => {
  const client = new TrackingClient({ baseUrl, accessToken: 't', logger: false, rateLimit: false, retry: { limit: 2, minDelay: 0 } });
  return client.shipments.list().then(() => undefined, ({ name, message, attempts }) => ({ name, message, attempts }));
};`;

let browser: Browser;
let script: string;

describe.skipIf(!hasProgram('chromium'))(
  'if a browser hides the cause of a failed connection, the error says that',
  () => {
    beforeAll(async () => {
      const stdin = { contents: SCRIPT, resolveDir: import.meta.dirname };
      const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false, logLevel: 'silent' });
      script = outputFiles[0]?.text ?? '';
      const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    }, 60_000);

    afterAll(() => browser?.close());

    test('the policy of the page forbids the address: one attempt, and no request', async () => {
      const service = await serve({ body: { data: [] } });
      const page = await pageWith("connect-src 'self'");
      const { origin } = new URL(service.baseUrl);
      expect(await call(page, service.baseUrl)).toMatchObject({
        name: 'ConnectionError',
        attempts: 1,
        message: expect.stringContaining(
          `Content Security Policy of this page forbids it: add ${origin} to connect-src`,
        ),
      });
      expect(service.requests).toHaveLength(0);
    });

    test('CORS is the likely cause, if the service does not allow the page', async () => {
      const service = await serve({ body: { data: [] } });
      const page = await pageWith('default-src *');
      expect(await call(page, service.baseUrl)).toMatchObject({
        attempts: 3,
        message: expect.stringContaining('the likely cause is CORS'),
      });
    });

    test('the device is offline', async () => {
      const service = await serve({ body: { data: [] } });
      const page = await pageWith('default-src *');
      await page.context().setOffline(true);
      expect(await call(page, service.baseUrl)).toMatchObject({
        message: expect.stringContaining('this device is offline'),
      });
    });
  },
);

async function pageWith(policy: string): Promise<Page> {
  const site = await serve((request, response) => {
    const [type, body] = request.url?.endsWith('.js')
      ? ['text/javascript', script]
      : ['text/html', '<!doctype html><script type="module" src="/page.js"></script>'];
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body);
  });
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(new URL('/', site.baseUrl).href);
  await page.waitForFunction(() => 'call' in window);
  return page;
}

function call(page: Page, baseUrl: string): Promise<unknown> {
  return page.evaluate(url => (window as unknown as { call(url: string): Promise<unknown> }).call(url), baseUrl);
}
