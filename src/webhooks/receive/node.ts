import { rawBytes } from '../notification/raw-body.ts';
import type { Answer } from './answer.ts';
import type { Delivery } from './delivery.ts';
import { BodyCollector, bytesWithin, findKeptBody } from './delivery.ts';

/** The properties in which a parser may have stored the body. */
export interface Kept {
  /** The unchanged body, if a parser has stored it. */
  rawBody?: unknown;
  /** The parsed body. */
  body?: unknown;
}

/**
 * The members of `http.IncomingMessage` that the receiver uses, and the properties in which a parser may have stored
 * the body.
 */
export interface NodeRequest extends Kept {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  httpVersionMajor: number;
  complete: boolean;
  readableDidRead: boolean;
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
}

/** The part of `http.ServerResponse` that the receiver uses. */
export interface NodeResponse {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

export function nodeDelivery(request: NodeRequest, kept: Kept = request): Delivery {
  return {
    method: request.method,
    header: name => request.headers[name],
    names: () => Object.keys(request.headers),
    async read(limit, signal) {
      if (!request.readableDidRead) return readStream(request, limit, signal);
      return bytesWithin(findKeptBody(kept.rawBody, kept.body), limit);
    },
  };
}

function readStream(request: NodeRequest, limit: number, signal: AbortSignal): ReturnType<Delivery['read']> {
  return new Promise(resolve => {
    const collector = new BodyCollector(limit);
    request.on('data', chunk => {
      // A chunk is text if other code has set an encoding.
      if (collector.add(rawBytes(chunk))) resolve('too_large');
    });
    request.on('end', () => resolve(collector.bytes()));
    const incomplete = () => resolve('incomplete');
    request.on('error', incomplete);
    // Has no effect after `end` if the body is complete.
    request.on('close', incomplete);
    signal.addEventListener('abort', incomplete);
  });
}

export function respond(request: NodeRequest, response: NodeResponse, { status, headers, body }: Answer): void {
  if (response.headersSent) return;
  // If the length of the response is set, the response is one write to the socket.
  response.writeHead(status, { ...closing(request, headers), 'content-length': `${body.length}` });
  response.end(body);
}

/** Closes the connection if the body was not read, so that the rest of the body is not read as the next request. */
export function closing(request: NodeRequest, headers: Answer['headers']): Answer['headers'] {
  const unread = !request.complete && request.httpVersionMajor === 1;
  return unread ? { ...headers, connection: 'close' } : headers;
}
