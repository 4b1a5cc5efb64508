import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '..');
const installed = (name: string) => join(ROOT, 'node_modules', name);

/** The line from the guide, for the configuration of a client. */
const LINE = ['-y', '-p', 'container-tracking-sdk', '-p', '@modelcontextprotocol/server', 'container-tracking', 'mcp'];

/**
 * The packages that this line installs: our package as npm would publish it, and the other packages as they are
 * installed here.
 */
const PACKAGES: Record<string, string> = {
  'container-tracking-sdk': ROOT,
  '@modelcontextprotocol/server': installed('@modelcontextprotocol/server'),
  '@modelcontextprotocol/core': installed('@modelcontextprotocol/core'),
  zod: installed('zod'),
};

/** Long enough for a slow machine: npm has to unpack everything. */
const LIMIT_MS = 180_000;

/** Runs the line of the guide with an empty npm cache, against a registry on this machine. Returns the failures. */
export async function checkNpx(): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'npx-'));
  const registry = await serveRegistry(directory);
  try {
    const begin = performance.now();
    const serverName = await initialized(directory, `http://127.0.0.1:${portOf(registry)}/`);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(`npx, from an empty cache: ${serverName} responded to initialize after ${seconds} s`);
    return serverName === 'container-tracking' ? [] : [`npx, from an empty cache: the server is called ${serverName}`];
  } catch (error) {
    return [`npx, from an empty cache: ${(error as Error).message}`];
  } finally {
    registry.closeAllConnections();
    registry.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Starts the server with the line, and returns its name. */
async function initialized(directory: string, registry: string): Promise<string> {
  // Only the program npm is from this machine. Its cache, its settings and the project around it are not used.
  const [home, cache] = [join(directory, 'home'), join(directory, 'cache')];
  mkdirSync(home);
  const child = spawn('npx', LINE, {
    cwd: home,
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      npm_config_cache: cache,
      npm_config_registry: registry,
      npm_config_update_notifier: 'false',
      TRACKING_BASE_URL: 'http://127.0.0.1:9/v2',
      TRACKING_API_KEY: 'sandbox',
    },
  });
  let stderr = '';
  child.stderr.on('data', chunk => {
    stderr += chunk;
  });
  const limit = setTimeout(() => stop(child.pid), LIMIT_MS);
  try {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'check', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const lines = createInterface({ input: child.stdout });
    const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [undefined])]);
    if (line === undefined) throw new Error(`the command has ended: ${stderr}`);
    return JSON.parse(line).result?.serverInfo?.name ?? line;
  } finally {
    clearTimeout(limit);
    stop(child.pid);
  }
}

/** Stops npx and the processes that it has started. */
function stop(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid);
  } catch {
    // The process has ended already.
  }
}

/** Serves a registry that has one version of each of these packages. */
async function serveRegistry(directory: string): Promise<Server> {
  const tarballs = new Map(Object.entries(PACKAGES).map(([name, folder]) => [name, packed(folder, directory)]));
  const server = createServer((request, response) => {
    const [, name = ''] = /^\/(.*?)(\.tgz)?$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
    const folder = PACKAGES[name];
    const tarball = tarballs.get(name);
    if (folder === undefined || tarball === undefined) return void response.writeHead(404).end('{}');
    if (request.url?.endsWith('.tgz')) return void response.end(tarball);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { version } = manifest;
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = { tarball: `http://127.0.0.1:${portOf(server)}/${name}.tgz`, integrity };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function packed(folder: string, directory: string): Buffer {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory];
  const [{ filename }] = JSON.parse(
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  return readFileSync(join(directory, filename));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
