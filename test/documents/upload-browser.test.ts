import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasProgram } from '../../support/needs.ts';
import { reply, type StorageStep, serveUploads, type UploadServer } from '../../support/storage.ts';

const MIB = 2 ** 20;
const EXAMPLE = resolve(import.meta.dirname, '../../examples/upload-form');
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

/** Records every value that the form's progress bar shows. */
class Bar {
  readonly #shown: [stage: string, share: number][] = [];
  #moved = () => {};

  move(stage: string, share: number): void {
    this.#shown.push([stage, share]);
    this.#moved();
  }

  shares(stage: string): number[] {
    return this.#shown.filter(([shown]) => shown === stage).map(([, share]) => share);
  }

  /** Resolves when the bar shows at least this share. */
  async shows(stage: string, share: number): Promise<void> {
    while (!this.shares(stage).some(shown => shown >= share)) {
      await new Promise<void>(resolve => {
        this.#moved = resolve;
      });
    }
  }
}

/** An event of a trace. Times are in microseconds. `tdur` is the duration in processor time. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

/** A page that uploads the chosen file, or `size` bytes. It returns the id of the document, or describes the error. */
const PLAIN_PAGE = '<!doctype html><input type="file"><script type="module" src="/plain.js"></script>';
const SERVICE_WORKER = `
onfetch = event => event.respondWith(fetch(event.request));
onactivate = event => event.waitUntil(clients.claim());`;
const PLAIN_SCRIPT = `
import { TrackingClient } from ${JSON.stringify(resolve(import.meta.dirname, '../../src/index.ts'))};
window.upload = async ({ size, ownFetch, ...options }) => {
  const client = clientWith(ownFetch);
  const file = document.querySelector('input').files[0] ?? new File([new Uint8Array(size)], 'a.pdf');
  try {
    return (await client.documents.upload({ file, ...options })).id;
  } catch (error) {
    return [error.stage, error.cause?.code, error.message].join(' ');
  }
};
window.download = async () => new Response(await clientWith(false).documents.download('1')).text();
function clientWith(ownFetch) {
  return new TrackingClient({
    baseUrl: location.origin + '/v2',
    accessToken: async () => {
      await window.beforeCall?.();
      return 'page-token';
    },
    logger: false,
    retry: { limit: 1, minDelay: 0 },
    ...(ownFetch && { fetch: (input, init) => fetch(input, init) }),
  });
}`;

/**
 * A timer of 5 seconds or longer in the page does not end until the test releases it. This timeout is one of
 * these timers.
 */
const TIMEOUT = 60_000;

const directory = mkdtempSync(join(tmpdir(), 'upload-browser-'));
const scripts: Record<string, string> = {};
let browser: Browser;

