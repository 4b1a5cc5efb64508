/** Time in ms for which the pages of a list are those of its first page. */
const KEEP_MS = 60_000;

/** Upper bound of the rows of all snapshots of a caller. */
const MAX_ROWS = 20_000;

/** Lists that take many requests, as they were read for their first page: those for the pages after it are not read again. */
export class Snapshots {
  readonly #lists = new Map<string, { list: { rows: readonly unknown[] }; until: number }>();

  /**
   * The list as it was read for an earlier call, if it is kept still, else what `read` gives.
   *
   * @param name the tool and those of its arguments that decide what is read.
   * @param anew true for a call that is not about rows of an earlier call: the list is read.
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

  #size(): number {
    return [...this.#lists.values()].reduce((sum, { list }) => sum + list.rows.length, 0);
  }
}
