import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkWithAxe } from '../../support/axe.ts';
import { BOARD, serveBoard } from '../../support/board.ts';
import { freePort } from '../../support/free-port.ts';
import { hasProgram } from '../../support/needs.ts';
import { createSandbox } from '../../support/sandbox.ts';

type View = Parameters<Browser['newPage']>[0];

let browser: Browser;
let board: Awaited<ReturnType<typeof serveBoard>>;

describe.skipIf(!hasProgram('chromium'))('the board in Chromium', () => {
  beforeAll(async () => {
    board = await serveBoard();
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
  });

  // The sandbox of each page runs until the page is closed.
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });

  afterAll(async () => {
    await browser?.close();
    await board?.close();
  });

  test('shows the list of shipments, and the timeline and the map of one shipment', async () => {
    const { page, complaints, asked } = await open();
    expect(await page.locator('#shipments > li').count()).toBe(16);
    // The shipment is found by its number: while the clock runs, another shipment may become the first.
    const number = await page.locator('#shipments a', { hasText: 'On ship' }).first().locator('b').innerText();
    const row = page.locator('#shipments a', { hasText: number });
    const [from, to] = (await row.locator('.row-route').innerText()).split(' → ');
    await row.focus();
    await page.keyboard.press('Enter');

    const heading = page.getByRole('heading', { name: number });
    await heading.waitFor();
    expect(await focused(page)).toBe(number);
    await expect.poll(() => row.getAttribute('aria-current')).toBe('true');
    const timeline = page.locator('.timeline');
    await timeline.locator('.happened', { hasText: 'Vessel departed' }).waitFor();
    await timeline.locator('.expected', { hasText: 'Arrival at port of discharge expected' }).waitFor();
    const map = page.getByRole('img', { name: `Map of the journey: ${from}` });
    await map.waitFor();
    expect(await map.locator('.place').allTextContents()).toEqual(expect.arrayContaining([from, to]));
    expect(await map.locator('.leg.past').count()).toBeGreaterThan(0);
    expect(await map.locator('.leg.ahead').count()).toBeGreaterThan(0);

    expect(complaints).toEqual([]);
    expect(asked.filter(url => !url.startsWith(board.url))).toEqual([]);
  });

  test('shows new notifications and changes without a reload', async () => {
    const { page, complaints } = await open();
    const time = page.locator('#now');
    expect(await time.innerText()).toMatch(/^Mon, 9 Mar 2026, 1[2-4]:/);
    const rows = await page.locator('#shipments > li').elementHandles();
    const before = await statuses(page);
    const newest = await page.locator('#notifications time').first().getAttribute('datetime');

    await page.getByRole('button', { name: '+1 day' }).click();
    await time.getByText('Tue, 10 Mar 2026').waitFor();
    await expect.poll(() => page.locator('#notifications time').first().getAttribute('datetime')).not.toBe(newest);
    await expect.poll(() => statuses(page)).not.toEqual(before);
    // The page keeps the same elements, so that the user does not lose the focus.
    expect(await Promise.all(rows.map(row => row.evaluate(each => each.isConnected)))).not.toContain(false);
    expect(complaints).toEqual([]);
  });

  test('moves the vessel of the open shipment, and keeps the container open', async () => {
    const { page } = await open();
    await page.locator('#shipments a', { hasText: /On ship.*(ETA 18 Mar)/s }).click();
    await page.locator('.tab').nth(1).click();
    const vessel = page.locator('.map .vessel');
    const place = await vessel.getAttribute('transform');
    await page.getByRole('button', { name: '+6 hours' }).click();
    await expect.poll(() => vessel.getAttribute('transform')).not.toBe(place);
    expect(await page.locator('.tab').nth(1).getAttribute('aria-pressed')).toBe('true');
  });

  test('draws a route across the date line in one piece, and not around the earth', async () => {
    const { page } = await open();
    await page.locator('#shipments a', { hasText: 'Qingdao → Houston' }).click();
    await page.getByRole('img', { name: 'Map of the journey: Qingdao' }).waitFor();
    const paths = await page.locator('.leg').evaluateAll(legs => legs.map(leg => leg.getAttribute('d') ?? ''));
    const eastward = paths.flatMap(path => Array.from(path.matchAll(/[ML](\S+)/g), ([, x]) => Number(x)));
    expect(eastward.length).toBeGreaterThan(40);
    expect(Math.max(...eastward)).toBeGreaterThan(260);
    const steps = eastward.slice(1).map((x, index) => Math.abs(x - (eastward[index] ?? 0)));
    expect(Math.max(...steps)).toBeLessThan(30);
  });

  test('counts the days until the last free day, and then counts the days with demurrage', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /^To do/ }).click();
    const fact = page.locator('.fact', { hasText: 'Free time' });
    await page.locator('#shipments a', { hasText: 'Demurrage' }).first().click();
    await fact.getByText(/^\d days? over$/).waitFor();
    const row = page.locator('#shipments a', { hasText: '2 free days left' }).first();
    await row.click();
    await fact.getByText('2 days left').waitFor();
    await page.getByRole('button', { name: '+1 day' }).click();
    await fact.getByText('1 day left').waitFor();
    await page.locator('#shipments a[aria-current]').getByText('1 free day left').waitFor();
  });

  test('uploads a document, shows its progress to the end, and shows the data that the service reads from it', async () => {
    const { page, complaints } = await open();
    const name = 'commercial invoice <img src=x onerror=alert(1)>.pdf';
    const file = { name, mimeType: 'application/pdf', buffer: Buffer.alloc(3_000_000, 7) };
    await page.getByLabel('Drop a file').setInputFiles(file);
    const upload = page.locator('#uploads li');
    await upload.getByText(name).waitFor();
    await expect.poll(() => upload.locator('progress').evaluate((bar: HTMLProgressElement) => bar.value)).toBe(1);
    await upload.getByText(/Commercial invoice: \d+ fields read/i).waitFor();
    await page.locator('#notifications .document').first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('filters the shipments when a number in the headline is clicked, and scrolls the list to the selected shipment', async () => {
    const { page } = await open({ viewport: { width: 1440, height: 700 } });
    const selected = page.locator('#shipments a[aria-current]');
    const list = page.locator('#shipments');
    await expect.poll(() => isInside(selected, list)).toBe(true);

    for (const name of ['On demurrage', 'To pick up this week', 'Late']) {
      const figure = page.locator('#headline button', { hasText: name });
      const count = Number(await figure.locator('.count').innerText());
      expect(count).toBeGreaterThan(0);
      await figure.click();
      await expect.poll(() => list.locator('> li').count()).toBe(count);
      await figure.click();
      await expect.poll(() => list.locator('> li').count()).toBe(16);
    }
  });

  test('shows a fact once, even if two notifications report it', async () => {
    const { page } = await open();
    for (let day = 0; day < 3; day += 1) await page.getByRole('button', { name: '+1 day' }).click();
    const notices = page.locator('.notice', { hasText: 'Available for pickup' });
    await expect.poll(() => notices.count()).toBeGreaterThan(1);
    const numbers = await notices.locator('small').allInnerTexts();
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('shows the place of the container, and does not show an appointment after the container has left', async () => {
    const { page } = await open();
    const status = page.locator('.fact', { hasText: 'Status' });
    await page.locator('#shipments a', { hasText: 'On ship' }).first().click();
    await status.getByText(/^On board of [A-Z ]+$/).waitFor();
    await page.locator('#shipments a', { hasText: 'Picked up' }).first().click();
    await status.getByText(/^Has left /).waitFor();
    expect(await status.innerText()).not.toContain('Appointment');
  });

  test('finds shipments by their contents, and filters them', async () => {
    const { page } = await open();
    const rows = page.locator('#shipments > li');
    const number = (await rows.nth(7).locator('b').innerText()).toLowerCase();
    const search = page.getByRole('searchbox', { name: 'Search shipments' });
    await search.fill(number);
    await page.getByText('1 of 16 shipments').waitFor();
    expect(await rows.count()).toBe(1);
    await search.fill('');
    await page.getByRole('button', { name: /^At sea/ }).click();
    await expect.poll(() => rows.count()).toBeLessThan(16);
    expect(new Set(await page.locator('#shipments .chip').allInnerTexts())).toEqual(new Set(['On ship']));
  });

  test('names the active filter beside the count, and clears the filter with a button', async () => {
    const { page } = await open();
    const rows = page.locator('#shipments > li');
    const found = page.getByRole('status');
    const search = page.getByRole('searchbox', { name: 'Search shipments' });
    const clear = page.getByRole('button', { name: 'Clear filter' });
    expect(await clear.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'On demurrage' }).click();
    await search.fill('no such shipment');
    await found.getByText('0 of 16 shipments on demurrage', { exact: true }).waitFor();
    await search.fill('');
    await found.getByText(/^[1-9]\d* of 16 shipments on demurrage$/).waitFor();
    await clear.click();
    await expect.poll(() => rows.count()).toBe(16);
    expect(await found.innerText()).toBe('');
    expect(await clear.isVisible()).toBe(false);
    expect(await search.evaluate(box => box === document.activeElement)).toBe(true);
  });

  test('never lets a text become markup or script', async () => {
    const { page } = await open();
    const refusal = await page.evaluate(() => {
      try {
        document.body.innerHTML = '<b>text</b>';
        return 'allowed';
      } catch (error) {
        return String(error);
      }
    });
    expect(refusal).toMatch(/TypeError.*TrustedHTML/);
  });

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
  ] as const)('has no fault in an automated check of accessibility: %s, %i pixels wide', async (colorScheme, width) => {
    const { page } = await open({ colorScheme, viewport: { width, height: 844 } });
    await page.getByRole('button', { name: '+1 day' }).click();
    const file = { name: 'arrival notice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('text') };
    await page.getByLabel('Drop a file').setInputFiles(file);
    if (width < 500) {
      expect(await page.locator('.bar').evaluate(bar => bar.clientHeight)).toBeLessThanOrEqual(96);
      await checkWithAxe(page);
      await page.locator('#shipments a').first().click();
      await page.locator('.timeline li').first().waitFor();
      expect(await focused(page)).toBe(await page.locator('#detail h2').innerText());
      expect(await page.locator('#shipments').isVisible()).toBe(false);
      await checkWithAxe(page);
      await page.getByRole('link', { name: 'All shipments' }).click();
      await page.locator('#shipments').waitFor();
    } else {
      for (const alert of ['Customs hold', 'On ship']) {
        await page.locator('#shipments a', { hasText: alert }).first().click();
        await page.locator('.timeline li').first().waitFor();
        await checkWithAxe(page);
      }
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });

  test('shows a real service through the server, and keeps the key out of the page', async ({ onTestFinished }) => {
    const sandbox = createSandbox({ apiKeys: ['real-key'], shipments: 5 });
    const service = await sandbox.listen();
    onTestFinished(() => service.close());
    const port = String(await freePort());
    const env = { ...process.env, TRACKING_BASE_URL: service.baseUrl, TRACKING_API_KEY: 'real-key' };
    const args = ['node_modules/vite/bin/vite.js', '--mode', 'live', '--port', port, '--host', '127.0.0.1'];
    const vite = spawn(process.execPath, args, { cwd: BOARD, env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => stop(vite));
    await once(vite.stdout, 'data');

    const { page, complaints, texts } = await open({}, `http://127.0.0.1:${port}/`);
    expect(await page.locator('#shipments > li').count()).toBe(5);
    await page.locator('.timeline li').first().waitFor();
    expect(await page.getByRole('button', { name: '+1 day' }).isVisible()).toBe(false);
    expect(sandbox.requests.length).toBeGreaterThan(2);
    expect((await Promise.all(texts)).join('')).not.toContain('real-key');
    expect(complaints).toEqual([]);
  });
});

/** Opens the board, and waits until it shows the shipments. */
async function open(view: View = {}, url = board.url) {
  // An animation that never ends would keep a machine without a graphics card busy.
  const page = await browser.newPage({ reducedMotion: 'reduce', ...view });
  const complaints: string[] = [];
  const asked: string[] = [];
  const texts: Promise<string>[] = [];
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('request', request => asked.push(request.url()));
  page.on('response', response => texts.push(response.text().catch(() => '')));
  await page.goto(url);
  await page.locator('#shipments > li').nth(4).waitFor();
  await page.locator('.is-live').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('#filters button').length === 5);
  return { page, complaints, asked, texts };
}

async function isInside(inner: Locator, outer: Locator): Promise<boolean> {
  const [a, b] = [await inner.boundingBox(), await outer.boundingBox()];
  return a !== null && b !== null && a.y >= b.y - 1 && a.y + a.height <= b.y + b.height + 1;
}

const statuses = (page: Page) => page.locator('#shipments .chip').allTextContents();

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

async function stop(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
