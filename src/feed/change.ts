import type { TrackingError } from '../errors.ts';
import type { DateTime } from '../model/index.ts';
import type { FeedCheckpoint } from './checkpoint.ts';

/** The fields of a record that a feed compares: its attributes and its relationships. */
export type FieldOf<R> = Exclude<keyof R & string, 'id' | 'type' | 'links' | 'meta'>;

/** The properties of every item of a feed. */
interface FeedItem {
  /** Time of the response that led to this item, on the clock of this program. */
  at: DateTime;
  /**
   * The position after this item, as a small JSON value: the part of `feed.checkpoint` that this item has changed.
   * Store it together with the item, for example as a line of a file. To continue the feed, pass all stored checkpoints
   * as `from`, in their original sequence.
   */
  checkpoint: FeedCheckpoint;
}

/** An item about one record. */
interface RecordItem extends FeedItem {
  /** Id of the record. */
  id: string;
}

/** A record that the feed has not reported before. */
export interface AppearedRecord<R> extends RecordItem {
  kind: 'appeared';
  /** The record, as it was read. */
  record: R;
  /**
   * `true` if the first reading found it: it may have existed for a long time. `false` for a record that was created later, or
   * that now fulfils `where`.
   */
  initial: boolean;
}

/** A field whose value differs between two readings of a record. */
export interface ChangedField<R, Field extends FieldOf<R>> extends RecordItem {
  kind: 'changed';
  /** Name of the field: an attribute, or a relationship. */
  field: Field;
  /** The value in the previous reading; `undefined` if the service left the field out. */
  before: R[Field];
  /** The new value; `undefined` if the service left the field out. Values between the two readings are not known. */
  after: R[Field];
  /** The whole record, as it was read. All changes of one reading refer to the same object. */
  record: R;
  /** The watched fields in the previous reading. All changes of one reading have the same object. */
  previous: Partial<R>;
  /**
   * Time at which the previous reading was requested. The field has changed between `since` and `at`, perhaps more than
   * once.
   */
  since: DateTime;
}

/** A record that is no longer watched. */
export interface GoneRecord<R, Field extends FieldOf<R>> extends RecordItem {
  kind: 'gone';
  /**
   * - `not_found`: the service responded 404 for the record. A 404 without the list of errors of the service, for
   *   example from a proxy, does not count. If a record is missing in a list, it is first read separately. If more
   *   than 10 records, or more than 10 % of all records, are missing at the same time, a record is reported only if it
   *   is also missing in the next reading.
   * - `filtered`: the record no longer fulfils `where`. Its changes are reported before this item.
   */
  reason: 'not_found' | 'filtered';
  /** The last values of the watched fields. */
  before: Partial<Pick<R, Field>>;
  /** Time at which the previous reading was requested. */
  since: DateTime;
}

/**
 * A reading that was incomplete. A later reading reports the missed changes. No record counts as gone because of this
 * reading.
 */
export interface IncompleteReading extends FeedItem {
  kind: 'unread';
  /**
   * Ids of the records that could not be read. `null` if a list could not be read to its end: any record may be
   * affected.
   */
  ids: string[] | null;
  /**
   * The reason. `null` if the service does not have an id from the option `ids`. Also `null` if a list contains fewer
   * records than its total, for example because the list grew while it was read.
   */
  error: TrackingError | null;
}

/**
 * A union of one type per field. If you compare `field` with a name, TypeScript narrows the types of `before` and
 * `after`.
 */
export type FieldChange<R, Field extends FieldOf<R> = FieldOf<R>> = { [F in Field]: ChangedField<R, F> }[Field];

/** An item of a feed. Compare `kind` to narrow its type. If `kind` is `changed`, also compare `field`. */
export type Change<R, Field extends FieldOf<R> = FieldOf<R>> =
  | AppearedRecord<R>
  | FieldChange<R, Field>
  | GoneRecord<R, Field>
  | IncompleteReading;
