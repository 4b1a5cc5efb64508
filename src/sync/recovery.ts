import { type RecoveryCheckpoint, startOf } from '../recovery/checkpoint.ts';
import { checkWebhooks, findMissed } from '../recovery/missed.ts';
import type { RecoveryGroups } from '../recovery/recover-options.ts';
import { type Context, commit } from './context.ts';
import { markGap } from './gap.ts';
import type { SyncInbox, SyncWebhook } from './options.ts';
import { hasBegun } from './pass.ts';
import { dueReads } from './rows.ts';
import type { SyncClient } from './service-reader.ts';
import type { DueRead, JsonValue } from './store.ts';
import { isStorableId } from './tables/canonical.ts';
import { isSyncedType } from './tables/names.ts';

export const RECOVERY = 'recovery';

/** The value of the checkpoint of the search for missed notifications. */
export interface RecoveryState extends RecoveryCheckpoint {
  /** Time at which the last search began, on the clock of the service. Missing in stores of version 0.1.0. */
  at?: number;
}

const BATCH = 500;

interface RecoverySources {
  client: SyncClient;
  inbox: SyncInbox | undefined;
  webhook: SyncWebhook<string> | undefined;
  warn: (message: string) => void;
}

/** The result of a recovery. */
export interface Recovery {
  /** Number of records whose notifications did not arrive. These records are due now. */
  records: number;
  /**
   * True if a webhook is or was inactive: the service has recorded no notifications, and everything may have changed.
   */
  wasInactive: boolean;
}

/**
 * Finds the notifications that did not arrive since the last recovery, and marks their records as due to be read.
 * `client.webhookNotifications.recover` would also read each record. Therefore this function calls only parts of it.
 */
export async function recoverMissed(
  context: Context,
  { client, inbox, webhook, warn }: RecoverySources,
  signal: AbortSignal,
): Promise<Recovery> {
  const { store, reader } = context;
  const from = await store.checkpoint(RECOVERY);
  if (from === undefined) return { records: 0, wasInactive: false };
  const call = { signal, priority: 'bulk' as const };
  const since = reader.clock.now();
  const check = { ...call, url: webhook?.url, repair: webhook !== undefined };
  // Without `webhook`, there would be warnings about webhooks of other programs.
  const checked = await checkWebhooks(client.webhooks, check, webhook ? warn : () => {});
  const notifications = {
    list: (options: object) => ({
      pages: () => reader.inShare(client.webhookNotifications.list(options).pages(), signal),
    }),
  } as RecoveryGroups['webhookNotifications'];
  const found = await findMissed(notifications, startOf({ from }), { ...call, inbox, others: checked.others });
  const { until, accounted, subjects } = found;
  const due = dueReads(
    [...subjects.values()].filter(subject => isKept(subject, context)),
    since,
  );
  // If a notification had a date in the future, all earlier notifications would be excluded from later searches.
  const last = reader.clock.isAhead(Date.parse(until)) ? new Date(since).toISOString() : until;
  await save(context, due, { until: last, accounted, pending: [], sweep: null, at: since }, signal);
  if (due.length > 0) context.emit({ type: 'recovered', records: due.length });
  if (!webhook) return { records: due.length, wasInactive: await mayHaveMissed(context, checked, warn) };
  if (checked.inactive.length > 0) await markGap(context);
  // Webhooks are activated last, because after the update the service no longer shows that they were inactive.
  for (const { id } of checked.inactive) await client.webhooks.update(id, { active: true }, call);
  return { records: due.length, wasInactive: checked.inactive.length > 0 };
}

function isKept(subject: { type: string; id: string }, { types }: Context): subject is Pick<DueRead, 'type' | 'id'> {
  const { type, id } = subject;
  // True for records that can be read. If a notification does not name its record, the notification itself is read.
  return isStorableId(id) && (isSyncedType(type) ? types.has(type) : type === 'webhook_notification');
}

/**
 * Saves the checkpoint together with the last batch, so that the same notifications are found again after an
 * interruption.
 */
async function save(
  context: Context,
  due: readonly DueRead[],
  checkpoint: RecoveryState,
  signal: AbortSignal,
): Promise<void> {
  let at = 0;
  for (; at + BATCH < due.length; at += BATCH) {
    signal.throwIfAborted();
    await commit(context, { rows: [], due: due.slice(at, at + BATCH) });
  }
  await commit(context, { rows: [], due: due.slice(at), checkpoint: { name: RECOVERY, value: asJson(checkpoint) } });
}

const INACTIVE = 'inactive';

/**
 * True if the service may not have recorded all notifications. Without the option `webhook`, an inactive webhook may
 * belong to another program. Therefore only two moments count: the moment when the webhook becomes inactive, and the
 * moment when it becomes active again. While no webhook is active, the service records no notifications.
 */
async function mayHaveMissed(
  context: Context,
  { inactive, hasActive }: Awaited<ReturnType<typeof checkWebhooks>>,
  warn: (message: string) => void,
): Promise<boolean> {
  const ids = inactive.map(({ id }) => id).sort();
  const known = ((await context.store.checkpoint(INACTIVE)) ?? []) as readonly string[];
  for (const id of ids) {
    if (known.includes(id)) continue;
    warn(
      `Webhook ${id} is inactive: the service sends nothing to it. With the option \`webhook\`, sync activates its webhook again.`,
    );
  }
  if (ids.join() !== known.join()) {
    // The order of the two commits matters: a crash between them then causes only one more pass.
    await markGap(context);
    await commit(context, { rows: [], checkpoint: { name: INACTIVE, value: ids } });
    return true;
  }
  return ids.length > 0 && !hasActive;
}

/** Later recoveries search for notifications from `since` on. Older changes are in the lists that are read next. */
export async function beginRecovery(context: Context, since: number): Promise<void> {
  if ((await context.store.checkpoint(RECOVERY)) !== undefined) return;
  // There were no notifications until now. Therefore changes since the last poll of the lists may be missed.
  if (await hasBegun(context)) await markGap(context);
  const until = new Date(since).toISOString();
  const start: RecoveryState = { until, accounted: [], pending: [], sweep: null, at: since };
  await commit(context, { rows: [], checkpoint: { name: RECOVERY, value: asJson(start) } });
}

function asJson(checkpoint: RecoveryState): JsonValue {
  return checkpoint as unknown as JsonValue;
}