describe.skipIf(!hasProgram('chromium'))('in Chromium', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    scripts.form = await bundled({ entryPoints: [join(EXAMPLE, 'form.ts')] });
    scripts.plain = await bundled({ stdin: { contents: PLAIN_SCRIPT, resolveDir: import.meta.dirname } });
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    // Chromium needs a UTF-8 locale to find a file whose name is not ASCII.
    const env = { ...process.env, LC_ALL: 'C.UTF-8' } as Record<string, string>;
    browser = await chromium.launch({ executablePath, args: FLAGS, env });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true });
  });

  test.each([
    ['uploads 256 MiB, hashed in a worker', 'packing list 发票.pdf', 256, 'blob:', 1],
    ['uploads without a worker if its policy forbids workers', 'a.pdf', 64, "'none'", 0],
  ])('the form %s, and the page stays responsive', { timeout: 300_000 }, async (_, name, mib, workerSource, count) => {
    const { path, checksum } = makeFile(name, mib * MIB);
    const bar = new Bar();
    const server = await serveForm(`${POLICY}; worker-src ${workerSource}`, takeAsShown(mib * MIB, bar));
    const { page, said, workers } = await submit(server, path, { before: startTrace, bar });
    expect(said).toBe(`Uploaded as ${name}`);
    expect(server.puts).toMatchObject([{ bytes: mib * MIB, checksum }]);
    expect(workers).toBe(count);
    // The longest task takes about 10 ms, or up to 200 ms on a slow processor. Other programs are not counted.
    expect(await longestTask(page)).toBeLessThan(200);
    // A worker reports progress after each 4 MiB. Without a worker, the page reports it after each 256 KiB.
    expectSteady(bar.shares('Reading …'), (count === 1 ? mib / 4 : mib * 4) - 1);
    expectSteady(bar.shares('Sending …'), 1);
  });

  test('the form sends the headers of the slot, but no token and no cookie', async () => {
    const { path } = makeFile('a.pdf', 1000);
    const server = await serveForm(POLICY);
    await submit(server, path);
    const sent = server.puts[0]?.headers ?? {};
    expect(sent).toMatchObject({ 'content-type': 'application/pdf', 'content-length': '1000', 'x-storage-own': 'yes' });
    expect(sent).not.toHaveProperty('authorization');
    expect(server.apiHeaders).toMatchObject(Array(2).fill({ authorization: 'Bearer page-token' }));
  });

  test('the form names the stage that failed', async () => {
    const { path } = makeFile('a.pdf', 1000);
    const server = await serveForm(POLICY, (_, response) => response.writeHead(400).end('<Code>BadDigest</Code>'));
    const { said } = await submit(server, path);
    expect(said).toMatch(/^Failed \(put\): .*BadDigest/);
    expect(server.documents).toEqual([]);
  });

  test('the form can cancel the upload', async () => {
    const { path } = makeFile('a.pdf', 1000);
    const server = await serveForm(POLICY, () => {});
    const { said } = await submit(server, path, { after: page => page.click('button[name=cancel]') });
    expect(said).toBe('Cancelled');
    expect(server.documents).toEqual([]);
  });

  test('an upload succeeds if the worker never reports anything', async () => {
    const server = await serveForm(POLICY);
    const page = await openPlain(server);
    await page.evaluate(timeout => {
      const { pass } = window as unknown as { pass(ms: number): void };
      Object.assign(window, {
        Worker: class extends EventTarget {
          postMessage() {
            setTimeout(() => pass(timeout));
          }
          terminate() {}
        },
      });
    }, TIMEOUT);
    expect(await uploadFrom(page, { size: 1000, timeout: TIMEOUT })).toBe('d1');
  });

  test('a response with status 200 is not a success if it comes before the bytes were sent', async () => {
    const server = await serveForm(POLICY);
    const page = await openPlain(server);
    await page.route('**/storage/*', route => route.fulfill({ status: 200 }));
    expect(await uploadFrom(page, { size: 1000 })).toMatch(/^put connection .*before all bytes were sent/);
    expect(server.documents).toEqual([]);
  });

  test('the timeout of an upload grows with the size of the file if a service worker hides the progress', async () => {
    const server = await serveForm(POLICY, (request, response) => {
      request.on('end', async () => {
        // 400,000 bytes extend the timeout by 4 seconds.
        await passIn(page, TIMEOUT + 3999);
        response.end();
      });
    });
    const page = await openPlain(server);
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/service-worker.js');
      while (!navigator.serviceWorker.controller) await new Promise(resolve => setTimeout(resolve, 10));
    });
    expect(await uploadFrom(page, { size: 400_000, timeout: TIMEOUT })).toBe('d1');
    expect(server.puts).toMatchObject([{ bytes: 400_000 }]);
  });

  test.each([302, 303, 307])('a redirect (%i) on the same origin is not a success', async status => {
    const server = await serveForm(POLICY, (request, response) => {
      if (request.url?.startsWith('/storage/1?')) response.writeHead(status, { location: '/storage/2' });
      response.end();
    });
    const page = await openPlain(server);
    expect(await uploadFrom(page, { size: 1000 })).toMatch(/^put redirected /);
    expect(server.documents).toEqual([]);
  });

  test.each([
    ['written to', (path: string) => writeFileSync(path, 'other bytes')],
    ['deleted', (path: string) => rmSync(path)],
  ])('a file that was %s after the checksum is reported as changed', async (_, act) => {
    const { path } = makeFile('changing.pdf', MIB);
    const server = await serveForm(POLICY);
    const page = await openPlain(server);
    await page.setInputFiles('input', path);
    await page.exposeFunction('beforeCall', () => existsSync(path) && act(path));
    expect(await uploadFrom(page, {})).toMatch(/^put bytes_changed /);
    expect(server.documents).toEqual([]);
  });

  test('a custom fetch sends no cookie to the storage, and times out if it hangs', async () => {
    // 1,000 bytes extend the timeout by 10 ms.
    const server = await serveForm(POLICY, 'take', request => request.on('end', () => passIn(page, TIMEOUT + 10)));
    const page = await openPlain(server);
    await page.evaluate(() => {
      // biome-ignore lint/suspicious/noDocumentCookie: the other way is asynchronous and for secure pages only.
      document.cookie = 'session=1';
    });
    expect(await uploadFrom(page, { size: 1000, ownFetch: true })).toBe('d1');
    expect(server.apiHeaders[0]).toHaveProperty('cookie', 'session=1');
    expect(server.puts[0]?.headers).not.toHaveProperty('cookie');
    expect(await uploadFrom(page, { size: 1000, ownFetch: true, timeout: TIMEOUT })).toMatch(/^put timeout /);
  });

  test('a download is tried again, and sends no cookie to the storage', async () => {
    const server = await serveForm(POLICY);
    const cookies: (string | undefined)[] = [];
    const { onGet } = server;
    server.onGet = (path, response) => {
      if (path.endsWith('/download_url')) return reply(response, 200, { download_url: `${server.origin}/file` });
      if (path !== '/file') return onGet?.(path, response);
      cookies.push(response.req.headers.cookie);
      return cookies.length === 1 ? response.writeHead(503).end() : response.end('the content');
    };
    const page = await openPlain(server);
    await page.evaluate(() => {
      // biome-ignore lint/suspicious/noDocumentCookie: the other way is asynchronous and for secure pages only.
      document.cookie = 'session=1';
    });
    const downloaded = page.evaluate(() => (window as unknown as { download(): Promise<string> }).download());
    expect(await downloaded).toBe('the content');
    expect(cookies).toEqual([undefined, undefined]);
  });

  test('the client respects the wait that a storage of another origin requests, and the console has no error', async () => {
    const server = await serveForm(
      '',
      (request, response) => request.on('end', () => response.writeHead(503, { 'retry-after': '1' }).end()),
      'take',
    );
    server.place = { url: `${server.origin.replace('127.0.0.1', 'localhost')}/storage/1?signature=x` };
    const page = await openPlain(server);
    const said: string[] = [];
    page.on('console', message => said.push(message.text()));
    expect(await uploadFrom(page, { size: 1000 })).toBe('d1');
    expect(said.filter(text => text.includes('header'))).toEqual([]);
  });
});

