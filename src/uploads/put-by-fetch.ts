import type { Fetch } from '../transport/send.ts';
import { streamOf } from './pieces.ts';
import type { Sending } from './put.ts';

type FixedLengthStream = new (size: number) => TransformStream<Uint8Array, Uint8Array>;

/** Sends with `fetch`: the one of the client's options, or that of workerd and of other runtimes that are not Node's. */
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

/** A stream where the runtime sends one with its `Content-Length`, on which storages insist; else the bytes as a whole. */
async function bodyOf({ source, pieces, onLoaded, watchdog }: Sending): Promise<BodyInit> {
  if (source.size === 0) return new Uint8Array();
  const FixedLength = fixedLengthStream();
  if (FixedLength) return streamOf(pieces({ transient: false }), onLoaded).pipeThrough(new FixedLength(source.size));
  const { process, Deno } = globalThis as { process?: NodeJS.Process; Deno?: unknown };
  if (process?.versions?.node && !Deno) return streamOf(pieces({ transient: false }), onLoaded);
  watchdog.stop();
  return source.whole ?? (await new Response(streamOf(pieces({ transient: false }))).blob());
}

/** workerd's. */
export function fixedLengthStream(): FixedLengthStream | undefined {
  return (globalThis as { FixedLengthStream?: FixedLengthStream }).FixedLengthStream;
}
