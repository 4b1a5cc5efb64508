import type { SyncedType } from './tables/names.ts';

/** A value that JSON can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** Type and id of a record that a store contains. */
export interface SyncRef {
  /** Name of its resource type. */
  type: SyncedType;
  /** Id of the record. */
  id: string;
}

/** The content of one record at one moment. */
export interface SyncRow extends SyncRef {
  /**
   * Time at which the service had this content, in ms since 1970: the time when the read began, or the time of the
   * notification. It is a time on the clock of the service, never on the local clock.
   */
  asOf: number;
  /**
   * The complete record. Related records are stored as type and id, even if they were included. `null` if the service
   * no longer has the record. The row then stays, with `deleted_at`.
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

/** A record that has to be read. The store remembers it until a read has settled it, even after a crash. */
export interface DueRead {
  /**
   * Name of its resource type. A notification is read if it does not name its record. `table` stands for all records of
   * one type.
   */
  type: SyncedType | 'webhook_notification' | 'table';
  /** Id of the record. For a `table`, the name of the type of its records. */
  id: string;
  /**
   * Time at which the read became due, in ms since 1970 on the clock of the service. A read that begins later returns
   * content from this time or later.
   */
  since: number;
  /** Unique. If the read becomes due again before it is made, it gets a new token. */
  token: string;
}

/** The writes of one transaction. */
export interface SyncBatch {
  /** Rows in any order. The same record may occur more than once. */
  rows: readonly SyncRow[];
  /**
   * Reads that are no longer due. This applies only to a read whose `token` is still the same. If the batch has ties,
   * all of these reads stay due. The store applies `settled` before `due`.
   */
  settled?: readonly DueRead[] | undefined;
  /** Records to read. A read that is already due keeps its position, and gets this `token` and the later `since`. */
  due?: readonly DueRead[] | undefined;
  /**
   * The history of these fields is stored, in the same transaction as the rows. If this is missing, the history does
   * not change.
   */
  history?: HistoryFields | undefined;
  /** A checkpoint that is saved in the same transaction as the rows. The value `null` removes the checkpoint. */
  checkpoint?: SavedCheckpoint | undefined;
}

/** Names of the fields whose history is stored, by record type. The names are columns of the tables. */
export type HistoryFields = { readonly [T in SyncedType]?: readonly string[] };

/** A value that a field of a record had for some time. */
export interface HistoryRow extends SyncRef {
  /** Name of the field. */
  field: string;
  /** Name of the hold, or type of the fee; empty for all other fields. */
  item: string;
  /** The value as text. Times are in ISO 8601 (UTC), and nested values are JSON. */
  value: string;
  /**
   * The first time at which the record certainly had the value, in ms since 1970 on the clock of the service.
   */
  from: number;
  /**
   * The first time after `from` at which the record certainly did not have the value, in ms since 1970; `undefined` for
   * the current value.
   */
  until: number | undefined;
}

/** The position from which some work of sync continues. */
export interface SavedCheckpoint {
  /** Name of the work. */
  name: string;
  /** Any JSON value. */
  value: JsonValue;
}

/**
 * A column that stayed empty because its values did not fit the type of the column. The column `record` contains these
 * values.
 */
export interface ColumnMisfit {
  /** Type of the records. */
  type: SyncedType;
  /** Name of the column. */
  column: string;
  /** Kind of value that the column can hold. */
  expected: string;
  /** Number of such rows in the batch. */
  count: number;
  /** Id of one of these records. */
  example: string;
}

/** The results for the rows of a batch. */
export interface WriteResult {
  /** Number of rows that are new, or whose content has changed. */
  written: number;
  /** Number of rows whose content is already stored. The newer `as_of` is stored. */
  unchanged: number;
  /** Number of rows that are older than the stored row. */
  stale: number;
  /**
   * Records whose rows have the same time as the stored row, but different content. These rows are not written: read
   * the records again. Each record occurs once.
   */
  ties: SyncRef[];
  /** Values that did not fit their columns. */
  misfits: ColumnMisfit[];
}

/** A lock that only one process can hold. */
export interface StoreLock {
  /** Aborts when the lock is lost, for example because the connection that held the lock was lost. */
  readonly signal: AbortSignal;
  /** Releases the lock. Can be called more than once. */
  release(): Promise<void>;
}

/** The content of a store for one type. */
export interface TableStatus {
  /** Type of its records. */
  type: SyncedType;
  /** Name of the table, without the schema. */
  table: string;
  /** Number of records that the service has. */
  rows: number;
  /** Number of records that the service no longer has. */
  deleted: number;
  /** The newest `as_of`, in ms since 1970; `undefined` for an empty table. */
  newest: number | undefined;
}

/** Options of {@link SyncStore.migrate}. */
export interface StoreMigrationOptions {
  /** Ends the work between two transactions. The next call continues from there. */
  signal?: AbortSignal | undefined;
  /**
   * True if the tables and views of the history are created too. Existing tables and views are never removed. @default
   * false
   */
  history?: boolean | undefined;
}

/** The content of a store. */
export interface StoreStatus {
  /** Version of the tables; 0 if there are none yet. */
  version: number;
  /** Number of reads that are due. */
  due: number;
  /**
   * The earliest `since` of the reads that are due, in ms since 1970 on the clock of the service; `undefined` if there
   * are none.
   */
  oldestDue?: number | undefined;
  /** The tables, one for each type; none before `migrate()`. */
  tables: TableStatus[];
  /** All checkpoints, sorted by name. */
  checkpoints: SavedCheckpoint[];
}

/**
 * The store of sync for the records. `sqliteStore()` and `postgresStore()` create a store; `storeConformance()` of
 * `container-tracking-sdk/sync/testing` checks your own store.
 *
 * The methods can be called at the same time, and by several processes. They reject with a {@link StoreError}.
 */
export interface SyncStore {
  /** Description for logs and errors, without credentials: `PostgreSQL, schema tracking`. */
  readonly description: string;

