import type { Context } from './context.ts';
import { GAP } from './gap.ts';
import { PASS, type PassState } from './pass.ts';
import { RECOVERY, type RecoveryState } from './recovery.ts';
import { REFRESH } from './refresh.ts';
import type { JsonValue, StoreStatus } from './store.ts';

/** The content of the store, and its lag behind the service. */
export interface SyncStatus extends StoreStatus {
  /**
   * Until when the changes of the service are in the database or due to be read, in ms since 1970; `undefined` before it was filled.
   * While `run()` works, it moves on with each poll, or with each look for notifications that did not arrive.
   */
  readAt: number | undefined;
}

export async function statusOf({ store }: Pick<Context, 'store'>): Promise<SyncStatus> {
  const status = await store.status();
  const saved = new Map<string, JsonValue>(status.checkpoints.map(({ name, value }) => [name, value]));
  if (!saved.has('filled')) return { ...status, readAt: undefined };
  const pass = saved.get(PASS) as PassState | undefined;
  const refresh = saved.get(REFRESH) as { at: number } | undefined;
  // The search for missed notifications proves nothing about a gap before it.
  const recovery = saved.has(GAP) ? undefined : (saved.get(RECOVERY) as Pick<RecoveryState, 'at'> | undefined);
  const times = [pass?.done ? pass.startedAt : pass?.lastAt, refresh?.at, recovery?.at];
  return { ...status, readAt: Math.max(...times.map(time => time ?? 0)) || undefined };
}
