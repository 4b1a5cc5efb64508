import type { TrackingError } from '../errors.ts';
import type { DateTime } from '../model/index.ts';
import type { FeedCheckpoint } from './checkpoint.ts';

/** The fields of a record that a feed compares: its attributes and its relationships. */
export type FieldOf<R> = Exclude<keyof R & string, 'id' | 'type' | 'links' | 'meta'>;

/** The properties of every item of a feed. */
interface FeedItem {
  /** Time of the response that the item comes from, by the clock of this program. */
  at: DateTime;
  /**
   * The position after this item, as a small JSON value: the part of `feed.checkpoint` that this item has changed. Store it
   * together with the item, for example as a line of a file. `from` takes all of them in their order.
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
  /** The record as it was read. */
  record: R;
  /**
   * `true` if the first reading has found it: it may have existed for long. `false` for a record that came later, or that
   * fulfils `where` since then.
   */
  initial: boolean;
}

/** A field whose value differs between two readings of a record. */
export interface ChangedField<R, Field extends FieldOf<R>> extends RecordItem {
  kind: 'changed';
  /** Name of the field: an attribute, or a relationship. */
  field: Field;
  /** The value of the reading before; `undefined` if the service had left the field out. */
  before: R[Field];
  /** The value now; `undefined` if the service has left the field out. Values in between were not seen. */
  after: R[Field];
  /** The whole record as it was read. The same object in all changes of one reading. */
  record: R;
  /** The watched fields as the reading before had them. The same in all changes of one reading. */
  previous: Partial<R>;
  /** When the reading before was requested. The field has changed between `since` and `at`, perhaps more than once. */
  since: DateTime;
}

/** A record that is no longer watched. */
export interface GoneRecord<R, Field extends FieldOf<R>> extends RecordItem {
  kind: 'gone';
  /**
   * - `not_found`: the service has answered 404 for the record, with its list of errors: a 404 of a proxy does not count. A record
   *   that only a list leaves out is read separately first. More than 10 records, or more than 10 %, that are not found at once
   *   are looked for again in the next reading, and reported only then.
   * - `filtered`: it no longer fulfils `where`. Its changes have come before.
   */
  reason: 'not_found' | 'filtered';
  /** The last values of the watched fields. */
  before: Partial<Pick<R, Field>>;
  /** When the reading before was requested. */
  since: DateTime;
}

/** A reading that did not give everything. What has changed there comes with a later reading; no record counts as gone. */
export interface IncompleteReading extends FeedItem {
  kind: 'unread';
  /** The records that could not be read. `null` if a list could not be read to its end: every record may be affected. */
  ids: string[] | null;
  /** Why. `null` for a list that gave fewer records than it counts, for example because it grew while it was read. */
  error: TrackingError | null;
}

/** One change for each field: the compiler knows the types of `before` and `after` once `field` is compared with a name. */
export type FieldChange<R, Field extends FieldOf<R> = FieldOf<R>> = { [F in Field]: ChangedField<R, F> }[Field];

/** An item of a feed. Narrow it by `kind`, and a change then by `field`. */
export type Change<R, Field extends FieldOf<R> = FieldOf<R>> =
  | AppearedRecord<R>
  | FieldChange<R, Field>
  | GoneRecord<R, Field>
  | IncompleteReading;
