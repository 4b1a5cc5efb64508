/** What was read of a list up to a position. */
export interface ReadSoFar {
  /** Number of records. */
  count: number;
  /** A sum over their ids. */
  sum: number;
  /** How many records have come a second time, because others were added in front of them. */
  moved: number;
}

/** What was read, with some more records. The sum does not depend on their order. */
export function sumOf(
  ids: Iterable<string>,
  { count, sum, moved }: ReadSoFar = { count: 0, sum: 0, moved: 0 },
): ReadSoFar {
  for (const id of ids) {
    count += 1;
    sum = (sum + hashOf(id)) >>> 0;
  }
  return { count, sum, moved };
}

function hashOf(id: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  // Without this, the sums of ids that differ by their last characters would often be equal.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const KEY_LENGTH = 10;

/** Ten characters in place of an id, for a checkpoint that names many: in one of a million lists, two of 50,000 ids share them. */
export function keyOf(id: string): string {
  return ((hashOf(id, 1) % 2 ** 19) * 2 ** 32 + hashOf(id)).toString(36).padStart(KEY_LENGTH, '0');
}

export function keysIn(text: string): ReadonlySet<string> {
  return new Set(Array.from({ length: text.length / KEY_LENGTH }, (_, at) => text.substr(at * KEY_LENGTH, KEY_LENGTH)));
}

export function isSame(some: ReadonlySet<string>, ids: readonly string[]): boolean {
  return some.size === ids.length && ids.every(id => some.has(id));
}

export function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const id of some) if (!all.has(id)) return false;
  return true;
}
