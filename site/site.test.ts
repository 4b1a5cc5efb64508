import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { publicSurface } from '../scripts/api-report.ts';
import { entries } from '../scripts/entries.ts';
import { addressOf, hasChromium, launch, open, seriousFaults } from './chromium.ts';
import { pageGroups, ROOT } from './sections.ts';
import { fileFor, type ServedSite, serveFolder } from './served.ts';

const DIST = join(import.meta.dirname, 'dist');
const PACKAGE = 'container-tracking-sdk';
/** Number of pages that are open at the same time. */
const TABS = 4;
/** One page of each kind. */
const SAMPLE = [
  '/',
  '/guides/sync.html',
  '/guides/sandbox.html',
  '/service/endpoints.html',
  '/reference/sync-tables.html',
  '/examples/webhook-express.html',
  '/changelog.html',
  `/api/${PACKAGE}/index.html`,
  `/api/${PACKAGE}/interfaces/Container.html`,
  `/api/${PACKAGE}/webhooks/functions/createWorker.html`,
];

/** The board is a separate page. VitePress does not build it. */
const BOARD = '/board/index.html';

const pages = existsSync(DIST) ? htmlBelow(DIST).filter(path => path !== BOARD) : [];
let browser: Browser;
let site: ServedSite;

beforeAll(async () => {
  if (pages.length === 0) throw new Error('There is no site to test: npm run docs');
  site = await serveFolder(DIST);
});

afterAll(() => site?.close());

