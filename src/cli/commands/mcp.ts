import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TrackingClient } from '../../client.ts';
import { ConfigurationError } from '../../errors.ts';
import { readApiKey } from '../api-key.ts';
import { type Command, closeOnSignal, failed, numberOption, type OptionValues, wrongUsage } from '../command.ts';

type McpServerEntry = typeof import('../../mcp-server/index.ts');

const PEER = '@modelcontextprotocol/server';

export const command: Command = {
  details: `      Over stdio, for a client that starts this command itself. The API key comes from TRACKING_API_KEY, or from a file
      that only its owner can read.

      --http       over HTTP on this machine; each request brings its own header "Authorization: Token <API key>"
      --port       the port for --http, 4011 unless given; 0 stands for any free port
      --read-only  without the tool that starts tracking
      --base-url   the address of the service, in place of TRACKING_BASE_URL
      --key-file   a file that holds the API key, in place of TRACKING_API_KEY
`,
  options: {
    http: { type: 'boolean', default: false },
    port: { type: 'string' },
    'read-only': { type: 'boolean', default: false },
    'base-url': { type: 'string' },
    'key-file': { type: 'string' },
  },
  run: serveMcp,
};

async function serveMcp(values: OptionValues): Promise<void> {
  try {
    await (values.http ? serveHttp(values) : serveStdio(values));
  } catch (error) {
    if (error instanceof ConfigurationError) throw failed(error.message);
    throw error;
  }
}

/** Nothing but the protocol may be on stdout. */
async function serveStdio(values: OptionValues): Promise<void> {
  if (values.port !== undefined) throw wrongUsage('--port needs --http.');
  const apiKey = await readApiKey(values['key-file'] as string | undefined);
  const client = new TrackingClient({ baseUrl: baseUrlOf(values), apiKey, logger: stderrLogger });
  const readOnly = values['read-only'] === true;
  const [{ createMcpServer }, stdio] = await Promise.all([
    serverEntry(),
    fromPeer(() => import('@modelcontextprotocol/server/stdio')),
  ]);
  const handle = stdio.serveStdio(() => createMcpServer({ client, readOnly }), {
    onerror: ({ message }) => console.error(message),
  });
  closeOnSignal(() => handle.close());
}

async function serveHttp(values: OptionValues): Promise<void> {
  if (values['key-file'] !== undefined) {
    throw wrongUsage('--key-file is not for --http: each request brings its own key.');
  }
  const port = values.port === undefined ? 4011 : numberOption(values, 'port');
  const { createMcpHandler } = await serverEntry();
  const handler = createMcpHandler({
    client: { baseUrl: baseUrlOf(values), logger: stderrLogger },
    readOnly: values['read-only'] === true,
  });
  const server = createServer(handler.node);
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    throw wrongUsage(`Port ${port} cannot be used: ${(error as Error).message}`);
  }
  console.error(`MCP server at http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  closeOnSignal(async () => {
    const closed = new Promise(resolve => server.close(resolve));
    server.closeAllConnections();
    await Promise.all([closed, handler.close()]);
  });
}

function baseUrlOf(values: OptionValues): string | undefined {
  return values['base-url'] as string | undefined;
}

function serverEntry(): Promise<McpServerEntry> {
  return fromPeer(() => import('../../mcp-server/index.ts'));
}

/** The package is a peer dependency that only this command needs. */
async function fromPeer<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!/MODULE_NOT_FOUND/.test(code ?? '') || !message.includes(`'${PEER}`)) throw error;
    throw failed(
      `The command mcp needs the package ${PEER}. Install it, or run:\n  npx -p container-tracking-sdk -p ${PEER} container-tracking mcp`,
    );
  }
}

const stderrLogger = {
  debug() {},
  info() {},
  warn: (message: string) => console.error(message),
  error: (message: string) => console.error(message),
};
