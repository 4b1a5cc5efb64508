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
    let hash = 0x811c9dc5;
    for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
    // Without this, the sums of ids that differ by their last characters would often be equal.
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    count += 1;
    sum = (sum + (hash ^ (hash >>> 16))) >>> 0;
  }
  return { count, sum, moved };
}

export function isSame(some: ReadonlySet<string>, ids: readonly string[]): boolean {
  return some.size === ids.length && ids.every(id => some.has(id));
}

export function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const id of some) if (!all.has(id)) return false;
  return true;
}