async function bundled(options: BuildOptions): Promise<string> {
  const alias = { 'container-tracking-sdk': resolve(import.meta.dirname, '../../src/index.ts') };
  const { outputFiles } = await build({ ...options, bundle: true, minify: true, format: 'esm', write: false, alias });
  return outputFiles?.[0]?.text ?? '';
}

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
    '/form.js': ['text/javascript', scripts.form ?? ''],
    '/plain': ['text/html', PLAIN_PAGE],
    '/plain.js': ['text/javascript', scripts.plain ?? ''],
    '/service-worker.js': ['text/javascript', SERVICE_WORKER],
    '/storage/2': ['text/plain', 'where a redirect leads'],
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

async function openPlain(server: UploadServer): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.addInitScript(holdTimers);
  await page.goto(`${server.origin}/plain`);
  await page.waitForFunction(() => 'upload' in window);
  return page;
}

/** Runs in the page, before its own script. */
function holdTimers(): void {
  const { setTimeout, clearTimeout } = window;
  const held = new Map<number, { at: number; run: () => void }>();
  let now = 0;
  let last = -1;
  Object.assign(window, {
    setTimeout: (run: () => void, ms = 0) => {
      if (ms < 5000) return setTimeout(run, ms);
      last -= 1;
      held.set(last, { at: now + ms, run });
      return last;
    },
    clearTimeout: (timer: number) => held.delete(timer) || clearTimeout(timer),
    pass: (ms: number) => {
      now += ms;
      for (const [timer, { at, run }] of held) if (at <= now && held.delete(timer)) run();
    },
  });
}

function passIn(page: Page, ms: number): Promise<void> {
  return page.evaluate(ms => (window as unknown as { pass(ms: number): void }).pass(ms), ms);
}