  /**
   * Creates the tables, or migrates them to the version of this package. It uses a lock, so several processes may call
   * it at the same time. After an interruption, the next call continues.
   *
   * @throws {StoreError} with the code `store_newer` if a newer version of the package has written the store.
   */
  migrate(options?: StoreMigrationOptions): Promise<{ from: number; to: number }>;

  /**
   * Writes the rows and the checkpoint in one transaction. For each record, the content with the newest `asOf` is
   * stored. The order of arrival does not matter. The same applies within a batch.
   */
  write(batch: SyncBatch): Promise<WriteResult>;

  /** The value that was saved under this name; `undefined` if there is none. */
  checkpoint(name: string): Promise<JsonValue | undefined>;

  /** Resolves to the given records that have no row. A deleted record has a row. */
  missing(refs: readonly SyncRef[]): Promise<SyncRef[]>;

  /**
   * Resolves to the rows whose content differs from the stored content: their record is not stored, or `record` is
   * `null` and the stored record is not deleted. Writes nothing. A store without this method has no `dryRun`.
   */
  differing?(rows: readonly SyncRow[]): Promise<SyncRef[]>;

  /**
   * Ids of the records of a type that are not deleted and whose `as_of` is before `before` (ms since 1970). The ids are
   * sorted by their bytes, and begin after the id `after`.
   */
  unseen(type: SyncedType, options: { before: number; after?: string | undefined; limit: number }): Promise<string[]>;

  /** The reads that are due. The reads that have waited longest come first. */
  due(options: { limit: number }): Promise<DueRead[]>;

  /** A lock across processes; `undefined` if it is already held. It is released when the process ends. */
  lock(name: string): Promise<StoreLock | undefined>;

  /**
   * The rows of the history whose values applied at the given time (in ms since 1970). They are sorted by type, id,
   * field and item. A store without this method and `trimHistory` has no history, and the option `history` is refused.
   */
  historyAt?(at: number): Promise<HistoryRow[]>;

  /**
   * Removes rows that ended before `endedBefore`, and times before `seenBefore` at which nothing changed. The upper
   * bound is `limit`, once for the rows and once for the times. Resolves to the number of removed rows plus the number
   * of removed times.
   */
  trimHistory?(options: { endedBefore?: number | undefined; seenBefore: number; limit: number }): Promise<number>;

  /** The content of the store. This also works before `migrate()`. */
  status(): Promise<StoreStatus>;

  /** Closes the connections of the store. A pool from the options stays open. */
  close(): Promise<void>;
}
