import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedPut {
  /** Number of the slot, from 1. */
  slot: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  /** Bytes that arrived. */
  bytes: number;
  /** Base64 of their MD5, once they are all there. */
  checksum: string | undefined;
}

/** What the storage does with one PUT: takes the bytes and compares the checksum, or anything else. */
export type StorageStep = 'take' | ((request: IncomingMessage, response: ServerResponse) => unknown);

export interface UploadServer {
  readonly origin: string;
  readonly baseUrl: string;
  /** Slots that were asked for, as they were announced. */
  readonly slots: { filename: string; content_type: string; byte_size: number; checksum: string }[];
  readonly puts: ReceivedPut[];
  /** Attributes of the documents that were made. */
  readonly documents: { name: string; attached_document: string }[];
  /** Headers of the requests to the service. */
  readonly apiHeaders: IncomingHttpHeaders[];
  /** What differs from a good place for the bytes, in every slot. */
  place: { url?: string; headers?: Record<string, string> } | undefined;
  /** What the service answers to a creation; 201 by default. */
  onCreate: ((response: ServerResponse) => unknown) | undefined;
  /** Serves pages, where a test has some. */
  onGet: ((path: string, response: ServerResponse) => unknown) | undefined;
}

export const SIGNATURE = 's3cret-signature';

/** A service and a storage in one, on loopback. The storage does the steps in order, then the last one again and again. */
export async function serveUploads(...script: StorageStep[]): Promise<UploadServer> {
  const server = createServer(async (request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    // For a page of another origin.
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
