import type { Fetch } from '../transport/send.ts';
import { streamOf } from './pieces.ts';
import type { Sending } from './put.ts';

type FixedLengthStream = new (size: number) => TransformStream<Uint8Array, Uint8Array>;

/** Sends with `fetch`: everywhere but in a page. */
export async function putByFetch(sending: Sending, fetch: Fetch | undefined): Promise<Response> {
  const { url, source, signal } = sending;
  const headers = new Headers(sending.headers);
  headers.set('content-length', String(source.size));
  const init: RequestInit & { duplex: 'half' } = {
    method: 'PUT',
    headers,
    body: await bodyOf(sending),
    duplex: 'half',
    // With a redirect to follow, Node would keep every byte that it has sent. workerd has no `error`.
    redirect: fixedLengthStream() ? 'manual' : 'error',
    signal,
  };
  return fetch ? fetch(new Request(url, init)) : globalThis.fetch(url, init);
}

/** The bytes in a form that the runtime sends piece by piece, and with a `Content-Length`, which storages insist on. */
async function bodyOf({ source, pieces, onLoaded }: Sending): Promise<BodyInit> {
  const { size, whole } = source;
  if (size === 0) return new Uint8Array();
  const FixedLength = fixedLengthStream();
  if (FixedLength) return streamOf(pieces(), onLoaded).pipeThrough(new FixedLength(size));
  if ('Deno' in globalThis) {
    // Deno sends a plain stream in chunks of no length; of a Blob it asks the size first.
    const stream = () => streamOf(pieces(), onLoaded);
    return Object.defineProperties(new Blob(), { size: { value: size }, stream: { value: stream } });
  }
  if (typeof globalThis.process?.getBuiltinModule === 'function') return streamOf(pieces(), onLoaded);
  return whole ?? (await new Response(streamOf(pieces())).blob());
}

function fixedLengthStream(): FixedLengthStream | undefined {
  return (globalThis as { FixedLengthStream?: FixedLengthStream }).FixedLengthStream;
}
