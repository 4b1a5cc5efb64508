import { APIError, ConnectionError, PermissionDeniedError } from '../errors.ts';
import { retry } from '../transport/retry.ts';
import type { RetryPolicy } from '../transport/retry-policy.ts';
import { checksumOf } from './hash.ts';
import { changed } from './pieces.ts';
import { type PutSettings, put } from './put.ts';
import type { Source } from './source.ts';
import { mayTryAgain, type Slot } from './storage.ts';

export interface SendSettings<S extends Slot> extends PutSettings {
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
  const { signal, timeout, policy, renew, checksum } = settings;
  let slot = first;
  let renewals = 0;
  let justRenewed = false;
  let refusalMs = 0;

  async function again(error: unknown, attempt: number): Promise<boolean> {
    if (signal.aborted) return false;
    await source.recheck();
    if (error instanceof PermissionDeniedError && renew && !justRenewed) {
      slot = await renew();
      renewals += 1;
      justRenewed = true;
      return true;
    }
    justRenewed = false;
    // A storage that refuses and hangs up at once looks like a broken connection to who is still sending.
    refusalMs = error instanceof ConnectionError ? Math.min(500, timeout / 2) : 0;
    return mayTryAgain(error, attempt - renewals, policy, signal);
  }

  try {
    await retry(() => put(slot, source, { ...settings, refusalMs }), again);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const now = await checksumOf(source, { signal, timeout, onLoaded() {} });
    throw now === checksum ? error : changed('they have another checksum than before');
  }
  await source.recheck();
  return slot;
}

/** The storage has read the request and will not have these bytes: most often their checksum is another. */
function isRefusal(error: unknown): boolean {
  return error instanceof APIError && error.status >= 400 && error.status < 500 && error.status !== 403;
}
