import { ConfigurationError } from '../errors.ts';
import { builtin } from '../internal/runtime.ts';
import { abortable } from '../internal/signal.ts';
import type { LoopbackRedirect, OAuthOptions } from './options.ts';

/** Where the browser comes back to. */
export interface Callback {
  /** The address. */
  readonly url: string;
  /** What the browser came back with. Rejects with the reason of the signal. */
  received(signal: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** @param state what our request bears, and its response too. */
export async function openCallback(redirect: OAuthOptions['redirect'] = {}, state: string): Promise<Callback> {
  if (!('url' in redirect)) return listen(redirect, state);
  const { url, received } = redirect;
  return {
    url,
    received: async signal => new URL(await abortable(received(signal), signal), url).searchParams,
    close: async () => {},
  };
}

const PAGE = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Signed in</title></head>
<body><p>You can close this window. The program says whether it has worked.</p></body></html>
`;

const OTHER = 'This page belongs to another sign-in. Go on in the page that the program opened last.\n';

/** A server for one response. Any page and any program on this machine can send it requests, which change nothing. */
async function listen({ port = 0, path = '/callback' }: LoopbackRedirect, state: string): Promise<Callback> {
  const http = builtin('node:http');
  if (!http) {
    throw new ConfigurationError(
      'A sign-in on loopback needs Node 20.16, 22.3 or later, Bun or Deno 2. Elsewhere pass redirect: { url, received }.',
    );
  }
  let arrived: (query: URLSearchParams) => void = () => {};
  const query = new Promise<URLSearchParams>(resolve => (arrived = resolve));
  const server = http.createServer((request, response) => {
    const url = parseTarget(request.url);
    // Browsers ask for an icon too.
    if (request.method !== 'GET' || url?.pathname !== path) return void response.writeHead(404).end();
    // A tab of an earlier sign-in, for example.
    if (url.searchParams.get('state') !== state) {
      return void response.writeHead(400, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(OTHER);
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    });
    response.end(PAGE, () => arrived(url.searchParams));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', cause => {
      const message = `The sign-in cannot listen on port ${port} of 127.0.0.1. Pass another redirect.port.`;
      reject(new ConfigurationError(message, { cause }));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;
  return {
    url: `${LOOPBACK}:${boundPort}${path}`,
    received: signal => abortable(query, signal),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The address that a request asks for; `undefined` for one that is none, such as `//`. */
function parseTarget(target = '/'): URL | undefined {
  return URL.canParse(target, LOOPBACK) ? new URL(target, LOOPBACK) : undefined;
}

const LOOPBACK = 'http://127.0.0.1';
