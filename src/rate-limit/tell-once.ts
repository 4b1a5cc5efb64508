import type { SlotRequest } from './limiter.ts';

/** {@link SlotRequest.onQueued} for a limiter that consists of several: only the first that has to wait calls it. */
export function tellOnce({ onQueued }: Pick<SlotRequest, 'onQueued'>): (estimatedWaitMs: number) => void {
  let isTold = false;
  return estimatedWaitMs => {
    if (isTold) return;
    isTold = true;
    onQueued?.(Math.max(0, Math.ceil(estimatedWaitMs)));
  };
}
