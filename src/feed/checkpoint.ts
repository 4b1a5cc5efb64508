import { ConfigurationError } from '../errors.ts';
import { isRecord } from '../jsonapi/document.ts';
import type { Checkpoint } from '../pagination/checkpoint.ts';

/** The last state of a record that a feed has reported. */
export interface StoredRecord {
  /** Id of the record. */
  id: string;
  /** Time at which the reading of this state was requested. */
  askedAt: string;
  /** The watched fields as JSON; `null` for a record that is gone. */
  state: string | null;
}

/** An incomplete reading of the whole list. */
export interface StoredPass {
  /** Time at which the reading began. */
  startedAt: string;
  /** The last page that was read; `null` at the beginning. */
  after: Checkpoint | null;
  /** Number of records that were read so far. */
  seen: number;
}

/** The front of the list: the most recently changed records, as they were in the last reading. */
export interface StoredFront {
  /** The id of each record at the front, and a checksum of its content. */
  marks: readonly (readonly [id: string, sum: string])[];
  /** Number of records in the whole list; `null` if the service does not report it. */
  total: number | null;
  /** Time at which the last reading of all records began; `null` if such a reading is due. */
  readAt: string | null;
}

/**
 * The position of a feed: the state that its consumer has received. It is a JSON value that you can store and pass as `from`, even
 * in another process. The feed then reports the differences between this state and the service.
 */
export interface FeedCheckpoint {
  /** The watched type, fields and includes. A checkpoint cannot be used for another feed. */
  of: string;
  /** True if at least one reading of all records was complete. */
  complete: boolean;
  /** The reading to continue; `null` to begin a new reading. */
  pass: StoredPass | null;
  /** The most recently changed records; absent if all records are read each time. */
  front?: StoredFront | undefined;
  /** The records that were reported. */
  records: StoredRecord[];
}

/**
 * Merges a whole checkpoint and the small checkpoints of later items into one position.
 *
 * @throws {ConfigurationError} if a value is not a checkpoint of this feed.
 */
export function merged(from: unknown, of: string): FeedCheckpoint {
  const position: FeedCheckpoint = { of, complete: false, pass: null, records: [] };
  const records = new Map<string, StoredRecord>();
  for (const checkpoint of from === undefined ? [] : [from].flat()) {
    if (!isCheckpoint(checkpoint)) {
      throw new ConfigurationError(
        'from is not a checkpoint of a feed, and not an array of checkpoints. Pass it unchanged.',
      );
    }
    if (checkpoint.of !== of) {
      throw new ConfigurationError(
        `from belongs to a feed of ${checkpoint.of}, and this is a feed of ${of}. Use the same fields and include, or start without from.`,
      );
    }
    position.complete = checkpoint.complete;
    position.pass = checkpoint.pass;
    if (checkpoint.front) position.front = checkpoint.front;
    for (const record of checkpoint.records) {
      records.delete(record.id);
      if (record.state !== null) records.set(record.id, record);
    }
  }
  position.records = [...records.values()];
  return position;
}

function isCheckpoint(value: unknown): value is FeedCheckpoint {
  return (
    isRecord(value) &&
    typeof value.of === 'string' &&
    typeof value.complete === 'boolean' &&
    (value.pass === null || isPass(value.pass)) &&
    (value.front === undefined || isFront(value.front)) &&
    Array.isArray(value.records) &&
    value.records.every(isStored)
  );
}

function isPass(value: unknown): value is StoredPass {
  return (
    isRecord(value) &&
    isTime(value.startedAt) &&
    typeof value.seen === 'number' &&
    (value.after === null || isPosition(value.after))
  );
}

function isFront(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value.marks) && value.marks.every(mark => Array.isArray(mark));
}

/** A loose check: the ids of the position are not used, because the feed requests each page by its number. */
function isPosition(value: unknown): boolean {
  if (!isRecord(value) || !Number.isSafeInteger(value.size)) return false;
  return (
    Number(value.page) >= 1 &&
    Number.isSafeInteger(value.page) &&
    (value.total === null || Number.isSafeInteger(value.total))
  );
}

function isStored(value: unknown): value is StoredRecord {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    isTime(value.askedAt) &&
    (value.state === null || isState(value.state))
  );
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** A loose check: the feed parses the whole text only when it compares the text. */
function isState(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('{') && value.endsWith('}');
}
