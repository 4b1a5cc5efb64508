import { ConfigurationError } from '../../errors.ts';
import { describeValue, objectArgument, refuseUnknownNames } from '../../internal/arguments.ts';
import { isLoopback } from '../base/checks.ts';
import { PREFIX } from './call.ts';
import { checkCors, EVERYBODY, type Visitors, visitors } from './cors.ts';

/** Options of `sandbox.listen()`. */
export interface ListenOptions {
  /** The port; 0 stands for any free port. @default 0 */
  port?: number | undefined;
  /** The address to listen on. @default '127.0.0.1' */
  host?: string | undefined;
  /**
   * Origins whose web pages may use the sandbox, such as `https://app.example`. Pages of this machine (`localhost`,
   * `127.0.0.1`, `[::1]`, with every port) may always use it. All other pages get 403. The header `Host` may also
   * contain the host of one of these origins, for a name that resolves to this machine, or for a proxy.
   * @default none
   */
  cors?: readonly string[] | undefined;
}

/** A sandbox that is served over HTTP. */
export interface SandboxServer {
  /** The address with the version segment, such as `http://127.0.0.1:49152/v2`. */
  baseUrl: string;
  /** The address of the MCP endpoint, such as `http://127.0.0.1:49152/mcp`. */
  mcpUrl: string;
  /**
   * The address of the page that shows the sandbox. The part after the `#` is the token with which the page can change the
   * sandbox. Browsers do not send this part to servers.
   */
  pageUrl: string;
  /** Stops the server and closes its open connections. */
  close(): Promise<void>;
}

/** Serves a handler over HTTP. If the handler rejects or its body fails, the connection is reset. */
export async function listen(
  handler: (request: Request, from: Visitors) => Promise<Response>,
  options: ListenOptions = {},
): Promise<Omit<SandboxServer, 'pageUrl'>> {
  refuseUnknownNames('listen()', objectArgument('The argument of listen()', options, '{ port: 8080 }'), [
    'port',
    'host',
    'cors',
  ]);
  const { port = 0, host = '127.0.0.1', cors = [] } = options;
  checkCors(cors);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ConfigurationError(`port is ${describeValue(port)}; it must be from 0 to 65535.`);
  }
  if (typeof host !== 'string') throw new ConfigurationError(`host is ${describeValue(host)}; it must be a string.`);
  const http = globalThis.process?.getBuiltinModule?.('node:http');
  if (http === undefined) {
    throw new Error('sandbox.listen() needs Node 20.16, 22.3 or later, Bun or Deno 2. Use sandbox.fetch elsewhere.');
  }
  let from = EVERYBODY;
  const server = http.createServer(async (incoming, outgoing) => {
    try {
      const method = incoming.method ?? 'GET';
      const hasBody = method !== 'GET' && method !== 'HEAD';
      const url = `http://${incoming.headers.host ?? `${host}:${port}`}${incoming.url}`;
      const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const body = hasBody ? { body: streamOf(incoming), duplex: 'half' } : {};
      const response = await handler(new Request(url, { method, headers, ...body }), from);
      // Waits for each chunk, so that all chunks before a failure reach the client.
      const flushed = (chunk: Uint8Array) => new Promise(resolve => outgoing.write(chunk, resolve));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body) for await (const chunk of response.body) await flushed(chunk);
      outgoing.end();
    } catch {
      outgoing.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address : { port, address: host };
  const origin = originAt(host, bound.port);
  from = visitors([new URL(origin).hostname], isLoopback(new URL(originAt(bound.address, 0)).hostname), cors);
  return {
    baseUrl: origin + PREFIX,
    mcpUrl: `${origin}/mcp`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function originAt(address: string, port: number): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** The body of a request. It is read only on demand: if no handler reads the body, it uses no memory. */
function streamOf(incoming: AsyncIterable<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = incoming[Symbol.asyncIterator]();
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    // The rest of the body has to be read from the connection. Otherwise the client would not read the response.
    cancel() {
      void drain(chunks);
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

async function drain(chunks: AsyncIterator<unknown>): Promise<void> {
  try {
    while (!(await chunks.next()).done);
  } catch {
    // The client has closed the connection.
  }
}
