import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathsOfPages, readPage } from '../support/docs/pages.ts';
import { addressOf, hasChromium, launch, open } from './chromium.ts';
import { type ServedSite, serveFolder } from './served.ts';

const DIST = join(import.meta.dirname, 'dist');
/** Pages whose snippets run at the same time. */
const TABS = 2;
/** An endless snippet is stopped after so many ms. */
const MOMENT_MS = 300;

const paths = pathsOfPages().filter(path => path !== 'README.md' && readPage(path).snippets.length > 0);
let browser: Browser;
let context: BrowserContext;
let site: ServedSite;

describe.skipIf(!hasChromium)('the snippets of the pages, in Chromium', () => {
  beforeAll(async () => {
    if (!existsSync(DIST)) throw new Error('There is no site to test: npm run docs');
    site = await serveFolder(DIST);
    browser = await launch();
    context = await browser.newContext({ reducedMotion: 'reduce' });
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  test('each runs from its button without an error, or says why it cannot', async () => {
    const pending = [...paths];
    const failures: string[] = [];
    const reasons: string[] = [];
    let ran = 0;
    await Promise.all(
      Array.from({ length: TABS }, async () => {
        const page = await context.newPage();
        page.on('console', message => message.type() === 'error' && failures.push(`${page.url()}: ${message.text()}`));
        for (let path = pending.pop(); path; path = pending.pop()) {
          await open(page, site.origin + addressOf(path));
          const snippets = page.locator('.snippet');
          const { snippets: written } = readPage(path);
          expect(await snippets.count(), path).toBe(written.length);
          await Promise.all(
            written.map(async ({ line }, index) => {
              const snippet = snippets.nth(index);
              const why = await snippet.locator('button:disabled').allTextContents();
              if (why.length > 0) {
                reasons.push(`${path}:${line}: ${why}`);
                return;
              }
              ran += 1;
              const failure = await failureOf(snippet);
              if (failure) failures.push(`${path}:${line}: ${failure}`);
            }),
          );
          // A run that is over has ended its worker.
          expect(page.workers()).toEqual([]);
        }
      }),
    );
    console.log(`${ran} snippets run, ${reasons.length} cannot:\n${reasons.sort().join('\n')}`);
    expect(failures).toEqual([]);
    expect(reasons.filter(reason => !/Cannot run here\. [A-Z].*\.$/.test(reason))).toEqual([]);
    expect(ran).toBeGreaterThan(90);
  });
});

async function failureOf(snippet: Locator): Promise<string | undefined> {
  await snippet.getByRole('button', { name: 'Run' }).click();
  const outcome = snippet.locator('.outcome');
  const isEndless = /until you stop/.test((await outcome.locator('.status').textContent()) ?? '');
  if (isEndless) {
    await outcome.locator('.requests').waitFor();
    await snippet.page().waitForTimeout(MOMENT_MS);
    await snippet.getByRole('button', { name: 'Stop' }).click();
  }
  await outcome.and(snippet.locator(isEndless ? '[data-state=stopped]' : '[data-state=ended]')).waitFor();
  const errors = await outcome.locator('.error').allTextContents();
  return errors.length > 0 ? errors.join(' ').trim() : undefined;
}
