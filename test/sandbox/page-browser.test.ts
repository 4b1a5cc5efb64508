import { execFileSync } from 'node:child_process';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkWithAxe } from '../../support/axe.ts';
import { hasProgram } from '../../support/needs.ts';
import {
  attributes,
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxServer,
} from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

type View = Parameters<Browser['newPage']>[0];

const HTML = '<img src=x onerror="document.title=`taken`">';

let browser: Browser;

describe.skipIf(!hasProgram('chromium'))('the page of the sandbox in Chromium', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
  }, 60_000);

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });

  afterAll(() => browser?.close());

  test('tracks a number, moves the clock forward, and shows the delivery', async () => {
    const { sandbox, server } = await listening();
    await addWebhook(sandbox, 'https://app.example/hook');
    const { page, complaints, asked } = await open(server);
    await page.getByLabel('Number', { exact: true }).fill('MAEUATSEA1');
    await page.getByLabel('SCAC').fill('MAEU');
    await page.getByRole('button', { name: 'Track' }).click();
    await page.locator('#said').getByText('MAEUATSEA1 is being tracked.').waitFor();
    await page.locator('#tracked').getByText('Pending').waitFor();
    await page
      .getByRole('meter', { name: 'Create tracking request' })
      .and(page.locator('[aria-valuenow="1"]'))
      .waitFor();

    await page.getByRole('button', { name: '+1 day' }).click();
    const delivery = page.locator('#deliveries li', { hasText: 'Tracking request succeeded' });
    await delivery.locator('.chip').getByText('Succeeded').waitFor();
    expect(await delivery.innerText()).toMatch(/1 attempt · HTTP 200 · app\.example\/hook/);
    await page.locator('#shipments').getByText('MAEUATSEA1').waitFor();
    await page.locator('#now').getByText('Tue, 10 Mar 2026, 03:00').waitFor();
    const row = page.getByRole('row', { name: /201 POST \/tracking_requests/ });
    await row.getByRole('button').click();
    await row
      .getByRole('region', { name: 'Body of the request' })
      .getByText('"request_number": "MAEUATSEA1"')
      .waitFor();
    await row.getByRole('region', { name: 'Body of the response' }).getByText('"type": "tracking_request"').waitFor();
    expect(await row.getByRole('button').getAttribute('aria-expanded')).toBe('true');
    await checkWithAxe(page);
    await row.getByRole('button').click();
    await row.locator('.bodies').waitFor({ state: 'detached' });

    expect(complaints).toEqual([]);
    expect(asked.filter(url => !url.startsWith(new URL(server.baseUrl).origin))).toEqual([]);
  });

  test('shows new shipments without a reload, and keeps the focus and the expanded parts', async () => {
    const { sandbox, server } = await listening({ shipments: 3 });
    const { page, complaints } = await open(server);
    const second = page.locator('#shipments h3 button').nth(1);
    await second.click();
    await page.locator('.detail .timeline').first().waitFor({ state: 'attached' });
    const number = await second.locator('b').innerText();
    const [seeded] = sandbox.seedShipments(1, { phase: 'at_sea' });
    sandbox.advance({ days: 2 });
    await page
      .locator('#shipments')
      .getByText(seeded?.number ?? '')
      .waitFor();
    expect(await page.evaluate(() => document.activeElement?.querySelector('b')?.textContent)).toBe(number);
    expect(await page.locator('#shipments button[aria-expanded=true] b').allInnerTexts()).toEqual([number]);
    expect(complaints).toEqual([]);
  });

  test('adds and ends a fault', async () => {
    const { sandbox, server } = await listening();
    const { page } = await open(server);
    await page.getByLabel('Requests', { exact: true }).fill('GET /parties');
    await page.getByLabel('How often').selectOption('Until I end it');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('#faults').getByText('GET /parties').waitFor();
    expect(await statusOf(sandbox, '/parties')).toBe(503);
    await page.getByRole('button', { name: 'End the fault 503' }).click();
    await page.getByText('No fault applies.').waitFor();
    expect(await statusOf(sandbox, '/parties')).toBe(200);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('what');
  });

  test('shows the reason why an action was refused', async () => {
    const { server } = await listening();
    const { page } = await open(server);
    await page.getByLabel('Requests', { exact: true }).fill('no route');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('#said').getByText("it must be like 'GET /shipments/:id'").waitFor();
  });

  test('shows several accounts, and the records of the account that a user selects with the keyboard', async () => {
    const { server } = await listening({ accounts: { acme: { shipments: 2 }, other: { shipments: 1 } } });
    const { page } = await open(server);
    await page.getByText('Shipments (2)').waitFor();
    await page.getByRole('radio', { name: 'acme' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('Shipments (1)').waitFor();
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('other');
    expect(await page.locator('.key h3').allInnerTexts()).toEqual(['Key acme · acme', 'Key other · other']);
  });

  test('never interprets text from records or requests as HTML', async () => {
    const { sandbox, server } = await listening({ companyName: HTML });
    await addWebhook(sandbox, `https://app.example/${encodeURI(HTML)}?${HTML}`);
    sandbox.seedShipments(1, { refNumbers: [HTML], phase: 'available' });
    await sandbox.fetch(`http://localhost/v2/${encodeURIComponent(HTML)}?q=${encodeURIComponent(HTML)}`);
    sandbox.fail({ match: { path: `/${HTML}` }, status: 500, body: '' });
    const { page } = await open(server);
    await page.getByLabel('Number', { exact: true }).fill(HTML);
    await page.getByLabel('SCAC').fill('MAEU');
    await page.getByRole('button', { name: 'Track' }).click();
    await page.locator('#tracked').getByText(HTML).waitFor();
    await page.getByRole('button', { name: '+1 week' }).click();
    await page.locator('#deliveries li').first().waitFor();
    await page.locator('#shipments').getByText(HTML).first().waitFor();
    await page.locator('#requests').getByText(`q=${HTML}`).waitFor();
    await page.locator('#faults').getByText(HTML).waitFor();
    await page.locator('#accounts').getByText(HTML).waitFor();
    expect(await page.locator('img').count()).toBe(1);
    expect(await page.title()).toBe('Sandbox');
  });

  describe('the token', () => {
    test('is removed from the address bar, and still works after a reload', async () => {
      const { server } = await listening();
      const { page, asked } = await open(server);
      expect(page.url()).toBe(`${new URL(server.baseUrl).origin}/`);
      await page.reload();
      await page.locator('#advance button:enabled').first().waitFor();
      const token = new URL(server.pageUrl).hash.split('=')[1] ?? '';
      expect(asked.filter(url => url.includes(token) && !url.includes('#'))).toEqual([]);
    });

    test.each(['', '#token=', `#token=${'f'.repeat(32)}`])(
      'is necessary: with %j instead of the token, the page can be read but cannot change anything',
      async hash => {
        const { server } = await listening({ shipments: 2 });
        const { page } = await open({ ...server, pageUrl: `${new URL(server.pageUrl).origin}/${hash}` });
        await page.getByText('Shipments (2)').waitFor();
        await page.getByText('This page is read-only').waitFor();
        expect(await page.locator('#advance button:disabled').count()).toBe(4);
        expect(await page.locator('form :is(input, select, button):enabled').count()).toBe(0);
        expect(await page.locator('.who code').innerText()).toBe('••••••');
      },
    );

    test('is accepted even if the page was first opened without a token', async () => {
      const { server } = await listening();
      const { page } = await open({ ...server, pageUrl: new URL('/', server.pageUrl).href });
      await page.getByText('This page is read-only').waitFor();
      await page.goto(server.pageUrl);
      await page.locator('#advance button:enabled').first().waitFor();
    });
  });

  test('does not allow a page of another origin to read or change anything, or to show this page in a frame', async () => {
    const { sandbox, server } = await listening({ shipments: 1 });
    const other = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'),
    );
    const { origin } = new URL(server.baseUrl);
    const page = await browser.newPage();
    await page.goto(other.origin);
    const before = sandbox.now();
    const results = await page.evaluate(
      async ([origin, token]) => {
        const said = (promise: Promise<Response>) =>
          promise.then(
            ({ type, status }) => `${type} ${status}`,
            () => 'refused',
          );
        const advance = `${origin}/page/actions/advance`;
        const frame = document.createElement('iframe');
        frame.src = `${origin}/`;
        document.body.append(frame);
        await new Promise(resolve => {
          frame.onload = resolve;
        });
        return [
          await said(fetch(`${origin}/page/data`)),
          await said(fetch(`${origin}/page/data`, { headers: { 'x-sandbox-token': token ?? '' } })),
          await said(
            fetch(advance, { method: 'POST', body: '{"days":1}', headers: { 'x-sandbox-token': token ?? '' } }),
          ),
          await said(fetch(advance, { method: 'POST', body: '{"days":1}', mode: 'no-cors' })),
          String(frame.contentDocument),
        ];
      },
      [origin, sandbox.pageToken] as const,
    );
    expect(results.slice(0, 3)).toEqual(['refused', 'refused', 'refused']);
    expect(results.slice(3)).toEqual([expect.stringMatching(/^refused|opaque 0$/), 'null']);
    expect(sandbox.now()).toEqual(before);
    expect(await page.frames()[1]?.getByRole('heading', { name: 'Sandbox' }).count()).toBe(0);
  });

  test('can be used with the keyboard alone', async () => {
    const { sandbox, server } = await listening({ shipments: 2 });
    const before = sandbox.now();
    const { page } = await open(server);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the shipments');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#shipments button[aria-expanded=true]').waitFor();
    await page.locator('.detail h4').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.detail').waitFor({ state: 'detached' });

    await tabTo(page, 'number');
    await page.keyboard.type('MAEUAVAILABLE1');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('MAEU');
    await page.keyboard.press('Enter');
    await page.locator('#tracked').getByText('MAEUAVAILABLE1').waitFor();
    for (let tabs = 0; (await focused(page)) !== '+1 day'; tabs += 1) {
      expect(tabs).toBeLessThan(60);
      await page.keyboard.press('Shift+Tab');
    }
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
    expect(outline).toBe('solid');
    await page.keyboard.press('Space');
    await page.locator('#shipments').getByText('MAEUAVAILABLE1').waitFor();
    expect(sandbox.now().getTime() - before.getTime()).toBe(86_400_000);
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const)('passes an automated check of accessibility: %s, %i pixels wide', async (colorScheme, width) => {
    const { sandbox, server } = await listening({
      accounts: { acme: { shipments: 12, features: { rail: false } }, other: {} },
      rateLimit: { limits: { default: 2, refreshContainer: 1 } },
      fetch: async () => new Response(null, { status: 503 }),
    });
    await addWebhook(sandbox, 'https://app.example/hook', 'acme');
    for (let count = 0; count < 3; count += 1) await statusOf(sandbox, '/parties', 'acme');
    await statusOf(sandbox, '/parties', 'nobody');
    sandbox.fail({ status: 500, probability: 0.5 });
    sandbox.advance({ hours: 12 });
    await sandbox.flush();
    const { page } = await open(server, { colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    for (let count = 0; count < 2; count += 1) {
      await page.locator('#shipments h3 button').nth(count).click();
      await page.locator('#shipments > li').nth(count).locator('.detail h4').first().waitFor();
    }
    await page.getByRole('button', { name: 'Show more shipments' }).click();
    await page.getByRole('button', { name: 'Track' }).waitFor();
    await checkWithAxe(page);
    const { page: reader } = await open(
      { ...server, pageUrl: new URL('/', server.pageUrl).href },
      { colorScheme, viewport: { width, height: 900 } },
    );
    await reader.getByText('This page is read-only').waitFor();
    await checkWithAxe(reader);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sideways).toBeLessThanOrEqual(0);
  });

  test('has no animation for users who prefer less motion', async () => {
    const { server } = await listening({ shipments: 5 });
    const moving = async (reducedMotion: 'reduce' | 'no-preference') => {
      const { page } = await open(server, { reducedMotion });
      await page.locator('#shipments li').first().waitFor();
      return page.evaluate(() => {
        const durations = [...document.querySelectorAll('*')].map(each => getComputedStyle(each).transitionDuration);
        return document.getAnimations().length + durations.filter(duration => duration !== '0s').length;
      });
    };
    expect(await moving('no-preference')).toBeGreaterThan(0);
    expect(await moving('reduce')).toBe(0);
  });

  test('shows a message when the sandbox stops responding', async () => {
    const { server } = await listening();
    const { page } = await open(server);
    await server.close();
    await page.getByText('The sandbox does not respond.').waitFor();
    await page.locator('#live').getByText('No response').waitFor();
  });
});

