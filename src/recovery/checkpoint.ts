import { ConfigurationError } from '../errors.ts';
import { isIdentifier, isRecord, type ResourceIdentifier } from '../jsonapi/document.ts';
import type { Checkpoint } from '../pagination/checkpoint.ts';
import type { DateTime } from '../records/model.ts';
import type { DeliveryStatus } from '../records/webhook-notification.ts';

/** A notification that did not arrive. */
export interface MissedNotification {
  /** Id of the notification. */
  id: string;
  /** Name of the event. */
  event: string;
  /** When the service recorded it. */
  created_at: DateTime;
  /** How the delivery ended, as far as it has. */
  delivery_status: DeliveryStatus;
}

/** Something that has to be read again, and why. */
export interface PendingSubject extends ResourceIdentifier {
  /** Those that are about it. */
  notifications: MissedNotification[];
}

/** A sweep that is not over. */
export interface PendingSweep {
  /** What has ended since then is given too. */
  since: string;
  /** Which list comes next, */
  list: 'shipments' | 'tracking_requests';
  /** and the page of it that the sweep stands after; `null` at its beginning. */
  after: Checkpoint | null;
}

/** Where a recovery stands: a JSON value, to be stored and given as `from` in another process. */
export interface RecoveryCheckpoint {
  /** Notifications that are older than this are accounted for. */
  until: string;
  /** Ids of those since then that are accounted for too. */
  accounted: string[];
  /** What was missed and is not read yet, or could not be. */
  pending: PendingSubject[];
  /** What is owed of a sweep. */
  sweep: PendingSweep | null;
}

/** @throws {ConfigurationError} if there is neither a time nor a checkpoint to begin with. */
export function startOf({
  since,
  from,
  repair = false,
}: {
  since?: unknown;
  from?: unknown;
  repair?: boolean | undefined;
}): RecoveryCheckpoint {
  if (from !== undefined) {
    if (isCheckpoint(from)) return from;
    throw new ConfigurationError('from is not a checkpoint. Pass the `checkpoint` of something recovered.');
  }
  const time = since instanceof Date ? since.getTime() : typeof since === 'string' ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(time)) throw new ConfigurationError('since is not a time. Pass a Date or an ISO 8601 text.');
  // The service tells whole seconds.
  const until = new Date(Math.floor(time / 1000) * 1000).toISOString();
  // An earlier call may have repaired a webhook and failed after that: nothing at the service would show it.
  return { until, accounted: [], pending: [], sweep: repair ? sweepSince(until) : null };
}

/** A sweep from its beginning. */
export function sweepSince(since: string): PendingSweep {
  return { since, list: 'shipments', after: null };
}

function isCheckpoint(value: unknown): value is RecoveryCheckpoint {
  return (
    isRecord(value) &&
    isTime(value.until) &&
    Array.isArray(value.accounted) &&
    Array.isArray(value.pending) &&
    value.pending.every(subject => isIdentifier(subject) && 'notifications' in subject) &&
    (value.sweep === null || isSweep(value.sweep))
  );
}

function isSweep(value: unknown): value is PendingSweep {
  return isRecord(value) && isTime(value.since) && (value.list === 'shipments' || value.list === 'tracking_requests');
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
