import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { headerOf, POLICY } from './policy.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

export interface ServedSite {
  origin: string;
  close(): Promise<void>;
}

/** The file that a simple static server sends for a path, or `undefined`. */
export function fileFor(folder: string, pathname: string): string | undefined {
  const path = join(folder, decodeURIComponent(pathname));
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
  return existsSync(file) ? file : undefined;
}

/**
 * Serves a folder as a strict static host does: without rewriting, with 404 for missing files, and with a policy for scripts and
 * workers. Pages contain their own policy.
 */
export async function serveFolder(folder: string): Promise<ServedSite> {
  const server = createServer(({ url = '/' }, response) => {
    const file = fileFor(folder, new URL(url, 'http://localhost').pathname);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const type = extname(file);
    const policy = type === '.html' ? {} : { 'content-security-policy': headerOf(POLICY) };
    response.writeHead(200, { 'content-type': TYPES[type] ?? 'application/octet-stream', ...policy });
    response.end(readFileSync(file));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
