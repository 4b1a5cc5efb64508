import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = resolve(import.meta.dirname, '../src/cli/main.ts');

export const PROTOCOL = '2025-11-25';

// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a response
export type Json = any;

/** The result of a tool. */
export interface ToolResult {
  content: { type: string; text: string; uri?: string; annotations?: { audience: string[] } }[];
  structuredContent?: Json;
  isError?: boolean;
}

/** A client that implements the protocol itself, so that client and server do not share the mistakes of a package. */
export interface McpPeer {
  request(method: string, params?: object, options?: { signal?: AbortSignal }): Promise<Json>;
  call(name: string, args?: object): Promise<ToolResult>;
}

/** The error of the protocol. */
export class RpcError extends Error {
  readonly code: number;

  constructor({ code, message }: { code: number; message: string }) {
    super(message);
    this.code = code;
  }
}

function resultOf(answer: Json): Json {
  if (answer.error) throw new RpcError(answer.error);
  return answer.result;
}

/** A peer over HTTP. Each request is independent of the other requests. */
export function httpPeer(
  send: (request: Request, init?: RequestInit) => Promise<Response>,
  { url = 'http://localhost/mcp', authorization = 'Token sandbox' }: { url?: string; authorization?: string } = {},
): McpPeer {
  let id = 0;
  const request: McpPeer['request'] = async (method, params = {}, { signal } = {}) => {
    id += 1;
    const response = await send(
      new Request(url, {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': PROTOCOL,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      }),
      // The signal is not in the `Request`, because Node's `fetch` loses the signal of a `Request` after a garbage
      // collection.
      signal && { signal },
    );
    return resultOf(await answerOf(response));
  };
  return { request, call: (name, args = {}) => request('tools/call', { name, arguments: args }) };
}

/** A response comes as JSON, or as the last event of a stream. */
export async function answerOf(response: Response): Promise<Json> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.includes('event-stream')) return JSON.parse(text);
  const events = text.split('\n').filter(line => line.startsWith('data: '));
  return JSON.parse(events.at(-1)?.slice('data: '.length) ?? 'null');
}

export interface StdioPeer extends McpPeer {
  child: ChildProcessWithoutNullStreams;
  initialized: Json;
  /** Every line on stdout, to check that there is nothing except the protocol. */
  lines: string[];
  /** The text on stderr. */
  stderr(): string;
  notify(method: string, params: object): void;
  lastId(): number;
  close(): Promise<number | null>;
}

/** Starts `container-tracking mcp`, and initializes the connection. */
export async function stdioPeer(
  baseUrl: string,
  { args = [], key = 'sandbox', command = [MAIN] }: { args?: string[]; key?: string; command?: string[] } = {},
): Promise<StdioPeer> {
  const child = spawn(process.execPath, [...command, 'mcp', ...args], {
    env: { ...process.env, TRACKING_BASE_URL: baseUrl, TRACKING_API_KEY: key },
  });
  const waiting = new Map<number, (answer: Json) => void>();
  const lines: string[] = [];
  let stderr = '';
  let id = 0;
  child.stderr.on('data', chunk => {
    stderr += chunk;
  });
  createInterface({ input: child.stdout }).on('line', line => {
    lines.push(line);
    const answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const write = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request: McpPeer['request'] = async (method, params = {}) => {
    id += 1;
    const answer = new Promise<Json>((resolve, reject) => {
      waiting.set(id, resolve);
      child.once('exit', code => reject(new Error(`The server has ended with ${code}: ${stderr}`)));
    });
    child.setMaxListeners(0);
    write({ id, method, params });
    return resultOf(await answer);
  };
  const initialized = await request('initialize', {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  const notify = (method: string, params: object) => void write({ method, params });
  notify('notifications/initialized', {});
  return {
    child,
    initialized,
    lines,
    request,
    notify,
    call: (name, args = {}) => request('tools/call', { name, arguments: args }),
    stderr: () => stderr,
    lastId: () => id,
    async close() {
      if (child.exitCode !== null) return child.exitCode;
      child.stdin.end();
      const [code] = await once(child, 'exit');
      return code;
    },
  };
}

/** The result of a tool, without the parts that are only for the model. */
export function plainResult({ structuredContent }: ToolResult): Json {
  const { _response_contract, ...result } = structuredContent;
  return result;
}

/** The failure in the result of a tool. */
export function failureIn({ content, isError }: ToolResult): Json {
  if (!isError) throw new Error(`No failure: ${content[0]?.text}`);
  return JSON.parse(content[0]?.text ?? '');
}
