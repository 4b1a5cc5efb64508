/**
 * The environment in which a snippet runs: a sandbox with a server, the environment variables, some files, and a network
 * in which only the sandbox and the snippet's own servers can be reached.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { type AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSandbox, type Sandbox } from 'container-tracking-sdk/sandbox';

/** The sandbox of the snippet that is running. */
export let sandbox: Sandbox;

let origin = '';
let turn = 0;
let momentMs = 0;
const moments = new Set<AbortSignal>();
/** The actual port for each port that the snippet requested. */
const ports = new Map<string, number>();
let latestPort: number | undefined;

/** Prepares the environment of the next snippet. The previous sandbox stays open: its snippet may still be running. */
export async function beginTurn(directory: string, moment: number): Promise<void> {
  turn += 1;
  momentMs = moment;
  ports.clear();
  latestPort = undefined;
  sandbox = createSandbox({ shipments: 6, now: new Date(), trackingDelayMs: 50, rateLimit: false });
  const { baseUrl } = await sandbox.listen({ port: 0 });
  origin = new URL(baseUrl).origin;
  Object.assign(process.env, {
    TRACKING_BASE_URL: baseUrl,
    TRACKING_API_KEY: 'sandbox',
    TRACKING_WEBHOOK_SECRET: 'sample-signing-secret',
    MY_KEY: 'sandbox',
  });
  mkdirSync(directory, { recursive: true });
  cpSync(join(import.meta.dirname, 'files'), directory, { recursive: true });
  process.chdir(directory);
}

/** A signal that aborts after a moment. A snippet may reject with the reason of the signal. */
export function momentarySignal(): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), momentMs).unref();
  moments.add(controller.signal);
  return controller.signal;
}

export function isReasonOfMoment(error: unknown): boolean {
  // Some functions of Node throw an error whose `cause` is the reason.
  const cause = error instanceof Error ? error.cause : undefined;
  return [...moments].some(({ aborted, reason }) => aborted && (reason === error || reason === cause));
}

// The modules in `given/` are loaded again for every snippet, because each snippet has its own sandbox.
const GIVEN = pathToFileURL(join(import.meta.dirname, 'given')).href;
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return /^(\.ts|\/[\w-]+\.ts)$/.test(resolved.url.replace(GIVEN, ''))
      ? { ...resolved, url: `${resolved.url}?${turn}` }
      : resolved;
  },
});

const { fetch: send } = globalThis;
globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const to = routeOf(url);
  return input instanceof Request ? send(new Request(to, input), init) : send(to, init);
};

function routeOf(url: URL): URL {
  const { hostname, port } = url;
  if (hostname === 'host.example') return new URL(url.href.replace(url.origin, origin));
  if (hostname === 'my-host.example' && latestPort) return new URL(`http://localhost:${latestPort}${pathOf(url)}`);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    return new URL(url.href.replace(`:${port}`, `:${ports.get(port) ?? port}`));
  }
  if (!url.protocol.startsWith('http')) return url;
  throw new TypeError('fetch failed', { cause: new Error(`getaddrinfo ENOTFOUND ${hostname}`) });
}

function pathOf({ pathname, search }: URL): string {
  return `${pathname}${search}`;
}

const { listen } = Server.prototype;
// biome-ignore lint/suspicious/noExplicitAny: it has eight signatures
Server.prototype.listen = function (this: Server, ...args: any[]) {
  const requested = Number(args[0]?.port ?? args[0]);
  if (requested > 0) {
    this.once('listening', () => {
      latestPort = (this.address() as AddressInfo).port;
      ports.set(String(requested), latestPort);
    });
    args[0] = typeof args[0] === 'object' ? { ...args[0], port: 0 } : 0;
  }
  return listen.apply(this, args as Parameters<typeof listen>);
} as typeof listen;
