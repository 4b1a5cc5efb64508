import type { SyncedType } from './tables/names.ts';

/** A value that JSON can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** Type and id of a record that a store keeps. */
export interface SyncRef {
  /** Name of its resource type. */
  type: SyncedType;
  /** Id of the record. */
  id: string;
}

/** The content of one record at one moment. */
export interface SyncRow extends SyncRef {
  /**
   * Time at which the service knew it, in ms since 1970: the start of the read, or the time of the notification. By the
   * clock of the service, never by the local one.
   */
  asOf: number;
  /**
   * The complete record. Related records are kept as type and id, also if they were included. `null`: the service no
   * longer has the record. Its row then stays, with `deleted_at`.
   */
  record: SyncedRecord | null;
}

/** A record of the SDK, such as a `Shipment`. */
export interface SyncedRecord {
  /** Id of the record. */
  readonly id: string;
  /** Name of its resource type. */
  readonly type: string;
}

/** A record that has to be read. The store remembers it until a read has settled it, also after a crash. */
export interface DueRead {
  /** Name of its resource type. A notification is read if it does not name its record. */
  type: SyncedType | 'webhook_notification';
  /** Id of the record. */
  id: string;
  /**
   * Time at which it was needed, in ms since 1970 by the clock of the service. A read that begins later is at least
   * that new.
   */
  since: number;
  /** Unique. A record that is needed again before it was read gets another one. */
  token: string;
}

/** The writes of one transaction. */
export interface SyncBatch {
  /** Rows in any order. The same record may occur more than once. */
  rows: readonly SyncRow[];
  /**
   * Reads that are no longer due, if the `token` is still the same. If the batch has ties, they stay due. Applied
   * before `due`.
   */
  settled?: readonly DueRead[] | undefined;
  /** Records to read. If one is due already, it keeps its place, and gets this `token` and the later `since`. */
  due?: readonly DueRead[] | undefined;
  /** The fields whose history is kept, with the rows or not at all. If it is missing, the history is not touched. */
  history?: HistoryFields | undefined;
  /** A checkpoint that is saved with the rows, or not at all. The value `null` removes it. */
  checkpoint?: SavedCheckpoint | undefined;
}

/** Names of the fields whose history is kept, by record type: columns of the tables. */
export type HistoryFields = { readonly [T in SyncedType]?: readonly string[] };

/** A value that a field of a record had for some time. */
export interface HistoryRow extends SyncRef {
  /** Name of the field. */
  field: string;
  /** Name of the hold or the fee; empty for a field that is not such a list. */
  item: string;
  /** The value as text: times in ISO 8601 (UTC), nested values as JSON. */
  value: string;
  /** Since when it is known to have held, in ms since 1970 by the clock of the service. */
  from: number;
  /** When it was first known to hold no more, in ms since 1970; `undefined` if it still holds. */
  until: number | undefined;
}

/** The position from which some work of sync continues. */
export interface SavedCheckpoint {
  /** Name of the work. */
  name: string;
  /** Any JSON value. */
  value: JsonValue;
}

/** A column that stayed empty because values did not fit its type. The column `record` has them. */
export interface ColumnMisfit {
  /** Type of the records. */
  type: SyncedType;
  /** Name of the column. */
  column: string;
  /** Kind of value that the column can hold. */
  expected: string;
  /** Number of rows of the batch. */
  count: number;
  /** Id of one of these records. */
  example: string;
}

/** The outcome for the rows of a batch. */
export interface WriteResult {
  /** Rows that are new, or have another content than before. */
  written: number;
  /** Rows whose content is stored already. The stored `as_of` is the newer one. */
  unchanged: number;
  /** Rows that are older than the stored ones. */
  stale: number;
  /**
   * Rows with the same time as the stored ones and another content. They are not written: read these records again.
   * Each occurs once.
   */
  ties: SyncRef[];
  /** Values that did not fit their columns. */
  misfits: ColumnMisfit[];
}

