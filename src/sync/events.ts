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

/** A back-fill or a reconciliation begins, or goes on after an interruption. */
export interface StartedEvent {
  type: 'started';
  /** `backfill` for the first time, `reconcile` later. */
  phase: 'backfill' | 'reconcile';
  /** Whether it goes on from a checkpoint. */
  resumed: boolean;
  /** Records of all lists, as far as the service tells. */
  records: number;
  /** Requests that are still to be made for the lists. */
  requests: number;
  /** How long these take within the share of the budget, in ms, if the answers come quickly. */
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
  /** Estimated rest, in ms. */
  remainingMs: number;
}

/** A back-fill or a reconciliation has ended. */
export interface FinishedEvent {
  type: 'finished';
  /** `backfill` for the first time, `reconcile` later. */
  phase: 'backfill' | 'reconcile';
  /** Whether it went on from a checkpoint. */
  resumed: boolean;
  /** Records that were read from lists. */
  records: number;
  /** Rows that were changed or added. */
  written: number;
  /** Records that the service no longer has. */
  deleted: number;
  /** Requests made by this process. */
  requests: number;
  /** Time in this process, in ms. */
  durationMs: number;
}

/** What has changed since the last reading was read. The whole lists were not. */
export interface RefreshedEvent {
  type: 'refreshed';
  /** Records that were read from lists. */
  records: number;
  /** Rows that were changed or added. */
  written: number;
  /** Requests made by this process. */
  requests: number;
  /** In ms. */
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
  /** From the notification to its committed rows, in ms; not more exact than a second. `undefined` without a clock. */
  lagMs: number | undefined;
}

/** A record was read separately, and is committed. */
export interface ReadEvent {
  type: 'read';
  /** Type and id of the record. */
  record: Pick<DueRead, 'type' | 'id'>;
  /** `deleted`: the service no longer has it. `tie`: read too soon, it will be read again. */
  outcome: 'written' | 'unchanged' | 'deleted' | 'tie';
  /** From the moment at which it became due to the committed row, in ms; not more exact than a second. */
  lagMs: number;
}

/**
 * Records of a list did not come, because they change their places while it is read. Those that the database has were read
 * separately. A new one may come with the next reading only.
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

/** A list that cannot be read with this account, or a record that fails. The others go on. */
export interface SkippedEvent {
  type: 'skipped';
  /** The list; `undefined` for a record. */
  list?: string | undefined;
  /** The record; `undefined` for a list. */
  record?: Pick<DueRead, 'type' | 'id'> | undefined;
  /** Why. */
  error: unknown;
}

/** The webhook is registered. */
export interface WebhookEvent {
  type: 'webhook';
  /** Id of the webhook. */
  id: string;
  /** Its address. */
  url: string;
  /** What its deliveries are signed with, if the service has sent it. */
  secret: string | undefined;
}

/** The self-check of the webhook. */
export interface CheckedEvent {
  type: 'checked';
  /** Whether deliveries arrive and are verified. */
  ok: boolean;
  /** What was found, for people. */
  message: string;
}

/** Notifications that did not arrive. Their records were read. */
export interface RecoveredEvent {
  type: 'recovered';
  /** How many records. */
  records: number;
}

/** Whether this process makes the reads. Of all processes with the same store, one does. */
export interface ReaderEvent {
  type: 'reader';
  /** `false`: another process reads. This one goes on to write notifications. */
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
  /** What was being done. */
  phase: SyncPhase;
  /** What failed. */
  error: unknown;
  /** When it is tried again, in ms from now. */
  retryInMs: number;
}

/** What sync reports. Narrow it by `type`. */
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
