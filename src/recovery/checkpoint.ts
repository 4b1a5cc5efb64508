import { ConfigurationError } from '../errors.ts';
import { isRecord, type ResourceIdentifier } from '../jsonapi/document.ts';
import type { Checkpoint } from '../pagination/checkpoint.ts';
import type { MissedNotification } from './options.ts';

/** Something that has to be read again, and why. */
export interface PendingSubject extends ResourceIdentifier {
  notifications: MissedNotification[];
}

/** Where a recovery stands: a JSON value, to be stored and given as `from` in another process. */
export interface RecoveryCheckpoint {
  /** Notifications that are older than this are accounted for. */
  until: string;
  /** Ids of those since then that are accounted for too. */
  accounted: string[];
  /** What was missed and is not read yet. */
  pending: PendingSubject[];
  /** Whether a sweep has still to be made; the page of shipments that it stands after. */
  sweep: boolean | Checkpoint;
}

/** @throws {ConfigurationError} if there is neither a time nor a checkpoint to begin with. */
export function startOf({ since, from }: { since?: unknown; from?: unknown }): RecoveryCheckpoint {
  if (from !== undefined) {
    const valid = isRecord(from) && Array.isArray(from.pending) && Array.isArray(from.accounted) && isTime(from.until);
    if (!valid) throw new ConfigurationError('from is not a checkpoint. Pass the `checkpoint` of something recovered.');
    return from as unknown as RecoveryCheckpoint;
  }
  const time = since instanceof Date ? since.getTime() : Date.parse(String(since));
  if (Number.isNaN(time)) throw new ConfigurationError('since is not a time. Pass a Date or an ISO 8601 text.');
  // The service tells whole seconds.
  const second = Math.floor(time / 1000) * 1000;
  return { until: new Date(second).toISOString(), accounted: [], pending: [], sweep: false };
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
