import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { pathsOfPages, readPage } from '../support/docs/pages.ts';
import { addressOf, hasChromium, launch, open, seriousFaults } from './chromium.ts';
import { type ServedSite, serveFolder } from './served.ts';

const DIST = join(import.meta.dirname, 'dist');
/** Number of pages whose snippets run at the same time. */
const TABS = 2;
/** A browser waits some time before it ends a worker in a loop. */
const LOOP = { timeout: 10_000 };
/** Time in ms after which an endless snippet is stopped. */
const MOMENT_MS = 300;

const paths = pathsOfPages().filter(path => path !== 'README.md' && readPage(path).snippets.length > 0);
let browser: Browser;
let context: BrowserContext;
let site: ServedSite;

beforeAll(async () => {
  if (!hasChromium) return;
  if (!existsSync(DIST)) throw new Error('There is no site to test: npm run docs');
  site = await serveFolder(DIST);
  browser = await launch();
  context = await browser.newContext({ reducedMotion: 'reduce' });
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

describe.skipIf(!hasChromium)('the snippets of the pages, in Chromium', () => {
  test('each snippet runs from its button without an error, or shows the reason why the snippet cannot run', async () => {
    const pending = [...paths];
    const failures: string[] = [];
    const reasons: string[] = [];
    let ran = 0;
    await Promise.all(
      Array.from({ length: TABS }, async () => {
        const page = await context.newPage();
        page.on('console', message => {
          // The tests do not need the network of the machine, so its changes are ignored.
          if (message.type() !== 'error' || message.text().includes('ERR_NETWORK_CHANGED')) return;
          failures.push(`${page.url()}: ${message.text()}`);
        });
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
          // The worker of a run ends when the run ends.
          await expect.poll(() => page.workers().length).toBe(0);
        }
      }),
    );
    console.log(`${ran} snippets run, ${reasons.length} cannot:\n${reasons.sort().join('\n')}`);
    expect(failures).toEqual([]);
    expect(reasons.filter(reason => !/Cannot run here\. [A-Z].*\.$/.test(reason))).toEqual([]);
    expect(ran).toBeGreaterThan(90);
  });

  test('an edited snippet prints its values, and an error names its line', async () => {
    const snippet = await edited(
      "const answer: number = 6 * 7;\nconsole.log({ answer });\nawait client.shipments.get('nobody');\n",
    );
    await snippet.getByRole('button', { name: 'Run' }).click();
    await snippet.locator('[data-state=ended]').waitFor();
    expect(await snippet.locator('.output').textContent()).toContain('{ answer: 42 }');
    expect(await snippet.locator('.error').textContent()).toMatch(/^Line 3: NotFoundError/);
    const row = snippet.locator('tbody tr');
    expect(await row.locator('td').allTextContents()).toEqual([
      'GET',
      '/v2/shipments/nobody',
      '404',
      expect.any(String),
    ]);
    await snippet.getByRole('button', { name: 'Undo changes' }).click();
    expect(await snippet.locator('pre code').first().textContent()).toContain('client.track(');
  });

  test('if only other code calls a snippet, the page shows this fact in place of the button, because a run would print nothing', async () => {
    const page = await context.newPage();
    const reasons: (string | null)[] = [];
    for (const path of ['docs/guides/react.md', 'docs/guides/sql.md']) {
      await open(page, site.origin + addressOf(path));
      const called = page.locator('.snippet').filter({ hasText: /export async function GET|interface MyDatabase/ });
      reasons.push(await called.locator('.bar button').textContent());
    }
    expect(reasons).toEqual([
      'Cannot run here. It is a part of a program, which calls what it exports.',
      'Cannot run here. It only declares functions or types.',
    ]);
  });

  test('a text that is not a program causes an error that names the line', async () => {
    const snippet = await edited('const one = 1;\nconst two = = 2;');
    await snippet.getByRole('button', { name: 'Run' }).click();
    expect(await snippet.locator('.error').textContent()).toMatch(/^Line 2: SyntaxError/);
  });

  test('after one run, the snippets of an open page also run offline', async () => {
    const ending = await serveFolder(DIST);
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    await open(page, ending.origin + addressOf('docs/guides/tracking.md'));
    const snippets = page.locator('.snippet').filter({ has: page.locator('button:enabled', { hasText: 'Run' }) });
    expect(await failureOf(snippets.nth(0))).toBeUndefined();
    const stored = () => page.evaluate(async () => (await (await caches.open('modules')).keys()).length);
    await expect.poll(stored, LOOP).toBeGreaterThan(20);
    await ending.close();
    for (let index = 1; index < (await snippets.count()); index += 1) {
      expect(await failureOf(snippets.nth(index))).toBeUndefined();
    }
    await page.close();
  });

  test('an endless run can be stopped, and stops after 30 s by itself; its worker stops too', async () => {
    const snippet = await edited('console.log("begun");\nfor (;;) {}');
    const page = snippet.page();
    await snippet.getByRole('button', { name: 'Run' }).click();
    await snippet.locator('.output').waitFor();
    await snippet.getByRole('button', { name: 'Stop' }).click();
    expect(await snippet.locator('.status').textContent()).toBe('Stopped');
    await expect.poll(() => page.workers().length, LOOP).toBe(0);
    await page.clock.install();
    await snippet.getByRole('button', { name: 'Run' }).click();
    await snippet.locator('.output').waitFor();
    await page.clock.fastForward(30_000);
    await expect.poll(() => snippet.locator('.error').textContent()).toContain('stopped after 30 seconds');
    await expect.poll(() => page.workers().length, LOOP).toBe(0);
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    '%s, %i pixels wide, has no fault in an automated check of accessibility while an outcome and an editor are open',
    async (theme, width) => {
      const page = await browser.newPage({
        colorScheme: theme,
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      });
      await open(page, site.origin + addressOf('docs/guides/tracking.md'));
      const [first, second] = [page.locator('.snippet').nth(0), page.locator('.snippet').nth(1)];
      await first.getByRole('button', { name: 'Edit' }).click();
      for (const snippet of [first, second]) {
        await snippet.getByRole('button', { name: 'Run' }).click();
        await snippet.locator('[data-state=ended]').waitFor();
        await snippet.locator('.values summary').click();
      }
      expect(await seriousFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.close();
    },
  );
});

describe.skipIf(!hasChromium)('the journey on the first page', () => {
  test('replaces the printed rows line by line without moving them, and ends', async () => {
    const page = await browser.newPage();
    await open(page, `${site.origin}/`);
    const there = page.locator('.voyage li.there');
    await page.locator('.voyage[data-state=running]').waitFor();
    const all = await page.locator('.voyage li').count();
    const places = await page
      .locator('.voyage li')
      .evaluateAll(rows => rows.map(row => (row as HTMLElement).offsetTop));
    expect(await there.count()).toBeLessThan(all);
    await page.locator('.voyage[data-state=ended]').waitFor();
    expect(await there.count()).toBe(all);
    expect(await there.last().textContent()).toContain('Empty container returned');
    expect(
      await page.locator('.voyage li').evaluateAll(rows => rows.map(row => (row as HTMLElement).offsetTop)),
    ).toEqual(places);
    await expect.poll(() => page.workers().length).toBe(0);
    await page.close();
  });

  test('is a text if JavaScript is not available; if the reader prefers less motion, it begins only on demand', async () => {
    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(`${site.origin}/`);
    expect(await plain.locator('.voyage li.there').count()).toBeGreaterThan(10);
    expect(await plain.getByRole('button', { name: 'Run it here' }).isVisible()).toBe(false);
    await plain.close();
    const calm = await browser.newPage({ reducedMotion: 'reduce' });
    await calm.clock.install();
    await open(calm, `${site.origin}/`);
    await calm.clock.fastForward(10_000);
    expect(await calm.locator('.voyage').getAttribute('data-state')).toBe('printed');
    await calm.getByRole('button', { name: 'Run it here' }).click();
    await calm.locator('.voyage[data-state=running]').waitFor();
    await calm.close();
  });
});

/** The first snippet of a guide, with different code. */
async function edited(code: string): Promise<Locator> {
  const page = await context.newPage();
  onTestFinished(() => page.close());
  await open(page, site.origin + addressOf('docs/guides/tracking.md'));
  const snippet = page.locator('.snippet').first();
  await snippet.getByRole('button', { name: 'Edit' }).click();
  await snippet.getByRole('textbox').fill(code);
  return snippet;
}

async function failureOf(snippet: Locator): Promise<string | undefined> {
  // The test does not use the pointer, because outcomes of other snippets move the button.
  await snippet.getByRole('button', { name: 'Run' }).dispatchEvent('click');
  const outcome = snippet.locator('.outcome');
  const isEndless = /until you stop/.test((await outcome.locator('.status').textContent()) ?? '');
  if (isEndless) {
    await outcome.locator('.requests').waitFor();
    await snippet.page().waitForTimeout(MOMENT_MS);
    await snippet.getByRole('button', { name: 'Stop' }).dispatchEvent('click');
  }
  await outcome.and(snippet.locator(isEndless ? '[data-state=stopped]' : '[data-state=ended]')).waitFor();
  const errors = await outcome.locator('.error').allTextContents();
  return errors.length > 0 ? errors.join(' ').trim() : undefined;
}