async function listening(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; server: SandboxServer }> {
  const sandbox = createSandbox({ speed: 0, trackingDelayMs: 300, fetch: async () => new Response(), ...options });
  const server = await sandbox.listen();
  onTestFinished(() => server.close());
  return { sandbox, server };
}

/** Opens the page, and waits until the page shows data. */
async function open({ pageUrl }: SandboxServer, view: View = {}) {
  const page = await browser.newPage(view);
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('request', request => asked.push(request.url()));
  await page.goto(pageUrl);
  await page.locator('#live').getByText('Live').waitFor();
  return { page, complaints, asked };
}

async function addWebhook(sandbox: Sandbox, url: string, key = 'sandbox'): Promise<void> {
  const events = ['tracking_request.succeeded', 'container.transport.vessel_arrived', 'container.updated'];
  const response = await sandbox.fetch('http://localhost/v2/webhooks', {
    method: 'POST',
    headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(attributes('webhook', { url, active: true, events })),
  });
  expect(response.status).toBe(201);
}

async function statusOf(sandbox: Sandbox, path: string, key = 'sandbox'): Promise<number> {
  const headers = { authorization: `Token ${key}` };
  return (await sandbox.fetch(`http://localhost/v2${path}`, { headers })).status;
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim());

async function tabTo(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < 60; tabs += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(() => document.activeElement?.getAttribute('name'))) === name) return;
  }
  expect.fail(`No key leads to ${name}.`);
}
