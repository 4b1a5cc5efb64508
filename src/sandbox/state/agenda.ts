interface Entry {
  at: number;
  run(): void;
}

/** What the service will do at times of its own clock. */
export interface Agenda {
  /** Entries of the same time come in the order in which they were added. */
  add(at: number, run: () => void): void;
  /** Takes the next entry that is due. */
  take(now: number): Entry | undefined;
}

export function createAgenda(): Agenda {
  const entries: Entry[] = [];
  return {
    add(at, run) {
      entries.splice(indexAfter(entries, at), 0, { at, run });
    },
    take(now) {
      const [next] = entries;
      return next !== undefined && next.at <= now ? entries.shift() : undefined;
    },
  };
}

/** Where the entries that are later than a time begin. */
function indexAfter(entries: Entry[], at: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.at ?? at) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
