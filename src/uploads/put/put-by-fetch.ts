import type { Fetch } from '../../options.ts';
import { streamOf } from '../source/pieces.ts';
import type { Source } from '../source/source.ts';
import { redirected } from '../storage/storage.ts';
import type { Sending } from './put.ts';

type FixedLengthStream = new (size: number) => TransformStream<Uint8Array, Uint8Array>;

/** What each attempt is sent with, beside the bytes. */
export function initOf(headers: Record<string, string>, { size }: Source): RequestInit {
  const all = new Headers(headers);
  all.set('content-length', String(size));
  // With a redirect to follow, Node would keep every byte that it has sent. workerd knows neither option.
  const mode: RequestInit = fixedLengthStream() ? { redirect: 'manual' } : { redirect: 'error', credentials: 'omit' };
  return { method: 'PUT', headers: all, ...mode };
}

/** Sends with `fetch`: the one of the client's options, or that of workerd and of other runtimes that are not Node's. */
export async function putByFetch(sending: Sending, init: RequestInit, fetch: Fetch): Promise<Response> {
  const { url, source, signal, onLoaded, unobserved } = sending;
  const stream = streamFor(sending);
  const body = stream ?? source.whole ?? (await new Response(streamOf(sending.pieces({ transient: false }))).blob());
  const whole: RequestInit & { duplex: 'half' } = { ...init, body, duplex: 'half', signal };
  if (!stream) unobserved();
  try {
    const response = await fetch(url, whole);
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
