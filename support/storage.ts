import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedPut {
  /** The number of the upload slot, from 1. */
  slot: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  /** Number of bytes that have arrived. */
  bytes: number;
  /** The MD5 in Base64, as soon as all bytes have arrived. */
  checksum: string | undefined;
}

/** A reaction of the storage to one PUT: it accepts the bytes and compares the checksum, or runs a function. */
export type StorageStep = 'take' | ((request: IncomingMessage, response: ServerResponse) => unknown);

export interface UploadServer {
  readonly origin: string;
  readonly baseUrl: string;
  /** The announced files, one for each requested slot. */
  readonly slots: { filename: string; content_type: string; byte_size: number; checksum: string }[];
  readonly puts: ReceivedPut[];
  /** The attributes of the created documents. */
  readonly documents: { name: string; attached_document: string }[];
  /** The headers of the requests to the service. */
  readonly apiHeaders: IncomingHttpHeaders[];
  /** Changes that make every slot invalid. */
  place: { url?: string; headers?: Record<string, string> } | undefined;
  /** The response when a document is created. @default 201 */
  onCreate: ((response: ServerResponse) => unknown) | undefined;
  /** Serves the pages of a test. */
  onGet: ((path: string, response: ServerResponse) => unknown) | undefined;
}

export const SIGNATURE = 's3cret-signature';

/**
 * A service with its storage, on loopback. The storage uses the steps in their order, and then repeats the last step.
 */
export async function serveUploads(...script: StorageStep[]): Promise<UploadServer> {
  const server = createServer(async (request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    // The headers that allow pages of another origin.
    for (const name of ['origin', 'headers', 'methods']) response.setHeader(`access-control-allow-${name}`, '*');
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    if (request.method === 'GET') return state.onGet?.(pathname, response);
    if (request.method === 'PUT') return receive(request, response, Number(pathname.split('/').at(-1)));
    const body = JSON.parse(await textOf(request));
    state.apiHeaders.push(request.headers);
    if (pathname.endsWith('/direct_uploads')) return reply(response, 200, slotFor(body.blob));
    if (state.onCreate) return state.onCreate(response);
    state.documents.push(body.data.attributes);
    const { name } = body.data.attributes;
    return reply(response, 201, { data: { type: 'document', id: 'd1', attributes: { name } } });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: UploadServer = {
    origin,
    baseUrl: `${origin}/v2`,
    slots: [],
    puts: [],
    documents: [],
    apiHeaders: [],
    place: undefined,
    onCreate: undefined,
    onGet: undefined,
  };

  function slotFor(blob: UploadServer['slots'][number]) {
    const number = state.slots.push(blob);
    return {
      ...blob,
      id: `blob-${number}`,
      key: 'k',
      metadata: {},
      service_name: 'storage',
      created_at: '2026-03-09T08:14:20Z',
      signed_id: `signed-${number}`,
      direct_upload: {
        url: `${origin}/storage/${number}?signature=${SIGNATURE}`,
        headers: { 'Content-Type': blob.content_type, 'Content-MD5': blob.checksum, 'x-storage-own': 'yes' },
        ...state.place,
      },
    };
  }

  async function receive(request: IncomingMessage, response: ServerResponse, slot: number): Promise<void> {
    const { headers, rawHeaders } = request;
    const put: ReceivedPut = { slot, headers, rawHeaders, bytes: 0, checksum: undefined };
    const step = script[Math.min(state.puts.push(put), script.length) - 1] ?? 'take';
    const hash = createHash('md5');
    request.on('data', chunk => {
      put.bytes += chunk.length;
      hash.update(chunk);
    });
    request.on('end', () => {
      put.checksum = hash.digest('base64');
    });
    if (step !== 'take') return void step(request, response);
    await new Promise(resolve => request.on('end', resolve));
    const isWhole = put.checksum === headers['content-md5'] && String(put.bytes) === headers['content-length'];
    response.writeHead(isWhole ? 200 : 400).end(isWhole ? '' : '<Error><Code>BadDigest</Code></Error>');
  }

  return state;
}

export function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/vnd.api+json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
