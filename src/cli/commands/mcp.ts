import { createServer, type Server, type ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { TrackingClient } from '../../client.ts';
import { TimeoutError } from '../../errors.ts';
import { isMissingPackage } from '../../internal/peer-package.ts';
import type { McpHandler } from '../../mcp-server/index.ts';
import type { ToolOptions } from '../../mcp-server/options.ts';
import { printable } from '../../printable.ts';
import { ACCESS_OPTIONS, type Access, findAccess, notSet, readAccess } from '../access.ts';
import {
  type Command,
  CommandError,
  closeOnSignal,
  durationOption,
  failed,
  type OptionValues,
  portOption,
  wrongUsage,
} from '../command.ts';
import { failureOf } from '../failure.ts';
import { listenOn } from '../listen.ts';
import { say } from '../output/print.ts';
import { stderrLogger } from '../output/stderr-logger.ts';
import { zoneHere } from '../output/times.ts';
import { waitsOn } from '../output/waits.ts';
import { inWords } from '../words.ts';

type McpServerEntry = typeof import('../../mcp-server/index.ts');

const PEER = '@modelcontextprotocol/server';

/** The only path that is served over HTTP. */
const PATH = '/mcp';

export const command: Command = {
  about:
    'An AI client usually starts this command itself, and talks to it over stdin and stdout. With --http, the command is a server for several clients. The API key is read from TRACKING_API_KEY, or from a file that only its owner can read.',
  options: {
    http: {
      type: 'boolean',
      help: 'over HTTP on this machine; each request brings its own header "Authorization: Bearer <API key>"',
    },
    port: { type: 'string', value: 'PORT', help: 'the port for --http, 4011 unless given; 0 stands for any free port' },
    'read-only': { type: 'boolean', help: 'without the tool that starts tracking' },
    deadline: {
      type: 'string',
      value: 'DURATION',
      help: 'the limit for one call of a tool; 45s unless given; a number alone is in ms',
    },
    ...ACCESS_OPTIONS,
  },
  run: serveMcp,
};

function serveMcp(values: OptionValues): Promise<void> {
  return values.http ? serveHttp(values) : serveStdio(values);
}

/** Starts a server. If a setting cannot be used, the error names its source, such as a variable. */
async function start<Server>(access: Partial<Access>, make: () => Promise<Server>): Promise<Server> {
  return make().catch(error => {
    throw failureOf(error, access);
  });
}

/** Parallel calls that wait for the rate limit are reported only once. */
const reports = () => ({ logger: stderrLogger, hooks: waitsOn({ isTTY: false }) });

/** Only messages of the protocol may be written to stdout. */
async function serveStdio(values: OptionValues): Promise<void> {
  if (values.port !== undefined) throw wrongUsage('--port needs --http.');
  const access = await readAccess(values);
  const handle = await start(access, async () => {
    const { apiKey, baseUrl } = access;
    const client = new TrackingClient({ baseUrl: baseUrl.value, apiKey: apiKey.value, ...reports() });
    const [{ createMcpServer }, stdio] = await Promise.all([
      serverEntry(),
      fromPeer(() => import('@modelcontextprotocol/server/stdio')),
    ]);
    const settings = { ...toolOptions(values, access), timeZone: zoneHere() };
    return stdio.serveStdio(() => createMcpServer({ client, ...settings }), {
      onerror: ({ message }) => say(printable(message)),
    });
  });
  closeOnSignal(() => handle.close());
}

async function serveHttp(values: OptionValues): Promise<void> {
  if (values['key-file'] !== undefined) {
    throw wrongUsage('--key-file is not for --http: each request brings its own key.');
  }
  const port = values.port === undefined ? 4011 : portOption(values);
  const { baseUrl } = await findAccess(values);
  if (!baseUrl) throw notSet('baseUrl');
  const access = { baseUrl };
  const handler = await start(access, async () => {
    const { createMcpHandler } = await serverEntry();
    return createMcpHandler({
      client: { baseUrl: baseUrl.value, ...reports() },
      ...toolOptions(values, access),
      path: PATH,
    });
  });
  const server = serverOf(handler);
  say(`MCP server at http://127.0.0.1:${await listenOn(server, port, '127.0.0.1')}${PATH}`);
  closeOnSignal(async () => {
    const closed = new Promise(resolve => server.close(resolve));
    server.closeAllConnections();
    await Promise.all([closed, handler.close()]);
  });
}

/** A server that also closes a broken connection if the client never closes its side. */
export function serverOf({ node }: Pick<McpHandler, 'node'>, options: ServerOptions = {}): Server {
  return createServer(options, node).on('clientError', answerBroken);
}

function toolOptions(values: OptionValues, access: Pick<Access, 'baseUrl'>): ToolOptions {
  return {
    readOnly: values['read-only'] === true,
    onFailure: failureLog(access),
    ...(values.deadline !== undefined && { deadline: durationOption(values, 'deadline', 'ms') }),
  };
}

const REPEAT_AFTER_MS = 60_000;

/** Prints one line for each cause of failed calls. A cause that lasts is printed again after a minute. */
function failureLog(access: Pick<Access, 'baseUrl'>): NonNullable<ToolOptions['onFailure']> {
  const printed = new Map<string, number>();
  return (error, { tool, kind, message }) => {
    // The messages about the rate limit differ in the length of the wait.
    const isLimit = kind === 'rate_limited';
    const cause = isLimit ? kind : message;
    const now = Date.now();
    if (now - (printed.get(cause) ?? -Infinity) < REPEAT_AFTER_MS) return;
    printed.set(cause, now);
    const told = failureOf(error, access);
    const line =
      told instanceof CommandError && !isLimit ? inWords(told.message.replaceAll('\n', ' '), command) : message;
    const { value, from } = access.baseUrl;
    const service =
      line.includes(value) || isLimit || !(error instanceof TimeoutError) ? '' : ` Service: ${value}, from ${from}.`;
    say(`${tool}: ${line}${service}`, 'warning');
  };
}

/**
 * Responds to input that is not a complete HTTP request. Such input never reaches the handler. For an incomplete body,
 * the response contains an error of the MCP protocol, as for any other incomplete message.
 */
function answerBroken({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
  const status = STATUS[code] ?? '400 Bad Request';
  const body =
    code === 'HPE_INVALID_EOF_STATE'
      ? JSON.stringify({
          jsonrpc: '2.0',
          error: { code: -32_700, message: 'Parse error: the body is not complete' },
          id: null,
        })
      : '';
  const headers = `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`, () => socket.destroy());
}

/** The statuses are the same as those of the HTTP server of Node. */
const STATUS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

function serverEntry(): Promise<McpServerEntry> {
  return fromPeer(() => import('../../mcp-server/index.ts'));
}

/** The package is a peer dependency that only this command needs. */
async function fromPeer<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissingPackage(error, PEER)) throw error;
    throw failed(
      `The command mcp needs the package ${PEER}. Install it, or run:\n  npx -p container-tracking-sdk -p ${PEER} container-tracking mcp\nIf the folder in which you start npx has one of these packages, npx leaves this package out: start npx in another folder.`,
    );
  }
}
