import { ConfigurationError } from '../errors.ts';
import { isIdentifier, isRecord, type ResourceIdentifier } from '../jsonapi/document.ts';
import type { DateTime, DeliveryStatus } from '../model/index.ts';
import type { Checkpoint } from '../pagination/checkpoint.ts';

/** A notification that did not arrive. */
export interface MissedNotification {
  /** Id of the notification. */
  id: string;
  /** Name of the event. */
  event: string;
  /** Time at which the service recorded the notification. */
  created_at: DateTime;
  /** The status of the delivery at the time when the recovery checked the notification. */
  delivery_status: DeliveryStatus;
}

/** A record to read again, and the notifications about it. */
export interface PendingSubject extends ResourceIdentifier {
  /** The missed notifications about this record. */
  notifications: MissedNotification[];
}

/** An incomplete sweep. */
export interface PendingSweep {
  /** Shipments whose tracking ended after this time are included. */
  since: string;
  /** The list to read next. */
  list: 'shipments' | 'tracking_requests';
  /** The last page of this list that was read; `null` at the beginning. */
  after: Checkpoint | null;
}

/**
 * The position of a recovery. It does not list the remaining records: the next recovery finds them again, and leaves
 * out the records that were yielded before this position.
 */
export interface RecoveryPosition {
  /** Notifications before this time were checked. */
  until: string;
  /** Ids of later notifications that were checked. */
  accounted: string[];
  /** Ids of earlier notifications that could still be delivered at the time of this position. */
  except: string[];
  /**
   * Type and id of the last record that the sweep has yielded; `null` if there is none, `'all'` at the end of the
   * sweep.
   */
  swept: string | null;
  /** Type and id of the last record that was read separately, in sorted order; `null` if there is none. */
  through: string | null;
}

/** The position of a recovery: a JSON value that you can store and pass as `from`, even in another process. */
export interface RecoveryCheckpoint {
  /** Notifications before this time need not be checked again. */
  until: string;
  /** Ids of later notifications that need not be checked again. */
  accounted: string[];
  /** Records of missed notifications that could not be read. */
  pending: PendingSubject[];
  /** The remaining part of a sweep; `null` without a sweep. */
  sweep: PendingSweep | null;
  /** The position of an incomplete recovery. Absent or `null` if no recovery is incomplete. */
  position?: RecoveryPosition | null;
}

/** The checkpoint to begin with. @throws {ConfigurationError} if neither `since` nor `from` is valid. */
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
    throw new ConfigurationError('from is not a checkpoint. Pass the `checkpoint` of a recovered item.');
  }
  const time = since instanceof Date ? since.getTime() : typeof since === 'string' ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(time))
    throw new ConfigurationError('since is not a time. Pass a Date or an ISO 8601 string, or pass from.');
  // The service sends times in whole seconds, so the start is rounded down to a second.
  const until = new Date(Math.floor(time / 1000) * 1000).toISOString();
  // An earlier call may have repaired a webhook and then failed. The state of the webhook does not show this.
  return { until, accounted: [], pending: [], sweep: repair ? sweepSince(until) : null };
}

/** A sweep at its beginning. */
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
    (value.sweep === null || isSweep(value.sweep)) &&
    (value.position == null || isPosition(value.position))
  );
}

function isPosition(value: unknown): value is RecoveryPosition {
  return (
    isRecord(value) &&
    isTime(value.until) &&
    Array.isArray(value.accounted) &&
    Array.isArray(value.except) &&
    [value.swept, value.through].every(key => key === null || typeof key === 'string')
  );
}

function isSweep(value: unknown): value is PendingSweep {
  return isRecord(value) && isTime(value.since) && (value.list === 'shipments' || value.list === 'tracking_requests');
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