/** A lock that one process holds. */
export interface StoreLock {
  /** Aborts when the lock is lost, for example with the connection that held it. */
  readonly signal: AbortSignal;
  /** Frees the lock. Can be called more than once. */
  release(): Promise<void>;
}

/** The content of a store for one type. */
export interface TableStatus {
  /** Type of its records. */
  type: SyncedType;
  /** Name of the table, without the schema. */
  table: string;
  /** Records that the service has. */
  rows: number;
  /** Records that the service no longer has. */
  deleted: number;
  /** The newest `as_of`, in ms since 1970; `undefined` for an empty table. */
  newest: number | undefined;
}

/** Options of {@link SyncStore.migrate}. */
export interface StoreMigrationOptions {
  /** Ends the work between two transactions. The next call continues from there. */
  signal?: AbortSignal | undefined;
  /** True if the tables and views of the history are made too. Existing ones stay in any case. @default false */
  history?: boolean | undefined;
}

/** The content of a store. */
export interface StoreStatus {
  /** Version of the tables; 0 if there are none yet. */
  version: number;
  /** Number of reads that are due. */
  due: number;
  /** The earliest `since` of those, in ms since 1970 by the clock of the service; `undefined` if there are none. */
  oldestDue?: number | undefined;
  /** The tables, one for each type; none before `migrate()`. */
  tables: TableStatus[];
  /** All of them, by name. */
  checkpoints: SavedCheckpoint[];
}

/**
 * The store in which sync keeps the records. `sqliteStore()` and `postgresStore()` make one; `storeConformance()` of
 * `container-tracking-sdk/sync/testing` checks one of your own.
 *
 * The methods can be called at the same time, and by several processes. They reject with a {@link StoreError}.
 */
export interface SyncStore {
  /** Description for logs and errors, without credentials: `PostgreSQL, schema tracking`. */
  readonly description: string;

  /**
   * Makes the tables, or brings them to the version of this package, under a lock: several processes may call it at the
   * same time. After an interruption, the next call continues.
   *
   * @throws {StoreError} with the code `store_newer` if a newer version of the package has made the store.
   */
  migrate(options?: StoreMigrationOptions): Promise<{ from: number; to: number }>;

  /**
   * Writes the rows and the checkpoint in one transaction. For each record the newest `asOf` wins, in any order of
   * arrival, also within a batch.
   */
  write(batch: SyncBatch): Promise<WriteResult>;

  /** The value that was saved under this name; `undefined` if there is none. */
  checkpoint(name: string): Promise<JsonValue | undefined>;

  /** Those of these records that have no row. The row of a deleted record counts. */
  missing(refs: readonly SyncRef[]): Promise<SyncRef[]>;

  /**
   * Ids of the records of a type that are not deleted and have an `as_of` before `before` (ms since 1970), in the order
   * of their bytes, beginning after `after`.
   */
  unseen(type: SyncedType, options: { before: number; after?: string | undefined; limit: number }): Promise<string[]>;

  /** The reads that are due, those that wait longest first. */
  due(options: { limit: number }): Promise<DueRead[]>;

  /** A lock across processes; `undefined` if another has it. It ends with the process. */
  lock(name: string): Promise<StoreLock | undefined>;

  /**
   * The rows of the history that held at a time, in ms since 1970, by type, id, field and item. A store without this
   * method and `trimHistory` keeps no history, and the option `history` is refused.
   */
  historyAt?(at: number): Promise<HistoryRow[]>;

  /**
   * Removes some of the rows that ended before `endedBefore`, and forgets some of the moments before `seenBefore` that
   * changed nothing, at most `limit` of each. Returns the number of both.
   */
  trimHistory?(options: { endedBefore?: number | undefined; seenBefore: number; limit: number }): Promise<number>;

  /** The content of the store. Also works before `migrate()`. */
  status(): Promise<StoreStatus>;

  /** Ends its connections. A pool that it was given stays open. */
  close(): Promise<void>;
}
