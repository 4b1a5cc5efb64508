import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { chromium } from 'playwright-core';
import { build as vite } from 'vite';

export const CHROMIUM = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' };

/** Bundles the page of the smoke program in the same way as an application. Resolves to the folder to serve. */
export async function bundleWithVite(directory: string): Promise<string> {
  const outDir = join(directory, 'vite');
  await vite({
    root: directory,
    configFile: false,
    logLevel: 'error',
    base: './',
    build: { outDir, emptyOutDir: true, rolldownOptions: { input: join(directory, 'page.html') } },
  });
  return outDir;
}

export async function bundleWithEsbuild(directory: string): Promise<string> {
  const outdir = join(directory, 'esbuild');
  await esbuild({
    entryPoints: [join(directory, 'page.mjs')],
    outExtension: { '.js': '.mjs' },
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  copyFileSync(join(directory, 'page.html'), join(outdir, 'page.html'));
  return outdir;
}

/** Opens the page in Chromium, with a policy that allows no `eval`, and resolves to the output of the program. */
export async function openPage(directory: string, api: string): Promise<unknown> {
  const policy = `default-src 'none'; script-src 'self'; connect-src ${new URL(api).origin}; worker-src blob:`;
  const server = await serve(directory, policy);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
  try {
    const page = await browser.newPage();
    const failed = new Promise<never>((_, reject) => page.on('pageerror', reject));
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/page.html?api=${encodeURIComponent(api)}`);
    await Promise.race([page.waitForFunction(() => 'told' in window, undefined, { timeout: 60_000 }), failed]);
    const { told, forbidden, evaluates } = await page.evaluate(
      () => (window as unknown as { told: { told: unknown; forbidden: string[]; evaluates: boolean } }).told,
    );
    if (forbidden.length > 0) throw new Error(`The policy of the page forbade: ${forbidden.join(', ')}`);
    if (evaluates) throw new Error('The policy of the page allows eval, so that the run proves nothing about it.');
    return told;
  } finally {
    await browser.close();
    server.close();
  }
}

async function serve(directory: string, policy: string): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    try {
      const body = readFileSync(join(directory, pathname));
      const type = TYPES[extname(pathname)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return server;
}
