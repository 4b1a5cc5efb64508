import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';

export const BOARD = resolve(import.meta.dirname, '../examples/board');

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/**
 * Builds the board of `examples/board/`, and serves it as a web server does. The packages of the board must be
 * installed.
 */
export async function serveBoard(): Promise<{ url: string; close(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'board-'));
  const vite = join(BOARD, 'node_modules/vite/bin/vite.js');
  const build = [vite, 'build', '--outDir', directory, '--emptyOutDir', '--logLevel', 'warn'];
  execFileSync(process.execPath, build, { cwd: BOARD, stdio: 'inherit' });

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = join(directory, pathname === '/' ? 'index.html' : pathname);
    try {
      const body = await readFile(path);
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise(closed => server.close(closed));
      rmSync(directory, { recursive: true });
    },
  };
}
