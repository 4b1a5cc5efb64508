import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasProgram } from './support/needs.ts';
import { serveUploads, type UploadServer } from './support/storage.ts';

const MIB = 2 ** 20;
const EXAMPLE = resolve(import.meta.dirname, '../examples/upload-form');
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

/** What the page notes while it works. */
interface Notes {
  /** Of the main thread, in ms. */
  longestTask: number;
  /** Stage and share done, each time the bar moves. */
  progress: [stage: string, share: number][];
}

const directory = mkdtempSync(join(tmpdir(), 'upload-browser-'));
let script: string;
let browser: Browser;

describe.skipIf(!hasProgram('chromium'))('the form of the example, in Chromium', () => {
  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [join(EXAMPLE, 'form.ts')],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
      alias: { 'container-tracking-sdk': resolve(import.meta.dirname, '../src/index.ts') },
    });
    script = outputFiles[0]?.text ?? '';
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    browser = await chromium.launch({ executablePath, args: FLAGS });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true });
  });

  // On demand (UPLOAD_LARGE=1): beside the whole suite on two cores it was seen not to end within 100 s.
  test.runIf(process.env.UPLOAD_LARGE)(
    'uploads 256 MiB, and the page stays responsive',
    { timeout: 120_000 },
    async () => {
      const { path, checksum } = makeFile('packing list 发票.pdf', 256 * MIB);
      const server = await serveForm(`${POLICY}; worker-src blob:`);
      const { notes, said, workers } = await submit(server, path);
      expect(said).toBe('Uploaded as packing list 发票.pdf');
      expect(server.puts).toMatchObject([{ bytes: 256 * MIB, checksum }]);
      expect(workers).toBe(1);
      expectSmooth(notes);
    },
  );

  test('does without a worker where the policy of the page forbids it', { timeout: 120_000 }, async () => {
    const { path, checksum } = makeFile('a.pdf', 64 * MIB);
    const server = await serveForm(`${POLICY}; worker-src 'none'`);
    const { notes, said, workers } = await submit(server, path);
    expect(said).toBe('Uploaded as a.pdf');
    expect(server.puts).toMatchObject([{ bytes: 64 * MIB, checksum }]);
    expect(workers).toBe(0);
    expectSmooth(notes);
  });

  test('sends the headers of the slot, and neither the token nor a cookie', async () => {
    const { path } = makeFile('a.pdf', 1000);
    const server = await serveForm(POLICY);
    await submit(server, path);
    const sent = server.puts[0]?.headers ?? {};
    expect(sent).toMatchObject({ 'content-type': 'application/pdf', 'content-length': '1000', 'x-storage-own': 'yes' });
    expect(sent).not.toHaveProperty('authorization');
    expect(server.apiHeaders).toMatchObject(Array(2).fill({ authorization: 'Bearer page-token' }));
  });

  test('tells which stage failed', async () => {
    const { path } = makeFile('a.pdf', 1000);
    const server = await serveForm(POLICY, (_, response) => response.writeHead(400).end('<Code>BadDigest</Code>'));
    const { said } = await submit(server, path);
    expect(said).toMatch(/^Failed \(put\): .*BadDigest/);
    expect(server.documents).toEqual([]);
  });

  test('is cancelled', async () => {
    const { path } = makeFile('a.pdf', 1000);
    const server = await serveForm(POLICY, () => {});
    const { said } = await submit(server, path, page => page.click('button[name=cancel]'));
    expect(said).toBe('Cancelled');
    expect(server.documents).toEqual([]);
  });
});

function makeFile(name: string, size: number): { path: string; checksum: string } {
  const path = join(directory, name);
  const hash = createHash('md5');
  const file = openSync(path, 'w');
  for (let left = size; left > 0; left -= MIB) {
    const bytes = randomBytes(Math.min(MIB, left));
    hash.update(bytes);
    writeSync(file, bytes);
  }
  closeSync(file);
  return { path, checksum: hash.digest('base64') };
}

async function serveForm(policy: string, ...steps: Parameters<typeof serveUploads>): Promise<UploadServer> {
  const server = await serveUploads(...steps);
  const pages: Record<string, [type: string, body: string]> = {
    '/': ['text/html', readFileSync(join(EXAMPLE, 'index.html'), 'utf8')],
    '/form.js': ['text/javascript', script],
    '/token': ['text/plain', 'page-token'],
  };
  server.onGet = (path, response) => {
    const [type, body] = pages[path] ?? ['text/plain', ''];
    response
      .writeHead(path in pages ? 200 : 404, { 'content-type': type, 'content-security-policy': policy })
      .end(body);
  };
  return server;
}

/** Chooses the file and submits the form; resolves when the form says how it ended. */
async function submit(server: UploadServer, path: string, meanwhile?: (page: Page) => Promise<void>) {
  const page = await browser.newPage();
  let workers = 0;
  page.on('pageerror', error => {
    throw error;
  });
  page.on('worker', () => {
    workers += 1;
  });
  await page.addInitScript(takeNotes);
  await page.goto(server.origin);
  await page.evaluate(proveNotes);
  await page.setInputFiles('input[type=file]', path);
  await page.click('button[type=submit]');
  await meanwhile?.(page);
  const output = page.locator('output', { hasText: /^(Uploaded|Failed|Cancelled)/ });
  const said = await output.textContent({ timeout: 100_000 });
  const notes = await page.evaluate(() => (window as unknown as { notes: Notes }).notes);
  await page.close();
  return { said, notes, workers };
}

/** Runs in the page, before its own script. */
function takeNotes(): void {
  const notes: Notes = { longestTask: 0, progress: [] };
  Object.assign(window, { notes });
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) notes.longestTask = Math.max(notes.longestTask, duration);
  }).observe({ type: 'longtask', buffered: true });
  document.addEventListener('DOMContentLoaded', () => {
    const bar = document.querySelector('progress');
    const output = document.querySelector('output');
    if (!bar || !output) return;
    const note = () => notes.progress.push([output.value, bar.value / bar.max]);
    new MutationObserver(note).observe(bar, { attributes: true, attributeFilter: ['value'] });
  });
}

/** Blocks the main thread and resolves when that has been noted. */
async function proveNotes(): Promise<void> {
  const { notes } = window as unknown as { notes: Notes };
  await new Promise(resolve => setTimeout(resolve));
  for (const end = performance.now() + 100; performance.now() < end; ) {}
  while (notes.longestTask < 100) await new Promise(resolve => setTimeout(resolve, 5));
  notes.longestTask = 0;
}

function expectSmooth({ longestTask, progress }: Notes): void {
  // Hashed in one task, the file would block the page for much longer.
  expect(longestTask).toBeLessThan(1_000);
  for (const stage of ['Reading …', 'Sending …']) {
    const shares = progress.filter(([name]) => name === stage).map(([, share]) => share);
    expect(shares.length).toBeGreaterThan(5);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  }
}
