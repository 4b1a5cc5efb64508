import { APIError, ConnectionError, PermissionDeniedError } from '../errors.ts';
import type { RetryPolicy } from '../internal/retry-policy.ts';
import { builtin } from '../internal/runtime.ts';
import type { Fetch } from '../options.ts';
import { checksumOf } from './checksum.ts';
import { type AttemptOptions, put, type Sender } from './put.ts';
import { fixedLengthStream, putByFetch, putByNode, putByXhr, putInit } from './senders.ts';
import { bytesChanged, type Source } from './source.ts';
import type { Slot } from './storage.ts';
import { fetchWithKy, retryWithPRetry } from './storage-retries.ts';

export interface SendOptions<S extends Slot> extends Omit<AttemptOptions, 'earlyResponseMs'> {
  fetch: Fetch | undefined;
  /** The checksum that the slot was created with. */
  checksum: string;
  policy: RetryPolicy;
  /** Creates another slot, in case the first one has expired. */
  renewSlot?: (() => Promise<S>) | undefined;
}

/** Sends a file until the storage has it. Resolves to the slot that was used. */
export async function sendFile<S extends Slot>(source: Source, slot: S, options: SendOptions<S>): Promise<S> {
  try {
    const usedSlot = await sendToSlots(source, slot, options);
    await source.checkUnchanged?.();
    return usedSlot;
  } catch (error) {
    if (!isRejection(error)) throw error;
    // Most often the checksum was wrong. Then either the file has changed, or the storage is to blame.
    const { signal, timeout, checksum } = options;
    const current = await checksumOf(source, { signal, timeout, onProgress() {} });
    throw current === checksum ? error : bytesChanged('its checksum is not the same as before');
  }
}

/** The storage has read the request and does not accept these bytes. */
function isRejection(error: unknown): boolean {
  return error instanceof APIError && error.status >= 400 && error.status < 500 && error.status !== 403;
}

/** Retries with the same slot, and with a new one if the storage no longer accepts the slot. */
async function sendToSlots<S extends Slot>(source: Source, firstSlot: S, options: SendOptions<S>): Promise<S> {
  let slot = firstSlot;
  let retriesLeft = options.policy.limit;
  for (;;) {
    let failures = 0;
    try {
      await sendToSlot(slot, source, options, { retries: retriesLeft, onFailure: () => (failures += 1) });
      return slot;
    } catch (error) {
      const isExpired = error instanceof PermissionDeniedError && (slot === firstSlot || failures > 1);
      if (!isExpired || !options.renewSlot) throw error;
      // The 403 of an expired slot does not count as a failure.
      retriesLeft -= failures - 1;
      slot = await options.renewSlot();
    }
  }
}

function sendToSlot<S extends Slot>(
  slot: S,
  source: Source,
  options: SendOptions<S>,
  { retries, onFailure }: { retries: number; onFailure: () => void },
): Promise<void> {
  const { signal, timeout, fetch } = options;
  const retrying = { policy: { ...options.policy, limit: retries }, signal };
  const { url, headers } = slot.direct_upload;
  let earlyResponseMs = 0;

  async function attempt(send: Sender): Promise<void> {
    try {
      await put(slot, source, send, { ...options, earlyResponseMs });
    } catch (error) {
      signal.throwIfAborted();
      await source.checkUnchanged?.();
      onFailure();
      // A storage that responds with an error and closes the connection at once looks like a broken connection.
      earlyResponseMs = error instanceof ConnectionError ? Math.min(500, timeout / 2) : 0;
      throw error;
    }
  }

  const send = fetch ? undefined : senderOfRuntime();
  if (send) return retryWithPRetry(() => attempt(send), retrying);
  return fetchWithKy(
    url,
    putInit(headers, source),
    (url, init) => attempt(request => putByFetch({ ...request, url }, init, fetch ?? globalThis.fetch)),
    retrying,
  );
}

/** What needs less memory than `fetch`, or reports progress. */
function senderOfRuntime(): Sender | undefined {
  if (fixedLengthStream()) return undefined;
  if (builtin('node:http')) return putByNode;
  return typeof XMLHttpRequest === 'function' ? putByXhr : undefined;
}
