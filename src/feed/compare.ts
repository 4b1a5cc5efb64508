import { ResponseFormatError } from '../errors.ts';
import { isIdentifier, isRecord } from '../jsonapi/document.ts';

/** The watched fields of a record, by name. */
export type Fields = Record<string, unknown>;

const NOT_FIELDS: readonly string[] = ['id', 'type', 'links', 'meta'];

/**
 * The fields of a record as JSON: all fields, or the fields in `names`. The feed keeps only these fields of a record.
 *
 * @throws {ResponseFormatError} for a value that is nested too deeply.
 */
export function stateOf(record: object, names: readonly string[] | undefined): string {
  const isWatched = (name: string) => (names ? names.includes(name) : !NOT_FIELDS.includes(name));
  const watched = Object.fromEntries(Object.entries(record).filter(([name]) => isWatched(name)));
  return withinStack(record, () => JSON.stringify(watched));
}

/** The names of the fields that differ. @throws {ResponseFormatError} for a value that is nested too deeply. */
export function differing(before: Fields, after: Fields, record: object): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return withinStack(record, () => [...names].filter(name => !isSame(valueIn(before, name), valueIn(after, name))));
}

function withinStack<T>(record: { id?: unknown; type?: unknown }, compare: () => T): T {
  try {
    return compare();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const { type, id } = record;
    throw new ResponseFormatError(
      `The ${type} ${id} has a value that is nested too deeply to be compared. Name the other fields in the option fields.`,
      { status: 200, method: 'GET', path: `/${type}s/${id}`, requestId: undefined, cause },
    );
  }
}

/** The value of a field. A property that every object inherits, such as `constructor`, is not a field. */
export function valueIn(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/**
 * True if two JSON values are the same. The order of keys and of related records does not matter. A missing key is
 * equal to `null`, because the service may leave out a key or send `null` for the same state.
 */
export function isSame(one: unknown, other: unknown): boolean {
  const [before, after] = [one ?? null, other ?? null];
  if (before === after) return true;
  if (Array.isArray(before)) return Array.isArray(after) && isSameArray(before, after);
  if (!isRecord(before) || !isRecord(after)) return false;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].every(key =>
    isSame(valueIn(before, key), valueIn(after, key)),
  );
}

function isSameArray(before: readonly unknown[], after: readonly unknown[]): boolean {
  if (before.length !== after.length) return false;
  const [first, second] = [inOrder(before), inOrder(after)];
  return first.every((item, index) => isSame(item, second[index]));
}

/** Sorts related records by id, because they are a set. */
function inOrder(items: readonly unknown[]): readonly unknown[] {
  if (!items.every(isIdentifier)) return items;
  const key = ({ type, id }: { type: string; id: string }) => `${type} ${id}`;
  return [...items].sort((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
}
