import type { SlotRequest } from './limiter.ts';

/** {@link SlotRequest.onQueued} for a limiter made of several: whichever finds first that the call has to wait says so. */
export function tellOnce({ onQueued }: Pick<SlotRequest, 'onQueued'>): (estimatedWaitMs: number) => void {
  let isTold = false;
  return estimatedWaitMs => {
    if (isTold) return;
    isTold = true;
    onQueued?.(Math.max(0, Math.ceil(estimatedWaitMs)));
  };
}