describe('the files of the site', () => {
  test('llms.txt has no broken link to Markdown', async () => {
    const text = readFileSync(join(DIST, 'llms.txt'), 'utf8');
    const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
    expect(links.length).toBeGreaterThan(15);
    const missing = [];
    for (const link of links) {
      const response = await fetch(new URL(link, `${site.origin}/llms.txt`));
      if (!response.ok || !(await response.text()).trim()) missing.push(link);
    }
    expect(missing).toEqual([]);
  });

  test('llms-full.txt has every guide', () => {
    const text = readFileSync(join(DIST, 'llms-full.txt'), 'utf8');
    const guides = pageGroups()
      .flatMap(({ pages }) => pages)
      .filter(({ path }) => path.startsWith('docs/guides/'));
    expect(guides.length).toBeGreaterThan(20);
    // The addresses of links differ in this file.
    const opening = (path: string) => readFileSync(join(ROOT, path), 'utf8').slice(0, 200).split('](')[0] ?? path;
    expect(guides.filter(({ path }) => !text.includes(opening(path)))).toEqual([]);
  });

  test('the page of each entry links to a page about every public name of the entry', () => {
    const paths = Object.entries(entries).map(([name, file]) => [name, join(ROOT, file)] as const);
    const missing = publicSurface(Object.fromEntries(paths)).entries.flatMap(({ name, exports }) => {
      const folder = join(DIST, 'api', PACKAGE, name === 'index' ? '' : name);
      const index = readFileSync(join(folder, 'index.html'), 'utf8');
      const links = new Map(
        Array.from(index.matchAll(/<a href="([^"#]+)"[^>]*>([^<]+)<\/a>/g), ([, to, text]) => [text, to]),
      );
      expect(exports.length).toBeGreaterThan(0);
      return exports
        .filter(each => !fileFor(DIST, new URL(links.get(each.name) ?? 'none', site.origin + linkOf(folder)).pathname))
        .map(each => `${name}: ${each.name}`);
    });
    expect(missing).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('in Chromium', () => {
  beforeAll(async () => {
    browser = await launch();
  });

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });

  afterAll(() => browser?.close());

  test('every page opens without an error, and no link or anchor is dead', async () => {
    const seen = new Map<string, { links: string[]; ids: Set<string> }>();
    const complaints: string[] = [];
    const pending = [...pages];
    const context = await browser.newContext();
    await Promise.all(
      Array.from({ length: TABS }, async () => {
        const page = await context.newPage();
        listen(page, complaints);
        for (let path = pending.pop(); path; path = pending.pop()) {
          await open(page, site.origin + path);
          seen.set(path, await page.evaluate(linksAndIds).then(({ links, ids }) => ({ links, ids: new Set(ids) })));
        }
      }),
    );
    expect(seen.size).toBe(pages.length);
    expect(complaints).toEqual([]);
    expect(deadLinks(seen)).toEqual([]);
  });

  test('the sidebar leads to every page of docs/', async () => {
    const { page } = await opened(addressOf(pageGroups()[0]?.pages[0]?.path ?? ''), {});
    const links = await page
      .locator('.VPSidebar a')
      .evaluateAll(all => all.map(each => (each as HTMLAnchorElement).pathname));
    const wanted = pageGroups().flatMap(group => group.pages.map(({ path }) => addressOf(path)));
    expect(wanted.length).toBeGreaterThan(15);
    expect(wanted.filter(path => !links.includes(path))).toEqual([]);
  });

  test('the sidebar folds its groups, and shows the entry of the page', async () => {
    const { page } = await opened('/service/filters.html', { viewport: { width: 1280, height: 500 } });
    const entry = page.locator('.VPSidebar .is-active > .item').last();
    await expect.poll(() => entry.innerText()).toBe('Filters and orders');
    await expect.poll(() => entry.evaluate(isInView)).toBe(true);
    expect(await page.getByRole('link', { name: 'Worklists' }).first().isVisible()).toBe(false);
    await page
      .locator('.VPSidebarItem', { hasText: 'Worklists' })
      .last()
      .locator('xpath=ancestor::section[1]//*[@role="button"]')
      .click();
    await page.getByRole('link', { name: 'Worklists' }).first().waitFor();
  });

  test.each([1280, 1366, 1440, 1920])(
    'no code of a guide or recipe is cut off in a window %i pixels wide',
    async width => {
      const cut: string[] = [];
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      for (const path of pages.filter(path => /^\/(guides|recipes)\//.test(path))) {
        await open(page, site.origin + path);
        for (const line of await page.evaluate(codeCutOff)) cut.push(`${path}: ${line}`);
      }
      expect(cut).toEqual([]);
    },
  );

  test.each([1366, 1400, 1440])('the outline is beside the page in a window %i pixels wide', async width => {
    const { page } = await opened('/guides/sync.html', { viewport: { width, height: 900 } });
    const [outline, code] = await Promise.all(
      ['.aside .VPDocAsideOutline', '.vp-doc div[class*="language-"]'].map(each =>
        page.locator(each).first().boundingBox(),
      ),
    );
    expect(outline?.x).toBeGreaterThan((code?.x ?? 0) + (code?.width ?? 0));
    expect((outline?.x ?? 0) + (outline?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(await page.locator('.VPLocalNav').isVisible()).toBe(false);
  });

  test('the first page leads to the board, which shows the shipments of its sandbox and leads back', async () => {
    const { page, complaints } = await opened('/', {});
    await page.getByRole('link', { name: 'The live board' }).click();
    await page.waitForURL('**/board/');
    await page.locator('#shipments > li').nth(15).waitFor();
    await page.locator('.is-live .timeline li').first().waitFor();
    await page.getByRole('link', { name: 'Docs' }).click();
    await page.waitForURL(`${site.origin}/`);
    expect(complaints).toEqual([]);
  });

  test('the search finds "rate limit" and leads to a page about it', async () => {
    const { page, complaints } = await opened('/', {});
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.locator('#localsearch-input').fill('rate limit');
    await page.locator('#localsearch-list [role=option]').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(url => url.pathname !== '/');
    await page
      .locator('.vp-doc')
      .getByText(/rate limit/i)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test.each([
    ['rate_limited', '/reference/errors'],
    ['not_written', '/reference/errors'],
    ['RateLimitError', '/reference/errors'],
    ['createRouter', '/functions/createRouter'],
    ['overdue', '/guides/worklists'],
    ['shutdown', '/guides/kubernetes-and-systemd'],
    ['pick up today', '/guides/worklists'],
    ['notify', '/guides/alerts'],
    ['mail', '/guides/alerts'],
    ['alert', '/guides/alerts'],
    ['cancel', '/guides/retries-and-timeouts'],
    ['cancel request', '/guides/retries-and-timeouts'],
    ['pagination', '/guides/lists'],
    ['mock', '/guides/testing'],
    ['email', '/guides/alerts'],
    ['retry', '/guides/retries-and-timeouts'],
    ['offline', '/guides/sandbox'],
    ['types', '/guides/includes'],
    ['upload pdf', '/guides/documents'],
    ['rotate secret', '/guides/webhooks'],
    ['duplicate', '/guides/tracking'],
    ['logging', '/guides/logging'],
    ['503', '/reference/errors'],
    ['which containers are late', '/guides/worklists'],
    ['how many requests per minute', '/guides/rate-limits'],
    ['retry failed request', '/guides/retries-and-timeouts'],
    ['what is an scac', '/guides/glossary.html#scac'],
    ['how do I know when I must pay storage', '/guides/glossary.html#demurrage'],
    ['storage charges', '/guides/glossary.html#demurrage'],
    ['time zone of dates', '/service/records.html#times'],
    ['get notified by slack', '/guides/alerts'],
    ['slack', '/guides/alerts'],
    ['my call takes a minute', '/guides/rate-limits.html#why-a-call-waits'],
    ['where is my container', '/guides/tracking.html#reading-the-journey'],
    ['bulk import of bill of lading numbers', '/guides/tracking.html#many-numbers'],
    ['eta changed', '/guides/sql'],
    ['number not found', '/guides/tracking.html#failures'],
    ['carrier code', '/guides/glossary.html#scac'],
    ['typescript types', '/guides/includes'],
    ['run in docker', '/guides/kubernetes-and-systemd'],
    ['deploy to vercel', '/guides/serverless'],
    ['fake data', '/guides/sandbox'],
    ['python', '/service/#openapi'],
    ['migrate from axios', '/guides/from-fetch'],
    ['claude', '/guides/mcp'],
    ['unsubscribe', '/guides/webhooks'],
    ['export json', '/reference/cli'],
    ['export to csv', '/reference/cli'],
    ['rate limit', '/guides/rate-limits'],
    ['ATORIGIN', '/guides/sandbox.html#words-in-a-number'],
    ['fake timers', '/guides/testing'],
    ['how do I know my container can be picked up', '/guides/worklists'],
    ['which containers can I pick up today', '/guides/worklists'],
    ['save to postgres', '/guides/sync.html#save-to-postgresql'],
    ['store in postgres', '/guides/sync.html#save-to-postgresql'],
    ['save to my database', '/guides/sync'],
    ['how do I cancel tracking', '/guides/tracking.html#stop-tracking'],
    ['stop tracking a number', '/guides/tracking.html#stop-tracking'],
    ['key rotation', '/guides/authentication.html#replacing-a-key'],
    ['change the api key without restart', '/guides/authentication.html#replacing-a-key'],
    ['how do I get the pdf back', '/guides/documents.html#download-a-file'],
    ['download pdf', '/guides/documents.html#download-a-file'],
    ['read invoice data', '/guides/documents.html#read-the-extracted-data'],
    ['the document is never read', '/guides/documents.html#read-the-extracted-data'],
    ['delete a document', '/guides/documents.html#delete-a-document'],
    ['types of documents', '/guides/documents.html#kinds-of-documents'],
    ['upload many files', '/guides/documents.html#many-files'],
    ['show upload progress', '/guides/documents.html#progress'],
    ['abort an upload', '/guides/documents.html#abort-and-repeat'],
    ['corporate proxy', '/guides/retries-and-timeouts.html#corporate-proxy'],
    ['HTTPS_PROXY', '/guides/retries-and-timeouts.html#corporate-proxy'],
    ['what happens when the service is down', '/guides/retries-and-timeouts.html#what-is-repeated'],
    ['set a timeout', '/guides/retries-and-timeouts.html#timeouts'],
    ['how do I paginate a list', '/guides/lists'],
    ['list all containers of a shipment', '/guides/lists'],
    ['get the eta of a container', '/guides/tracking.html#reading-the-journey'],
    ['test webhooks locally', '/guides/webhooks.html#test-it'],
    ['show a container on a map', '/guides/maps.html#on-a-map'],
    ['track numbers from a csv file', '/reference/cli.html#track'],
    ['run every night', '/guides/nightly-job'],
    ['share the rate limit between processes', '/guides/rate-limits'],
    ['prometheus metrics', '/guides/kubernetes-and-systemd.html#metrics'],
  ])('the search for %s finds %s first', (name, path) => searchFinds(name, path, 1));

  test.each([
    ['webhook missed while my server was down', '/guides/webhooks.html#after-an-outage'],
    ['retry a failed webhook', '/guides/webhooks.html#dead-letters'],
  ])('the search for %s finds %s among the first three', (name, path) => searchFinds(name, path, 3));

  test.each([
    ['which containers are costing me money', '/guides/worklists'],
    ['excel csv export', '/reference/cli'],
    ['change the time zone', '/service/records.html#times'],
    ['my api key is rejected', '/guides/authentication.html#if-the-key-is-refused'],
    ['find a shipment by bill of lading', '/guides/search-and-parties.html#search'],
    ['which carriers are supported', 'carriers'],
    ['delete a shipment', '/guides/tracking.html#stop-tracking'],
    ['too many requests', '/guides/rate-limits'],
    ['use with next.js', '/recipes/nextjs'],
    ['container not moving', '/guides/worklists'],
    ['csv export', '/reference/cli'],
    ['wehbook', '/guides/webhooks'],
  ])('the search for %s finds %s among the first two', (name, path) => searchFinds(name, path, 2));

  test('the switch of the theme changes page and pictures, and a reload keeps the theme', async () => {
    const { page } = await opened('/guides/sandbox.html', {
      colorScheme: 'light',
      viewport: { width: 1280, height: 900 },
    });
    const picture = page.locator('.vp-doc picture img').first();
    const state = () =>
      page.evaluate(() => ({
        ground: getComputedStyle(document.body).backgroundColor,
        picture: document.querySelector<HTMLImageElement>('.vp-doc picture img')?.currentSrc,
      }));
    await picture.waitFor();
    const light = await state();
    await page.getByRole('switch').first().click();
    await page.waitForFunction(() => document.documentElement.classList.contains('dark'));
    await expect.poll(state).not.toEqual({ ...light, picture: expect.anything() });
    const dark = await state();
    expect(dark.ground).not.toBe(light.ground);
    expect(dark.picture).not.toBe(light.picture);
    await page.reload();
    await expect.poll(state).toEqual(dark);
  });

  test('the switch of the theme changes diagrams', async () => {
    const { page } = await opened('/guides/webhooks.html', { colorScheme: 'light', reducedMotion: 'reduce' });
    const diagram = page.locator('.diagram img').first();
    const light = await diagram.screenshot();
    expect((await diagram.screenshot()).equals(light)).toBe(true);
    await page.getByRole('switch').first().click();
    await expect.poll(async () => (await diagram.screenshot()).equals(light)).toBe(false);
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    '%s, %i pixels wide, has no serious fault in an automated check of accessibility',
    async (colorScheme, width) => {
      const found: string[] = [];
      for (const path of SAMPLE) {
        const { page } = await opened(path, { colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' });
        for (const fault of await seriousFaults(page)) found.push(`${path}: ${fault}`);
        await page.close();
      }
      expect(found).toEqual([]);
    },
  );

  test('no page is wider than a narrow screen', async () => {
    const wide: string[] = [];
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    for (const path of [...new Set([...SAMPLE, ...pages.filter(path => !path.startsWith('/api/'))])]) {
      await open(page, site.origin + path);
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(path);
    }
    expect(wide).toEqual([]);
  });
});

function htmlBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter(file => file.endsWith('.html') && file !== '404.html')
    .map(file => `/${file.replaceAll('\\', '/')}`);
}

function linkOf(folder: string): string {
  return `/${relative(DIST, folder)}/`;
}

async function opened(path: string, view: Parameters<Browser['newPage']>[0]) {
  const page = await browser.newPage(view);
  const complaints: string[] = [];
  listen(page, complaints);
  await open(page, site.origin + path);
  return { page, complaints };
}

function listen(page: Page, complaints: string[]): void {
  const add = (what: string) => complaints.push(`${new URL(page.url()).pathname}: ${what}`);
  page.on('console', message => ['error', 'warning'].includes(message.type()) && add(message.text()));
  page.on('pageerror', error => add(String(error)));
  page.on('response', response => response.status() >= 400 && add(`${response.status()} ${response.url()}`));
  page.on(
    'request',
    request => request.url().startsWith('http') && !request.url().startsWith(site.origin) && add(request.url()),
  );
  // A request that the next page has made unnecessary is not an error.
  page.on('requestfailed', request => {
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') add(`${request.url()}: ${reason}`);
  });
}

/** Waits until a page is among the first results of a search. */
async function searchFinds(name: string, path: string, places: number): Promise<void> {
  const { page } = await opened('/', {});
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.locator('#localsearch-input').fill(name);
  await page.waitForFunction(
    ({ path, places }) =>
      Array.from(document.querySelectorAll<HTMLAnchorElement>('#localsearch-list [role=option] a'))
        .slice(0, places)
        .some(({ href }) => href.includes(path)),
    { path, places },
    { timeout: 10_000 },
  );
}

/** Returns the links and ids of a page. It runs in the page. */
function linksAndIds() {
  return {
    links: Array.from(document.querySelectorAll<HTMLAnchorElement>('a[href]'), ({ href }) => href),
    ids: Array.from(document.querySelectorAll('[id]'), ({ id }) => id),
  };
}

/** True if an element is in the part of the page that the window shows. It runs in the page. */
function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

/** Returns the first line of each block of code that is wider than the column. It runs in the page. */
function codeCutOff(): string[] {
  const blocks = Array.from(document.querySelectorAll('.vp-doc div[class*="language-"] > pre'));
  return blocks
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(block => block.textContent.split('\n')[0] ?? '');
}

function deadLinks(seen: ReadonlyMap<string, { links: string[]; ids: ReadonlySet<string> }>): string[] {
  const dead = new Set<string>();
  for (const [path, { links }] of seen) {
    for (const link of links) {
      const url = new URL(link);
      if (url.origin !== site.origin) continue;
      const file = fileFor(DIST, url.pathname);
      const ids = file ? seen.get(`/${relative(DIST, file)}`)?.ids : undefined;
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (!file || (anchor && !ids?.has(anchor))) dead.add(`${path} → ${url.pathname}${url.hash}`);
    }
  }
  return [...dead];
}
