import type { LoggedRequest } from '../state/changes.ts';

/** The latest requests, the oldest first. */
export interface RequestLog {
  readonly entries: readonly LoggedRequest[];
  /** @returns How many requests there were before, those included that are not kept any more. */
  add(request: LoggedRequest): number;
  /** How many requests there were, those included that are not kept any more. */
  count: number;
}

export function createLog(keep = 10_000): RequestLog {
  const entries: LoggedRequest[] = [];
  return {
    entries,
    count: 0,
    add(request) {
      entries.push(request);
      if (entries.length > keep) entries.shift();
      return this.count++;
    },
  };
}
