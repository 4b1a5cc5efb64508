import type { ColumnMisfit, DueRead } from './store.ts';

/** A part of the work of sync. */
export type SyncPhase = 'migrate' | 'backfill' | 'follow' | 'reconcile';

/** A reading of lists: all lists for the first time, all lists again, or the lists of some tables again. */
export type PassPhase = 'backfill' | 'reconcile' | 'resync';

/** The tables were migrated to the version of this package. */
export interface MigratedEvent {
  type: 'migrated';
  /** Version before the migration; 0 if there were no tables. */
  from: number;
  /** Version after the migration. */
  to: number;
}

/** A back-fill, a reconciliation or a resync begins, or continues after an interruption. */
export interface StartedEvent {
  type: 'started';
  /** `backfill` for the first time, `reconcile` later, and `resync` for some tables. */
  phase: PassPhase;
  /** True if it continues from a checkpoint. */
  resumed: boolean;
  /** Number of records in the lists that are read. Lists that the service does not count are left out. */
  records: number;
  /** Number of remaining requests for the lists. */
  requests: number;
  /** Estimated time in ms for these requests within the share of the budget, if the service responds quickly. */
  estimatedMs: number;
}

/** A page was written. */
export interface ProgressEvent {
  type: 'progress';
  /** `backfill` for the first time, `reconcile` later, and `resync` for some tables. */
  phase: PassPhase;
  /** The list that is being read. */
  list: string;
  /** Number of records that were read from the lists so far. */
  records: number;
  /** Number of records in the lists that are read. It increases if records are added in the meantime. */
  total: number;
  /** Number of rows that this page has changed or added, including related records. */
  written: number;
  /** Estimated remaining time, in ms. */
  remainingMs: number;
}

/** A back-fill, a reconciliation or a resync has ended. */
export interface FinishedEvent {
  type: 'finished';
  /** `backfill` for the first time, `reconcile` later, and `resync` for some tables. */
  phase: PassPhase;
  /** True if it continued from a checkpoint. */
  resumed: boolean;
  /** Records that were read from lists. */
  records: number;
  /** Rows that were changed or added. */
  written: number;
  /** Records that the service no longer has. */
  deleted: number;
  /** Requests that this process has made. */
  requests: number;
  /** Duration in this process, in ms. */
  durationMs: number;
}

/**
 * The changes that happened after the last reading have been read. The unchanged records of the lists were not read.
 */
export interface RefreshedEvent {
  type: 'refreshed';
  /** Records that were read from lists. */
  records: number;
  /** Rows that were changed or added. */
  written: number;
  /** Requests made by this process. */
  requests: number;
  /** Duration in ms. */
  durationMs: number;
}

/** The rows of a notification are committed. */
export interface HandledEvent {
  type: 'handled';
  /** Id of the notification. */
  id: string;
  /** Name of the event of the notification. */
  event: string;
  /** Number of rows that the notification has changed or added. */
  written: number;
  /** Number of records that have to be read because the notification did not contain them. */
  due: number;
  /**
   * Time from the notification to the commit of its rows, in ms, exact to a second. `undefined` if the notification has
   * no valid time, or if the clock of the service is not known yet.
   */
  lagMs: number | undefined;
}

/** A record was read separately, and is committed. */
export interface ReadEvent {
  type: 'read';
  /** Type and id of the record. */
  record: Pick<DueRead, 'type' | 'id'>;
  /**
   * `deleted`: the service no longer has the record. `tie`: the record was read in the same second in which another
   * change happened. It will be read again.
   */
  outcome: 'written' | 'unchanged' | 'deleted' | 'tie';
  /** Time from the moment at which the read became due to the commit of the row, in ms, exact to a second. */
  lagMs: number;
}

/**
 * Some records of a list were not on any page, because records changed position while the list was read. Missing
 * records that are in the database were read separately. A new record may be found only at the next reading.
 */
export interface IncompleteEvent {
  type: 'incomplete';
  /** The list. */
  list: string;
  /** Number of records that were not on any page. */
  missing: number;
  /** Number of records in the list. */
  total: number;
}

/**
 * A list that cannot be read with this account, or a record that cannot be read. The work continues with the other
 * lists and records.
 */
export interface SkippedEvent {
  type: 'skipped';
  /** The list; `undefined` for a record. */
  list?: string | undefined;
  /** The record; `undefined` for a list. */
  record?: Pick<DueRead, 'type' | 'id'> | undefined;
  /** The reason. */
  error: unknown;
}

/** The webhook is registered. */
export interface WebhookEvent {
  type: 'webhook';
  /** Id of the webhook. */
  id: string;
  /** URL of the webhook. */
  url: string;
  /** The key that signs the deliveries, if the service has sent the key. */
  secret: string | undefined;
}

/** The self-check of the webhook. */
export interface CheckedEvent {
  type: 'checked';
  /** True if deliveries arrive and are verified. */
  ok: boolean;
  /** The result of the check, in words. */
  message: string;
}

/** Some notifications did not arrive. Their records are due to be read. */
export interface RecoveredEvent {
  type: 'recovered';
  /** Number of records. */
  records: number;
}

/**
 * This process becomes the reader, or stops being the reader. Of all processes with the same store, only one reads.
 */
export interface ReaderEvent {
  type: 'reader';
  /** `false`: another process reads. This process continues to write notifications. */
  active: boolean;
}

/** Reads wait for 5 seconds or longer, because sync has used its share of the rate limit. */
export interface WaitingEvent {
  type: 'waiting';
  /** The minimum wait, in ms. */
  estimatedWaitMs: number;
}

/** Values that did not fit their columns. The column `record` contains them. */
export interface MisfitEvent extends Omit<ColumnMisfit, 'type'> {
  type: 'misfit';
  /** Type of the records. */
  recordType: ColumnMisfit['type'];
}

/**
 * The option `history` differs from the option of other processes with the same store. Therefore the history has gaps.
 * Emitted at most once.
 */
export interface HistoryEvent {
  type: 'history';
  /** The difference, in words. */
  message: string;
}

/** Some work failed. The work will be tried again. */
export interface ErrorEvent {
  type: 'error';
  /** The work that failed. */
  phase: SyncPhase;
  /** The error. */
  error: unknown;
  /** Time in ms until the next attempt. */
  retryInMs: number;
}

/** The work succeeds again after an `error`. */
export interface ContinuedEvent {
  type: 'continued';
  /** The work that had failed. */
  phase: SyncPhase;
  /** Time in ms since the first failure. */
  afterMs: number;
}

/** An event that sync reports. Narrow it by `type`. */
export type SyncEvent =
  | MigratedEvent
  | StartedEvent
  | ProgressEvent
  | FinishedEvent
  | RefreshedEvent
  | HandledEvent
  | ReadEvent
  | IncompleteEvent
  | SkippedEvent
  | WebhookEvent
  | CheckedEvent
  | RecoveredEvent
  | ReaderEvent
  | WaitingEvent
  | MisfitEvent
  | HistoryEvent
  | ErrorEvent
  | ContinuedEvent;

/** The event with this `type`. */
export type SyncEventOf<T extends SyncEvent['type']> = { [E in SyncEvent as E['type']]: E }[T];
