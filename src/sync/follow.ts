import { AuthenticationError, ConfigurationError, RateLimitError } from '../errors.ts';
import { backOff } from '../internal/back-off.ts';
import { sleep } from '../internal/signal.ts';
import { StoreError, type StoreErrorCode } from '../internal/store-error.ts';
import { requireSameAccount } from './account.ts';
import { asReader } from './as-reader.ts';
import type { Context } from './context.ts';
import type { DueReads } from './due-reads.ts';
import type { SyncPhase } from './events.ts';
import { closeGap, hasGap } from './gap.ts';
import { timeOfService } from './list-errors.ts';
import type { Settings } from './options.ts';
import { isFilled, lastPassAt, runPass } from './pass.ts';
import { beginRecovery, recoverMissed } from './recovery.ts';
import { lastRefreshAt, refresh } from './refresh.ts';
import { registerWebhook } from './registration.ts';
import { readDueTables } from './resync.ts';

/** Interval in ms of the search for reads that other processes have made due. */
const LOOK_MS = 1000;
const ERROR_DELAY = { minDelay: 1000, maxDelay: 60_000 };
/** Time in ms for which a refused key is tried again. A process manager can then start the process with a new key. */
const REFUSED_MS = 3_600_000;

export interface Following {
  context: Context;
  settings: Settings;
  due: DueReads;
  /** True if notifications arrive. Otherwise the lists are polled. */
  isNotified: () => boolean;
}

/** Follows the changes endlessly. Rejects when the signal aborts, and for an error that a repetition cannot resolve. */
export async function followForEver(following: Following, signal: AbortSignal, whole: boolean): Promise<never> {
  const { context } = following;
  const { reader } = context;
  let hasWaited = false;
  let refusedAt: number | undefined;
  const task = (onRound: () => void) =>
    asReader(context, signal, (held, waited) => {
      hasWaited ||= waited;
      return readForEver(following, held, whole, () => {
        refusedAt = undefined;
        onRound();
      });
    });
  const mayTryAgain = (error: unknown) => {
    if (!(error instanceof AuthenticationError)) return !isFinal(error);
    refusedAt ??= reader.clock.local();
    // A process may wait for weeks while another process is the reader. It sends its first request only then.
    const isAtStart = !reader.hasAnswered && !hasWaited;
    return !isAtStart && reader.clock.local() - refusedAt < REFUSED_MS;
  };
  return untilDone(task, { context, phase: 'follow', mayTryAgain }, signal);
}

/** Migrates the tables to this version, and waits for a database that is not available. */
export function migrateOnce<T>(context: Context, migrate: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const mayTryAgain = (error: unknown) => error instanceof StoreError && error.code === 'store_unavailable';
  return untilDone(migrate, { context, phase: 'migrate', mayTryAgain }, signal);
}

interface Trying {
  context: Context;
  phase: SyncPhase;
  mayTryAgain: (error: unknown) => boolean;
}

/**
 * @param task calls its argument when the task has made progress. The next failure then counts as the first failure.
 */
async function untilDone<T>(
  task: (onRound: () => void) => Promise<T>,
  { context: { emit, reader }, phase, mayTryAgain }: Trying,
  signal: AbortSignal,
): Promise<T> {
  let failures = 0;
  let failedAt = 0;
  const onProgress = () => {
    if (failures > 0) emit({ type: 'continued', phase, afterMs: reader.clock.local() - failedAt });
    failures = 0;
  };
  for (;;) {
    try {
      const result = await task(onProgress);
      onProgress();
      return result;
    } catch (error) {
      if (signal.aborted || !mayTryAgain(error)) throw error;
      if (failures === 0) failedAt = reader.clock.local();
      failures += 1;
      // The client would refuse each call without sending a request, until the time in a response with 429 has come.
      const closedMs = error instanceof RateLimitError ? (error.retryAfterMs ?? 0) : 0;
      const retryInMs = closedMs + backOff(failures, ERROR_DELAY, () => 0.5 + Math.random() / 2);
      emit({ type: 'error', phase, error, retryInMs });
      await sleep(retryInMs, signal);
    }
  }
}

/** @param whole If true, an empty store is back-filled first, and reconciliations run on a schedule. */
async function readForEver(
  { context, settings, due, isNotified }: Following,
  signal: AbortSignal,
  whole: boolean,
  onRound: () => void,
): Promise<never> {
  const { reader } = context;
  const { client, inbox, webhook, every, logger } = settings;
  const { clock } = reader;
  // The webhook is registered before anything is read, so that the service sends a notification of every later change.
  if (webhook) await registerWebhook(context, client, webhook, signal);
  const readAll = async () => {
    const { resumed } = await runPass(context, due, signal);
    // The pass has read some records before its interruption. These records may have changed in the gap.
    if (resumed && (await hasGap(context))) await runPass(context, due, signal);
    await closeGap(context);
  };
  // The schedule and the search for missed notifications follow the clock of the service.
  const asOf = await timeOfService(context, signal);
  await requireSameAccount(context, signal);
  if (isNotified()) await beginRecovery(context, asOf);
  if (whole && !(await isFilled(context))) await readAll();
  const warn = (message: string) => (logger ? logger.warn(message) : undefined);
  let nextRecovery = clock.local();
  for (;;) {
    // One batch at a time: if reads become due faster than they can be made, it is quicker to read all lists.
    await due.drain(signal, 1);
    if (due.hasTables) await readDueTables(context, due, signal);
    if (isNotified() && clock.local() >= nextRecovery) {
      await beginRecovery(context, clock.now());
      const { wasInactive } = await recoverMissed(context, { client, inbox, webhook, warn }, signal);
      nextRecovery = clock.local() + every.recover;
      if (wasInactive || (await hasGap(context))) await readAll();
    }
    const isPolling = !isNotified();
    if (whole || isPolling) {
      const last = await lastPassAt(context);
      const lastRead = Math.max(last ?? 0, (await lastRefreshAt(context)) ?? 0);
      if (last === undefined || clock.now() - last >= every.reconcile) await readAll();
      else if (isPolling && clock.now() - lastRead >= every.poll) {
        if ((await hasGap(context)) || !(await refresh(context, due, signal))) await readAll();
      }
    }
    onRound();
    await due.wait(LOOK_MS, signal);
    signal.throwIfAborted();
  }
}

const FINAL_CODES: readonly StoreErrorCode[] = ['store_newer', 'store_outdated', 'store_closed'];

/** True for an error that a repetition cannot resolve. */
function isFinal(error: unknown): boolean {
  if (error instanceof StoreError) return FINAL_CODES.includes(error.code);
  return error instanceof ConfigurationError;
}
