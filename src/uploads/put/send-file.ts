import { APIError, ConnectionError, PermissionDeniedError } from '../../errors.ts';
import type { RetryPolicy } from '../../internal/retry-policy.ts';
import { builtin } from '../../internal/runtime.ts';
import type { Fetch } from '../../options.ts';
import { checksumOf } from '../checksum/checksum.ts';
import { changed } from '../source/pieces.ts';
import type { Source } from '../source/source.ts';
import { sendByKy } from '../storage/fetch-with-ky.ts';
import { repeatByPRetry } from '../storage/retry-with-p-retry.ts';
import type { Slot } from '../storage/storage.ts';
import { type PutSettings, put, type Send } from './put.ts';
import { fixedLengthStream, initOf, putByFetch } from './put-by-fetch.ts';
import { putByNode } from './put-by-node.ts';
import { putByXhr } from './put-by-xhr.ts';

export interface SendSettings<S extends Slot> extends PutSettings {
  fetch: Fetch | undefined;
  /** What the slot was told of the bytes. */
  checksum: string;
  policy: RetryPolicy;
  /** Makes another slot, where the first may have expired. */
  renew?: (() => Promise<S>) | undefined;
}

/**
 * Sends the bytes until the storage has them: again to the same slot after what may pass, and to a new one when the
 * storage no longer accepts the old. Resolves to the slot that holds them.
 */
export async function sendFile<S extends Slot>(source: Source, first: S, settings: SendSettings<S>): Promise<S> {
  const { signal, timeout, renew, checksum } = settings;
  let slot = first;
  let limit = settings.policy.limit;
  try {
    for (;;) {
      let failures = 0;
      try {
        await sendTo(slot, source, settings, { limit, onFailure: () => (failures += 1) });
        break;
      } catch (error) {
        const isExpired = error instanceof PermissionDeniedError && (slot === first || failures > 1);
        if (!isExpired || !renew) throw error;
        // That it was refused does not count.
        limit -= failures - 1;
        slot = await renew();
      }
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const now = await checksumOf(source, { signal, timeout, onLoaded() {} });
    throw now === checksum ? error : changed('they have another checksum than before');
  }
  await source.recheck();
  return slot;
}

/** All attempts with one slot. */
function sendTo<S extends Slot>(
  slot: S,
  source: Source,
  settings: SendSettings<S>,
  { limit, onFailure }: { limit: number; onFailure: () => void },
): Promise<Response> {
  const { signal, timeout, fetch } = settings;
  const repeating = { policy: { ...settings.policy, limit }, signal };
  const { url, headers } = slot.direct_upload;
  let refusalMs = 0;

  async function attempt(send: Send): Promise<Response> {
    try {
      return await put(slot, source, send, { ...settings, refusalMs });
    } catch (error) {
      signal.throwIfAborted();
      await source.recheck();
      onFailure();
      // A storage that refuses and hangs up at once looks like a broken connection to who is still sending.
      refusalMs = error instanceof ConnectionError ? Math.min(500, timeout / 2) : 0;
      throw error;
    }
  }

  const send = fetch ? undefined : sendOfRuntime();
  if (send) return repeatByPRetry(() => attempt(send), repeating);
  return sendByKy(
    url,
    initOf(headers, source),
    (url, init) => attempt(sending => putByFetch({ ...sending, url }, init, fetch ?? globalThis.fetch)),
    repeating,
  );
}

/** What sends better than `fetch` does: with less memory, or telling how far it has come. */
function sendOfRuntime(): Send | undefined {
  if (fixedLengthStream()) return undefined;
  if (builtin('node:http')) return putByNode;
  return typeof XMLHttpRequest === 'function' ? putByXhr : undefined;
}

/** The storage has read the request and will not have these bytes: most often their checksum is another. */
function isRefusal(error: unknown): boolean {
  return error instanceof APIError && error.status >= 400 && error.status < 500 && error.status !== 403;
}
