import { findBody, rawBytes, withinLimit } from '../notification/raw-body.ts';
import type { Answer } from './answer.ts';
import { BodyCollector } from './body-collector.ts';
import type { Delivery } from './process-delivery.ts';

/** What something that has read the body before may have left of it. */
export interface Kept {
  /** The body as it came, where something has kept it. */
  rawBody?: unknown;
  /** What a parser has made of the body. */
  body?: unknown;
}

/** The part of `http.IncomingMessage` that is used, and what parsers may have left on it. */
export interface NodeRequest extends Kept {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  httpVersionMajor: number;
  complete: boolean;
  readableDidRead: boolean;
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
}

/** The part of `http.ServerResponse` that is used. */
export interface NodeResponse {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

export function nodeDelivery(request: NodeRequest, kept: Kept = request): Delivery {
  return {
    method: request.method,
    header: name => request.headers[name],
    async read(limit, signal) {
      if (!request.readableDidRead) return readStream(request, limit, signal);
      return withinLimit(findBody(kept.rawBody, kept.body), limit);
    },
  };
}

function readStream(request: NodeRequest, limit: number, signal: AbortSignal): ReturnType<Delivery['read']> {
  return new Promise(resolve => {
    const collector = new BodyCollector(limit);
    request.on('data', chunk => {
      // Something may have set an encoding: then it is text.
      if (collector.add(rawBytes(chunk))) resolve('too_large');
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
  response.writeHead(status, closing(request, headers));
  response.end(body);
}

/** What is left of a body that was not read must not be taken for the next request. */
export function closing(request: NodeRequest, headers: Answer['headers']): Answer['headers'] {
  const unread = !request.complete && request.httpVersionMajor === 1;
  return unread ? { ...headers, connection: 'close' } : headers;
}
