import type { SyncRow, SyncStore, WriteResult } from '../store.ts';

/** Checks without a test framework. */

export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what}: ${is ?? 'undefined'}, expected ${should ?? 'undefined'}`);
}

export async function expectRejection(what: string, work: () => Promise<unknown>): Promise<void> {
  let outcome: unknown;
  try {
    outcome = await work();
  } catch {
    return;
  }
  throw new Error(`${what}: resolved with ${JSON.stringify(outcome)}, expected a rejection`);
}

/** Checks the numbers of a result. Numbers that are not named must be 0. */
export function expectCounts(
  what: string,
  { written, unchanged, stale, ties }: WriteResult,
  expected: { written?: number; unchanged?: number; stale?: number; ties?: number },
): void {
  expectEqual(
    what,
    { written, unchanged, stale, ties: ties.length },
    { written: 0, unchanged: 0, stale: 0, ties: 0, ...expected },
  );
}

/**
 * Checks that the store has exactly these rows: it writes them again, and expects no change. For a deleted row, pass
 * the deletion, the content, or both.
 */
export async function expectStored(what: string, store: SyncStore, ...rows: SyncRow[]): Promise<void> {
  for (const row of rows) {
    const id = `${what}: ${row.type} ${row.id} as of ${row.asOf}`;
    // `missing()` is called first, because `write()` adds a row that is missing.
    expectEqual(`${id} is missing`, await store.missing([row]), []);
    expectCounts(id, await store.write({ rows: [row] }), { unchanged: 1 });
  }
}

/** True if the record is in the table and not deleted. */
export async function isLive(store: SyncStore, { type, id }: SyncRow): Promise<boolean> {
  for (let after = ''; ; ) {
    const ids = await store.unseen(type, { before: Date.UTC(9000, 0), after, limit: 100 });
    if (ids.includes(id)) return true;
    const last = ids.at(-1);
    if (last === undefined) return false;
    after = last;
  }
}
