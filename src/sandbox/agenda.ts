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
      const index = entries.findLastIndex(entry => entry.at <= at) + 1;
      entries.splice(index, 0, { at, run });
    },
    take(now) {
      const [next] = entries;
      return next !== undefined && next.at <= now ? entries.shift() : undefined;
    },
  };
}
