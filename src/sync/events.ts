import type { ColumnMisfit, DueRead } from './store.ts';

/** A part of the work of sync. */
export type SyncPhase = 'migrate' | 'backfill' | 'follow' | 'reconcile';

/** The tables were brought to the version of this package. */
export interface MigratedEvent {
  type: 'migrated';
  /** Version before; 0 if there were no tables. */
  from: number;
  /** Version now. */
  to: number;
}

/** A back-fill or a reconciliation begins, or continues after an interruption. */
export interface StartedEvent {
  type: 'started';
  /** `backfill` for the first time, `reconcile` later. */
  phase: 'backfill' | 'reconcile';
  /** True if it continues from a checkpoint. */
  resumed: boolean;
  /** Records of all lists, as far as the service counts them. */
  records: number;
  /** Requests that are still to be made for the lists. */
  requests: number;
  /** Time in ms for these requests within the share of the budget, if the responses come quickly. */
  estimatedMs: number;
}

/** A page was written. */
export interface ProgressEvent {
  type: 'progress';
  /** `backfill` for the first time, `reconcile` later. */
  phase: 'backfill' | 'reconcile';
  /** The list that is being read. */
  list: string;
  /** Records of all lists that were read so far. */
  records: number;
  /** Records of all lists; grows if records are added in the meantime. */
  total: number;
  /** Rows that this page has changed or added, related records included. */
  written: number;
  /** Estimated remaining time, in ms. */
  remainingMs: number;
}

/** A back-fill or a reconciliation has ended. */
export interface FinishedEvent {
  type: 'finished';
  /** `backfill` for the first time, `reconcile` later. */
  phase: 'backfill' | 'reconcile';
  /** True if it continued from a checkpoint. */
  resumed: boolean;
  /** Records that were read from lists. */
  records: number;
  /** Rows that were changed or added. */
  written: number;
  /** Records that the service no longer has. */
  deleted: number;
  /** Requests made by this process. */
  requests: number;
  /** Duration in this process, in ms. */
  durationMs: number;
}

/** The changes since the last reading were read, without the rest of the lists. */
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
  /** Name of its event. */
  event: string;
  /** Rows that it has changed or added. */
  written: number;
  /** Records that have to be read because the notification did not contain them. */
  due: number;
  /** Time from the notification to its committed rows, in ms, exact to a second. `undefined` without a clock. */
  lagMs: number | undefined;
}

/** A record was read separately, and is committed. */
export interface ReadEvent {
  type: 'read';
  /** Type and id of the record. */
  record: Pick<DueRead, 'type' | 'id'>;
  /** `deleted`: the service no longer has it. `tie`: read too soon, it will be read again. */
  outcome: 'written' | 'unchanged' | 'deleted' | 'tie';
  /** Time from the moment at which it became due to the committed row, in ms, exact to a second. */
  lagMs: number;
}

/**
 * Some records of a list did not come, because records change their places while it is read. Those that the database
 * has were read separately. A new record may come only with the next reading.
 */
export interface IncompleteEvent {
  type: 'incomplete';
  /** The list. */
  list: string;
  /** Number of records that did not come. */
  missing: number;
  /** Number of records in the list. */
  total: number;
}

/** A list that cannot be read with this account, or a record that fails. The work on the others continues. */
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
  /** Its address. */
  url: string;
  /** The key that its deliveries are signed with, if the service has sent it. */
  secret: string | undefined;
}

/** The self-check of the webhook. */
export interface CheckedEvent {
  type: 'checked';
  /** True if deliveries arrive and are verified. */
  ok: boolean;
  /** The finding, for people. */
  message: string;
}

/** Notifications that did not arrive. Their records were read. */
export interface RecoveredEvent {
  type: 'recovered';
  /** Number of records. */
  records: number;
}

/** This process becomes the reader, or is no longer the reader. Of all processes with the same store, one reads. */
export interface ReaderEvent {
  type: 'reader';
  /** `false`: another process reads. This one continues to write notifications. */
  active: boolean;
}

/** Values that did not fit their columns. The column `record` has them. */
export interface MisfitEvent extends Omit<ColumnMisfit, 'type'> {
  type: 'misfit';
  /** Type of the records. */
  recordType: ColumnMisfit['type'];
}

/** Something failed. It will be tried again. */
export interface ErrorEvent {
  type: 'error';
  /** The work that failed. */
  phase: SyncPhase;
  /** The error. */
  error: unknown;
  /** Time in ms until the next attempt. */
  retryInMs: number;
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
  | MisfitEvent
  | ErrorEvent;

/** The event with this `type`. */
export type SyncEventOf<T extends SyncEvent['type']> = { [E in SyncEvent as E['type']]: E }[T];
