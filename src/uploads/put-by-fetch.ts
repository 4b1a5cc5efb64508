import type { Fetch } from '../transport/send.ts';
import { streamOf } from './pieces.ts';
import type { Sending } from './put.ts';
import { redirected } from './storage.ts';

type FixedLengthStream = new (size: number) => TransformStream<Uint8Array, Uint8Array>;

/** Sends with `fetch`: the one of the client's options, or that of workerd and of other runtimes that are not Node's. */
export async function putByFetch(sending: Sending, fetch: Fetch | undefined): Promise<Response> {
  const { url, source, signal, onLoaded, unobserved } = sending;
  const headers = new Headers(sending.headers);
  headers.set('content-length', String(source.size));
  const stream = streamFor(sending);
  const init: RequestInit & { duplex: 'half' } = {
    method: 'PUT',
    headers,
    body: stream ?? source.whole ?? (await new Response(streamOf(sending.pieces({ transient: false }))).blob()),
    duplex: 'half',
    // With a redirect to follow, Node would keep every byte that it has sent. workerd knows neither option.
    ...(fixedLengthStream() ? { redirect: 'manual' } : { redirect: 'error', credentials: 'omit' }),
    signal,
  };
  if (!stream) unobserved();
  try {
    const response = await (fetch ? fetch(new Request(url, init)) : globalThis.fetch(url, init));
    if (!stream) onLoaded(source.size);
    return response;
  } catch (error) {
    throw saysRedirect(error) ? redirected() : error;
  }
}

/** Where the runtime sends a stream with its `Content-Length`, on which storages insist. Others want the bytes as a whole. */
function streamFor({ source, pieces, onLoaded }: Sending): ReadableStream<Uint8Array> | undefined {
  if (source.size === 0) return undefined;
  const FixedLength = fixedLengthStream();
  const { process, Deno } = globalThis as { process?: NodeJS.Process; Deno?: unknown };
  if (!FixedLength && (!process?.versions?.node || Deno)) return undefined;
  const stream = streamOf(pieces({ transient: false }), onLoaded);
  return FixedLength ? stream.pipeThrough(new FixedLength(source.size)) : stream;
}

/** workerd's. */
export function fixedLengthStream(): FixedLengthStream | undefined {
  return (globalThis as { FixedLengthStream?: FixedLengthStream }).FixedLengthStream;
}

/** In the words of Node, Bun and Deno. A browser does not tell. */
function saysRedirect(error: unknown): boolean {
  const cause = error instanceof Error && error.cause;
  return /redirect/i.test(`${error} ${cause}`);
}
