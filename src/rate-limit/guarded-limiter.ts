import { ConfigurationError } from '../errors.ts';
import { abortable, Scope } from '../internal/signal.ts';
import type { RateLimiter, Slot, SlotOutcome, SlotRequest } from './limiter.ts';
import { QueueError } from './limiter.ts';

/**
 * Acquires a slot of a custom limiter. Errors of this limiter have limited effects: nothing is sent without a slot, an
 * abort ends the wait, and the caller always gets the response to a request that was sent.
 */
export async function guardedAcquire(
  limiter: RateLimiter,
  request: SlotRequest,
  onFailure: (error: unknown) => void,
): Promise<Slot> {
  const acquiring = Promise.resolve(limiter.acquire(request));
  const { signal, maxWaitMs } = request;
  if (!signal && maxWaitMs === undefined) return guardedSlot(await acquiring, onFailure);
  const scope = new Scope().follow(signal).limit(maxWaitMs ?? Infinity, () => {
    const message = `rateLimit.limiter gave no slot within ${maxWaitMs} ms.`;
    return new QueueError(message, { code: 'queue_timeout', estimatedWaitMs: Math.ceil(maxWaitMs ?? 0) });
  });
  try {
    return guardedSlot(await abortable(acquiring, scope.signal), onFailure);
  } catch (error) {
    // The limiter may still grant the slot later. The call no longer needs the slot, so the slot is released.
    if (scope.signal.aborted) {
      acquiring.then(slot => guardedSlot(slot, onFailure).release({ unsent: true })).catch(() => {});
    }
    throw error;
  } finally {
    scope.dispose();
  }
}

function guardedSlot(slot: Slot, onFailure: (error: unknown) => void): Slot {
  if (typeof slot?.release !== 'function') {
    throw new ConfigurationError('rateLimit.limiter gave no slot: acquire() must resolve to { release() { … } }.');
  }
  let isReleased = false;
  return {
    release(outcome?: SlotOutcome) {
      if (isReleased) return;
      isReleased = true;
      // `release` may be an async function, so its rejection is handled too.
      (async () => slot.release(outcome))().catch(onFailure);
    },
  };
}
