/** One line of the table: how long something takes in units of something else that ran beside it. */
export interface Ratio {
  group: string;
  name: string;
  /** What it is compared with. */
  against: string;
  ratio: number;
  /** Milliseconds per operation, for orientation: only ratios of one run can be compared. */
  ms: number;
  /** A bound that the project has set itself. */
  limit?: number;
  /** A bound from below, of a control. */
  atLeast?: number;
}

/** The same for what is counted in milliseconds, since what it is compared with is next to nothing. */
export interface Difference {
  group: string;
  name: string;
  against: string;
  difference: number;
  ms: number;
  limit?: number;
}

/** Whether a bound is broken, also by a figure that is none. */
export function isOver(
  figure: number,
  { limit = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY },
): boolean {
  return !(figure <= limit && figure >= atLeast);
}

export function lowerQuartile(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 2] ?? Number.NaN;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export type Contender = { name: string; run: () => unknown | Promise<unknown> };

/**
 * Lets the contenders take turns, so that a slow moment of the machine hits all of them, in another order each time, since
 * one warms the caches for the next; ms per turn, medians. Each turn begins without garbage, unless turns are so short that
 * collecting it would be most of them.
 */
export async function takeTurns(
  contenders: Contender[],
  rounds: number,
  { collect = true }: { collect?: boolean } = {},
): Promise<number[]> {
  const times: number[][] = contenders.map(() => []);
  for (let round = -Math.ceil(rounds / 5); round < rounds; round += 1) {
    for (const [index, { run }] of shuffled([...contenders.entries()])) {
      if (collect) globalThis.gc?.();
      const start = performance.now();
      await run();
      if (round >= 0) times[index]?.push(performance.now() - start);
    }
  }
  return times.map(median);
}

export function shuffled<T>(list: T[]): T[] {
  const keyed = list.map(item => ({ item, key: Math.random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

export function compare(
  group: string,
  contenders: Contender[],
  times: number[],
  limits: Record<string, number> = {},
): Ratio[] {
  const [base, ...others] = contenders;
  const [baseTime = Number.NaN, ...otherTimes] = times;
  return others.map(({ name }, index) => {
    const ms = otherTimes[index] ?? Number.NaN;
    const limit = limits[name];
    return { group, name, against: base?.name ?? '', ratio: ms / baseTime, ms, ...(limit !== undefined && { limit }) };
  });
}
