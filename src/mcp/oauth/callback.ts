import { ConfigurationError } from '../../errors.ts';
import { builtin } from '../../internal/runtime.ts';
import { abortable } from '../../internal/signal.ts';
import type { LoopbackRedirect, OAuthOptions } from './options.ts';

/** Where the browser comes back to. */
export interface Callback {
  /** The address. */
  readonly url: string;
  /** What the browser came back with. Rejects with the reason of the signal. */
  received(signal: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

export async function openCallback(redirect: OAuthOptions['redirect'] = {}): Promise<Callback> {
  if (!('url' in redirect)) return listen(redirect);
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

/** A server for one request. */
async function listen({ port = 0, path = '/callback' }: LoopbackRedirect): Promise<Callback> {
  const http = builtin('node:http');
  if (!http) {
    throw new ConfigurationError(
      'A sign-in on loopback needs Node 20.16, 22.3 or later, Bun or Deno 2. Elsewhere pass redirect: { url, received }.',
    );
  }
  let arrived: (query: URLSearchParams) => void = () => {};
  const query = new Promise<URLSearchParams>(resolve => {
    arrived = resolve;
  });
  const server = http.createServer((request, response) => {
    // What no URL can be parsed from may come as well. An error thrown here would end the process.
    const address = `http://127.0.0.1${request.url}`;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    // Browsers ask for an icon too.
    if (request.method !== 'GET' || url?.pathname !== path) return void response.writeHead(404).end();
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
    url: `http://127.0.0.1:${boundPort}${path}`,
    received: signal => abortable(query, signal),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
