/**
 * Time in ms for which a stored list is used. The list is read when its first page is requested, and is then also used
 * for later pages.
 */
const KEEP_MS = 60_000;

/** Upper bound for the number of rows in all snapshots of a caller. */
const MAX_ROWS = 20_000;

/**
 * Stores lists that need many requests. A list is read when its first page is requested, and the stored list is used
 * for the later pages.
 */
export class Snapshots {
  readonly #lists = new Map<string, { list: { rows: readonly unknown[] }; until: number }>();

  /**
   * The stored list of an earlier call, if it is still kept. Otherwise, the result of `read`.
   *
   * @param name the tool and the arguments that affect which records are read.
   * @param anew true to read the list again, for a call that does not continue an earlier call.
   */
  async list<List extends { rows: readonly unknown[] }>(
    name: object,
    { anew, now }: { anew: boolean; now: Date },
    read: () => Promise<List>,
  ): Promise<List> {
    const key = JSON.stringify(Object.entries(name).sort());
    for (const [name, { until }] of this.#lists) if (until < now.getTime()) this.#lists.delete(name);
    const known = anew ? undefined : this.#lists.get(key);
    if (known) return known.list as List;
    const list = await read();
    this.#lists.delete(key);
    this.#lists.set(key, { list, until: now.getTime() + KEEP_MS });
    for (const name of this.#lists.keys()) if (this.#size() > MAX_ROWS) this.#lists.delete(name);
    return list;
  }

  clear(): void {
    this.#lists.clear();
  }

  #size(): number {
    return [...this.#lists.values()].reduce((sum, { list }) => sum + list.rows.length, 0);
  }
}
