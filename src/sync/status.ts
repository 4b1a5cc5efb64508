import type { Context } from './context.ts';
import type { SyncPhase } from './events.ts';
import { GAP } from './gap.ts';
import { FILLED, PASS, type PassState } from './pass.ts';
import { RECOVERY, type RecoveryState } from './recovery.ts';
import { REFRESH } from './refresh.ts';
import type { JsonValue, StoreStatus } from './store.ts';

/** A failure of work that is tried again. */
export interface SyncFailure {
  /** The work that fails. */
  phase: SyncPhase;
  /** The error of the last attempt. */
  error: unknown;
  /** Time of the first failed attempt, on the clock of this machine, in ms since 1970. */
  since: number;
  /** Time of the next attempt, on the clock of this machine, in ms since 1970. */
  retryAt: number;
}

/** The content of the store, and its lag behind the service. */
export interface SyncStatus extends StoreStatus {
  /**
   * All changes of the service before this time are in the database, or are due to be read. In ms since 1970;
   * `undefined` until the database is filled. While `run()` works, each poll and each search for missed notifications
   * sets this time to a later value.
   */
  readAt: number | undefined;
  /** The failure of `run()` or `follow()` in this process; `undefined` while their work succeeds. */
  failure: SyncFailure | undefined;
}

export async function statusOf({ store }: Pick<Context, 'store'>, failure?: SyncFailure): Promise<SyncStatus> {
  const status = await store.status();
  const readAt = readAtFrom(new Map(status.checkpoints.map(({ name, value }) => [name, value])));
  return { ...status, readAt, failure };
}

/**
 * The field `readAt` of the status. This function needs only checkpoints, while the whole status also counts the rows
 * of all tables.
 */
export async function readAtOf({ store }: Pick<Context, 'store'>): Promise<number | undefined> {
  const saved = new Map<string, JsonValue | undefined>();
  // GAP is read last. If GAP was read first, another process could record a gap and then a search, and this gap would
  // be overlooked.
  for (const name of [FILLED, PASS, REFRESH, RECOVERY, GAP]) {
    const value = await store.checkpoint(name);
    if (value !== undefined) saved.set(name, value);
  }
  return readAtFrom(saved);
}

function readAtFrom(saved: ReadonlyMap<string, JsonValue | undefined>): number | undefined {
  if (!saved.has(FILLED)) return undefined;
  const pass = saved.get(PASS) as PassState | undefined;
  const refresh = saved.get(REFRESH) as { at: number } | undefined;
  // If changes may have been missed before the last search for notifications, the time of that search does not count.
  const recovery = saved.has(GAP) ? undefined : (saved.get(RECOVERY) as Pick<RecoveryState, 'at'> | undefined);
  const times = [pass?.done ? pass.startedAt : pass?.lastAt, refresh?.at, recovery?.at];
  return Math.max(...times.map(time => time ?? 0)) || undefined;
}
