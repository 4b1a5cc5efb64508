import type { Fetch } from '../../options.ts';
import type { Source } from '../source/source.ts';
import { redirectError } from '../storage/errors.ts';
import { streamOf, wholeBody } from './body.ts';
import type { PutRequest } from './put.ts';

type FixedLengthStream = new (size: number) => TransformStream<Uint8Array, Uint8Array>;

/** What every attempt sends, except for the body. */
export function putInit(slotHeaders: Record<string, string>, { size }: Source): RequestInit {
  const headers = new Headers(slotHeaders);
  headers.set('content-length', String(size));
  // If redirects were followed, Node.js would keep all sent bytes in memory. workerd has neither option.
  const mode: RequestInit = fixedLengthStream() ? { redirect: 'manual' } : { redirect: 'error', credentials: 'omit' };
  return { method: 'PUT', headers, ...mode };
}

/** Sends with the `fetch` of the client's options, or with that of a runtime that has nothing better. */
export async function putByFetch(request: PutRequest, init: RequestInit, fetch: Fetch): Promise<Response> {
  const { url, source, signal, onProgress, onUnknownProgress } = request;
  const stream = streamBody(request);
  const body = stream ?? (await wholeBody(request));
  const streaming: RequestInit & { duplex: 'half' } = { ...init, body, duplex: 'half', signal };
  if (!stream) onUnknownProgress();
  try {
    const response = await fetch(url, streaming);
    if (!stream) onProgress(source.size);
    return response;
  } catch (error) {
    throw isRedirect(error) ? redirectError(url) : error;
  }
}

/** A stream, if the runtime sends its `Content-Length`, which storages require. */
function streamBody({ source, readPieces, onProgress }: PutRequest): ReadableStream<Uint8Array> | undefined {
  if (source.size === 0) return undefined;
  const FixedLength = fixedLengthStream();
  const { process, Deno } = globalThis as { process?: NodeJS.Process; Deno?: unknown };
  if (!FixedLength && (!process?.versions?.node || Deno)) return undefined;
  const stream = streamOf(readPieces({ reuseMemory: false }), onProgress);
  return FixedLength ? stream.pipeThrough(new FixedLength(source.size)) : stream;
}

/** Only workerd has it. */
export function fixedLengthStream(): FixedLengthStream | undefined {
  return (globalThis as { FixedLengthStream?: FixedLengthStream }).FixedLengthStream;
}

/** By the messages of Node.js, Bun and Deno. A browser does not say what failed. */
function isRedirect(error: unknown): boolean {
  const cause = error instanceof Error && error.cause;
  return /redirect/i.test(`${error} ${cause}`);
}
