import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasProgram } from '../../support/needs.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

describe.skipIf(!hasProgram('chromium'))('the sign-in page in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
  });
  afterAll(() => browser?.close());

  async function set() {
    const server = await createSandbox({ speed: 0 }).listen();
    onTestFinished(() => server.close());
    const program = await serve({ body: 'signed in', headers: { 'content-type': 'text/plain' } });
    const redirect_uri = `${program.origin}/callback`;
    const origin = new URL(server.baseUrl).origin;
    const body = JSON.stringify({ redirect_uris: [redirect_uri] });
    const headers = { 'content-type': 'application/json' };
    const { client_id } = await (await fetch(`${origin}/oauth/register`, { method: 'POST', headers, body })).json();
    const challenge = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };
    const question = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, ...challenge, state: 's' });
    return { address: `${origin}/oauth/authorize?${question}`, program };
  }

  test.each(['Allow', 'Deny'])('has a policy under which %s can redirect to the program', async name => {
    const { address, program } = await set();
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByRole('button', { name }).click();
    await page.waitForURL(`${program.origin}/callback?*`);
    expect(program.requests[0]?.url).toContain(name === 'Allow' ? 'code=' : 'error=access_denied');
  });

  test('is not shown in a frame', async () => {
    const { address } = await set();
    const body = `<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`;
    const other = await serve({ body, headers: { 'content-type': 'text/html' } });
    const page = await browser.newPage();
    await page.goto(other.origin);
    expect(await page.frames()[1]?.getByRole('button').count()).toBe(0);
  });
});
