interface Entry {
  at: number;
  run(at: number): void;
}

/** What the service will do at a time of its own clock. Nothing runs by itself: whoever looks at the state settles first. */
export interface Agenda {
  /** Entries of the same time run in the order in which they were added. */
  add(at: number, run: (at: number) => void): void;
  /** Runs what is due, in the order of time, including what that adds. */
  settle(now: number): void;
}

export function createAgenda(): Agenda {
  const entries: Entry[] = [];
  return {
    add(at, run) {
      const index = entries.findLastIndex(entry => entry.at <= at) + 1;
      entries.splice(index, 0, { at, run });
    },
    settle(now) {
      let entry = entries[0];
      while (entry !== undefined && entry.at <= now) {
        entries.shift();
        entry.run(entry.at);
        entry = entries[0];
      }
    },
  };
}
