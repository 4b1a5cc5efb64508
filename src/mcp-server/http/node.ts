/** The part of `http.IncomingMessage` that the handler uses. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  url?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** What a parser, such as that of Express, has made of the body. */
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

/** What a Node server has got, as a `Request` that is aborted when the client hangs up. `undefined` if it has no valid address. */
export function toRequest(incoming: NodeRequest, outgoing: NodeResponse): Request | undefined {
  const { method = 'GET', url = '/', headers } = incoming;
  const address = `http://${headers.host ?? headers[':authority'] ?? 'localhost'}${url}`;
  if (!URL.canParse(address)) return undefined;
  const hungUp = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) hungUp.abort(new Error('The client has hung up.'));
  });
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, String(value)]],
  );
  const body = method === 'GET' || method === 'HEAD' || incoming.body !== undefined ? undefined : streamOf(incoming);
  return new Request(address, {
    method,
    headers: entries,
    signal: hungUp.signal,
    ...(body && { body, duplex: 'half' }),
  } as RequestInit);
}

export async function sendResponse(response: Response, outgoing: NodeResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  const stop = () => void reader?.cancel().catch(() => {});
  outgoing.once('close', stop);
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      if (!outgoing.write(next.value))
        await new Promise<void>(resolve => onceOf(outgoing, ['drain', 'close'], resolve));
    }
    outgoing.end();
  } catch {
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

/** Read on demand, so that a body that is refused uses no memory. */
function streamOf(incoming: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