function uploadFrom(page: Page, options: { size?: number; timeout?: number; ownFetch?: boolean }): Promise<string> {
  return page.evaluate(options => {
    const { upload } = window as unknown as { upload(given: typeof options): Promise<string> };
    return upload(options);
  }, options);
}

/** Chooses the file and submits the form; resolves when the form shows the outcome. */
async function submit(
  server: UploadServer,
  path: string,
  {
    before,
    after,
    bar = new Bar(),
  }: { before?: (page: Page) => Promise<void>; after?: (page: Page) => Promise<void>; bar?: Bar } = {},
) {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  let workers = 0;
  page.on('pageerror', error => {
    throw error;
  });
  page.on('worker', () => {
    workers += 1;
  });
  await page.exposeFunction('barMoved', (stage: string, share: number) => bar.move(stage, share));
  await page.addInitScript(watchBar);
  await page.goto(server.origin);
  await before?.(page);
  await page.setInputFiles('input[type=file]', path);
  await page.click('button[type=submit]');
  await after?.(page);
  const said = await outcome(page);
  return { page, said, workers };
}

/** Reads the bytes. Pauses after each eighth of the bytes, until the bar shows the bytes that have arrived. */
function takeAsShown(size: number, bar: Bar): StorageStep {
  return (request, response) => {
    let arrived = 0;
    let eighths = 1;
    request.on('data', async chunk => {
      arrived += chunk.length;
      if (arrived < (eighths * size) / 8) return;
      eighths += 1;
      request.pause();
      await bar.shows('Sending …', arrived / size);
      request.resume();
    });
    request.on('end', () => response.end());
  };
}

/** Runs in the page, before its own script. */
function watchBar(): void {
  const { barMoved } = window as unknown as { barMoved(stage: string, share: number): void };
  document.addEventListener('DOMContentLoaded', () => {
    const bar = document.querySelector('progress');
    const output = document.querySelector('output');
    if (!bar || !output) return;
    const tell = () => barMoved(output.value, bar.value / bar.max);
    new MutationObserver(tell).observe(bar, { attributes: true, attributeFilter: ['value'] });
  });
}

/** The final message of the form. A busy machine may be slow, but the form must make progress within a minute. */
async function outcome(page: Page): Promise<string> {
  let state = '';
  let movedAt = performance.now();
  for (;;) {
    const said = (await page.locator('output').textContent()) ?? '';
    if (/^(Uploaded|Failed|Cancelled)/.test(said)) return said;
    const now = `${said} ${await page.locator('progress').getAttribute('value')}`;
    if (now !== state) movedAt = performance.now();
    state = now;
    if (performance.now() - movedAt > 60_000) throw new Error(`The form stands still at: ${state}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

function startTrace(page: Page): Promise<void> {
  return browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
}

/**
 * Longest task of the main thread since `startTrace`, in ms of processor time. Wall-clock time would also include the
 * work of other programs.
 */
async function longestTask(page: Page): Promise<number> {
  await page.evaluate(markEnd);
  // The trace contains a task only after the task has ended. This call starts another task, so the task of `markEnd`
  // has ended.
  await page.evaluate(() => {});
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const end = traceEvents.find(({ name }) => name === 'the end');
  if (!end) throw new Error('The trace does not reach the end.');
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && pid === end.pid && tid === end.tid,
  );
  // The trace must show that the task of `markEnd` blocked for 100 ms.
  const last = tasks.find(({ ts, dur = 0 }) => ts <= end.ts && end.ts <= ts + dur);
  expect(last?.dur).toBeGreaterThan(100_000);
  expect(last?.tdur).toBeGreaterThan(0);
  return Math.max(...tasks.filter(task => task !== last).map(({ tdur = 0 }) => tdur)) / 1000;
}

/** Runs in the page: marks the end of the measurement, and blocks the main thread. */
function markEnd(): void {
  performance.mark('the end');
  for (const end = performance.now() + 100; performance.now() < end; ) {}
}

/** Checks that the bar rises from empty to full, never falls, and shows at least `steps` values in between. */
function expectSteady(shares: number[], steps: number): void {
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect([shares[0], shares.at(-1)]).toEqual([0, 1]);
  expect(shares.filter(share => share > 0 && share < 1).length).toBeGreaterThanOrEqual(steps);
}
