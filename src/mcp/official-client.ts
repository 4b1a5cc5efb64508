/** The official client of the protocol: only this file imports it. */
import * as official from '@modelcontextprotocol/client';
import type { Fetch } from '../options.ts';
import type { StdioOptions } from './options.ts';

export { official };

/**
 * The official client does not check results. The schemas of this package check them: they report a newer shape, and do
 * not reject it.
 */
const NO_VALIDATION = {
  getValidator:
    <T>() =>
    (input: unknown) =>
      ({ valid: true, data: input as T }) as const,
};

/**
 * A client for the newest revision of the protocol. If the server supports only the previous revision, the client uses
 * the previous revision.
 */
export function createPeer(clientInfo: { name: string; version: string }): official.Client {
  return new official.Client(clientInfo, {
    versionNegotiation: { mode: 'auto' },
    jsonSchemaValidator: NO_VALIDATION as never,
  });
}

/** Data of the error for a request whose stream has ended: a response can no longer arrive. */
export const STREAM_ENDED = Object.freeze({});

/**
 * The official transport over HTTP. In addition, it passes on the call of each request. It also rejects a request whose
 * stream ends without a response.
 */
export class HttpTransport extends official.StreamableHTTPClientTransport {
  readonly #sending: (request: official.RequestId, call: unknown) => void;

  constructor(url: URL, fetch: Fetch, sending: (request: official.RequestId, call: unknown) => void) {
    // The official client does not need to refuse redirects, because our `fetch` refuses them.
    super(url, { fetch, redirectPolicy: 'follow' });
    this.#sending = sending;
  }

  override async send(message: Sent, options?: SendOptions): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id === undefined) return super.send(message, options);
    this.#sending(id, options?.relatedRequestId);
    const error = { code: -32000, message: 'the event stream ended without a response', data: STREAM_ENDED };
    // A request that already has its response ignores this message.
    const onRequestStreamEnd = () => this.onmessage?.({ jsonrpc: '2.0', id, error });
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}

type Sent = Parameters<official.Transport['send']>[0];
type SendOptions = Parameters<official.StreamableHTTPClientTransport['send']>[1] &
  Pick<official.TransportSendOptions, 'relatedRequestId'>;

/** The transport to a program. Its code is for Node only, so the code is loaded when it is used. */
export async function stdioTransport(options: StdioOptions): Promise<official.Transport> {
  const { getDefaultEnvironment, StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const { command, args = [], env, cwd, stderr = 'inherit' } = options;
  return new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr,
    ...(cwd !== undefined && { cwd }),
  });
}
