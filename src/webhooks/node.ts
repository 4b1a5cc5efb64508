import type { Delivery } from './accept.ts';
import type { Answer } from './answer.ts';
import { notRaw, rawBytes } from './raw-body.ts';
import { BodyCollector } from './read-body.ts';

/** The part of `http.IncomingMessage` that is used, and what parsers may have left on it. */
export interface NodeRequest {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  httpVersionMajor: number;
  complete: boolean;
  readableDidRead: boolean;
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
  rawBody?: unknown;
  body?: unknown;
}

/** The part of `http.ServerResponse` that is used. */
export interface NodeResponse {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

/** @param kept where a parser that ran before may have kept the bytes. */
export function nodeDelivery(request: NodeRequest, kept: () => unknown[]): Delivery {
  return {
    method: request.method,
    header: name => request.headers[name.toLowerCase()],
    async read(limit, signal) {
      if (!request.readableDidRead) return readStream(request, limit, signal);
      const body = kept().find(value => typeof value === 'string' || ArrayBuffer.isView(value));
      if (body === undefined) throw notRaw();
      const bytes = rawBytes(body);
      return bytes.length > limit ? 'too_large' : bytes;
    },
  };
}

function readStream(request: NodeRequest, limit: number, signal: AbortSignal): ReturnType<Delivery['read']> {
  return new Promise(resolve => {
    const collector = new BodyCollector(limit);
    request.on('data', chunk => {
      // Something may have set an encoding: then it is text.
      collector.add(rawBytes(chunk));
      if (collector.isTooLarge) resolve('too_large');
    });
    request.on('end', () => resolve(collector.bytes()));
    const incomplete = () => resolve('incomplete');
    request.on('error', incomplete);
    // Comes after `end` if the body was complete.
    request.on('close', incomplete);
    signal.addEventListener('abort', incomplete);
  });
}

export function respond(request: NodeRequest, response: NodeResponse, { status, headers, body }: Answer): void {
  if (response.headersSent) return;
  // What is left of a body that was not read must not be taken for the next request.
  const unread = !request.complete && request.httpVersionMajor === 1;
  response.writeHead(status, unread ? { ...headers, connection: 'close' } : headers);
  response.end(body);
}
