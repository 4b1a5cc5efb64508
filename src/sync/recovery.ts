import type { List } from '../pagination/list.ts';
import type { RecoveryCheckpoint } from '../recovery/checkpoint.ts';
import type { RecoveryGroups } from '../recovery/groups.ts';
import { recover } from '../recovery/recover.ts';
import { type Context, commit } from './context.ts';
import type { SyncInbox, SyncWebhook } from './options.ts';
import { hasBegun } from './pass.ts';
import { dueReads } from './rows.ts';
import type { SyncClient } from './service-reader.ts';
import type { JsonValue } from './store.ts';
import { isSyncedType, type SyncedType } from './tables/names.ts';

const RECOVERY = 'recovery';

interface RecoverySources {
  client: SyncClient;
  inbox: SyncInbox | undefined;
  webhook: SyncWebhook | undefined;
  warn: (message: string) => void;
}

/** What a recovery has found. */
export interface Recovery {
  /** Records of notifications that did not arrive. They are due now. */
  records: number;
  /** Whether a webhook is inactive, or was: the service has recorded no notifications, and everything may have changed. */
  wasInactive: boolean;
}

/**
 * Finds the notifications that did not arrive since the last recovery, and makes their records due. They are not read here:
 * instead of `client.webhookNotifications.recover`, which reads each record, this uses what is behind it.
 */
export async function recoverMissed(
  context: Context,
  { client, inbox, webhook, warn }: RecoverySources,
  signal: AbortSignal,
): Promise<Recovery> {
  const { store, types, reader } = context;
  const from = (await store.checkpoint(RECOVERY)) as unknown as RecoveryCheckpoint | undefined;
  if (from === undefined) return { records: 0, wasInactive: false };
  let wasInactive = false;
  const options = {
    from,
    inbox,
    url: webhook?.url,
    signal,
    repair: webhook !== undefined,
    sweep: false,
    onInactive: () => {
      wasInactive = true;
    },
  };
  let records = 0;
  let latest: RecoveryCheckpoint = from;
  const since = reader.clock.now();
  const found = recover(groupsOf(client), options, warn, checkpoint => {
    latest = checkpoint;
  });
  for await (const { subject, checkpoint } of found) {
    const { type, id } = subject;
    // It is switched on when the next item is asked for. After that nothing shows that it was off.
    if (type === 'webhook') await markGap(context);
    const isKept = isSyncedType(type) ? types.has(type) : type === 'webhook_notification';
    const due = isKept ? dueReads([{ type: type as SyncedType | 'webhook_notification', id }], since) : [];
    records += due.length;
    await commit(context, { rows: [], due, checkpoint: { name: RECOVERY, value: asJson(checkpoint) } });
  }
  await commit(context, { rows: [], checkpoint: { name: RECOVERY, value: asJson(latest) } });
  if (records > 0) context.emit({ type: 'recovered', records });
  return { records, wasInactive };
}

const GAP = 'gap';

/** Remembers that changes may have been missed, until a pass has read everything. */
export async function markGap(context: Context): Promise<void> {
  await commit(context, { rows: [], checkpoint: { name: GAP, value: true } });
}

export async function hasGap({ store }: Context): Promise<boolean> {
  return (await store.checkpoint(GAP)) === true;
}

export async function closeGap(context: Context): Promise<void> {
  await commit(context, { rows: [], checkpoint: { name: GAP, value: null } });
}

/** From now on notifications count: what is older is in the lists that are read next. */
export async function beginRecovery(context: Context, since: number): Promise<void> {
  if ((await context.store.checkpoint(RECOVERY)) !== undefined) return;
  // What has changed since the lists were polled was not notified.
  if (await hasBegun(context)) await markGap(context);
  const start: RecoveryCheckpoint = { until: new Date(since).toISOString(), accounted: [], pending: [], sweep: null };
  await commit(context, { rows: [], checkpoint: { name: RECOVERY, value: asJson(start) } });
}

function asJson(checkpoint: RecoveryCheckpoint): JsonValue {
  return checkpoint as unknown as JsonValue;
}

/** The groups of the client for finding notifications, and groups that read nothing for their records. */
function groupsOf({ webhooks, webhookNotifications }: SyncClient): RecoveryGroups {
  const nothing = async () => null as never;
  const noList = () => {
    throw new Error('A recovery without a sweep reads no lists.');
  };
  return {
    webhooks,
    webhookNotifications: webhookNotifications as RecoveryGroups['webhookNotifications'],
    containers: { get: nothing },
    documents: { get: nothing },
    shipments: { get: nothing, list: noList as () => List<never> },
    trackingRequests: { get: nothing, list: noList as () => List<never> },
  };
}
