/** A task and its time. */
interface Entry {
  at: number;
  run(): void;
}

/** What the service has to do later, ordered by time. All times are those of its own clock. */
export interface Agenda {
  /** Entries with the same time run in the order in which they were added. */
  add(at: number, run: () => void): void;
  /** Removes and returns the next entry that is due. */
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

/** The index of the first entry that is later than a time. */
function indexAfter(entries: Entry[], at: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.at ?? at) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
