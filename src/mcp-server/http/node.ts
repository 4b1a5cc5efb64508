/** The part of `http.IncomingMessage` that the handler uses. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** Reads the body. With `destroyOnReturn: false`, the connection stays open if the reading ends early. */
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterator<Uint8Array, undefined, undefined>;
  /** Reads the rest of the body and drops it. */
  resume?(): unknown;
  method?: string | undefined;
  url?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** The body, if a parser (for example, the parser of Express) has already read it. */
  body?: unknown;
}

/** The part of `http.ServerResponse` that the handler uses. */
export interface NodeResponse {
  readonly writableFinished: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  once(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/** A request that a Node server has received. */
export interface Received {
  /** Its signal aborts when the client disconnects. `undefined` if a `Request` cannot have this address or method. */
  readonly request: Request | undefined;
  /** Reads the rest of the body, so that the next request on the connection does not wait for it. */
  dropRest(): Promise<void>;
}

export function toRequest(incoming: NodeRequest, outgoing: NodeResponse): Received {
  const { method = 'GET', url = '/', headers } = incoming;
  // A proxy may send the full address in place of the path.
  const address = url.startsWith('/') ? `http://${headers.host ?? headers[':authority'] ?? 'localhost'}${url}` : url;
  const hungUp = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) hungUp.abort(new Error('The client has hung up.'));
  });
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, String(value)]],
  );
  const body = method === 'GET' || method === 'HEAD' || incoming.body !== undefined ? undefined : bodyOf(incoming);
  const init = { method, headers: entries, signal: hungUp.signal, ...(body && { body: body.stream, duplex: 'half' }) };
  return { request: requestOf(address, init as RequestInit), dropRest: async () => body?.dropRest() };
}

/**
 * `undefined` for a request that `Request` refuses, such as a request with a user in the header `Host`, or with the
 * method TRACE.
 */
function requestOf(address: string, init: RequestInit): Request | undefined {
  try {
    return new Request(address, init);
  } catch {
    return undefined;
  }
}

/** Never rejects: a response that cannot be sent resets the connection. */
export async function sendResponse(response: Response, outgoing: NodeResponse): Promise<void> {
  const reader = response.body?.getReader();
  const stop = () => void reader?.cancel().catch(() => {});
  outgoing.once('close', stop);
  try {
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      if (!outgoing.write(next.value))
        await new Promise<void>(resolve => onceOf(outgoing, ['drain', 'close'], resolve));
    }
    outgoing.end();
  } catch {
    stop();
    outgoing.destroy();
  } finally {
    outgoing.off('close', stop);
  }
}

function onceOf(outgoing: NodeResponse, events: string[], done: () => void): void {
  const first = () => {
    for (const event of events) outgoing.off(event, first);
    done();
  };
  for (const event of events) outgoing.once(event, first);
}

/** The body is read on demand, so that a refused body uses no memory. */
function bodyOf(incoming: NodeRequest) {
  const chunks = incoming.iterator?.({ destroyOnReturn: false }) ?? incoming[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    async dropRest() {
      await chunks.return?.();
      incoming.resume?.();
    },
  };
}
