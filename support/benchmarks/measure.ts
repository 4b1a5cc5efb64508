/**
 * One line of the table: the duration of a contender, as a multiple of the duration of another contender in the same
 * run.
 */
export interface Ratio {
  group: string;
  name: string;
  /** The base of the comparison. */
  against: string;
  ratio: number;
  /** Milliseconds per operation, for orientation: only ratios of one run can be compared. */
  ms: number;
  /** Missing if the two measurements of the ratio did not alternate. */
  spread?: Spread;
  /** The upper bound that the project has chosen. */
  limit?: number;
  /** Lower bound, for a control. */
  atLeast?: number;
}

/** Bounds of the middle half of the rounds. */
export type Spread = [low: number, high: number];

/** The difference of two contenders in ms, for a comparison whose base is nearly zero. */
export interface Difference {
  group: string;
  name: string;
  against: string;
  difference: number;
  ms: number;
  spread: Spread;
  limit?: number;
}

/** Requests that a program makes in an hour, with an earlier release of this package and with this release. */
export interface Requests {
  group: string;
  name: string;
  /** The earlier release. */
  against: string;
  before: number;
  now: number;
  /** The minimum number of requests that a client needs. */
  least: number;
  /** The upper bound of `now / before` that the project has chosen. */
  limit?: number;
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

/** The bounds of the middle half of the values. */
export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const cut = sorted.length >> 2;
  return [sorted[cut] ?? Number.NaN, sorted[sorted.length - 1 - cut] ?? Number.NaN];
}

export type Contender = { name: string; run: () => unknown | Promise<unknown> };

/**
 * Runs the contenders alternately, and returns the time of each turn in ms. A short slowdown of the machine then
 * affects all contenders. The order is different each time, because a contender warms the caches for the next
 * contender. Garbage is collected before each turn, unless turns are so short that the collection would take most of
 * the time.
 */
export async function takeTurns(
  contenders: Contender[],
  rounds: number,
  { collect = true }: { collect?: boolean } = {},
): Promise<number[][]> {
  const times: number[][] = contenders.map(() => []);
  for (let round = -Math.ceil(rounds / 5); round < rounds; round += 1) {
    for (const [index, { run }] of shuffled([...contenders.entries()])) {
      if (collect) globalThis.gc?.();
      const start = performance.now();
      await run();
      if (round >= 0) times[index]?.push(performance.now() - start);
    }
  }
  return times;
}

/**
 * Upper bound of the noise: the allowed distance from 1, for the ratio of the control and for each end of its spread.
 */
const NOISE = 0.15;

/**
 * Repeats the measurement as long as the control shows that the machine was busy with something else. The control is
 * the ratio that has a lower bound (`atLeast`).
 * If all attempts were disturbed, the result is the attempt with the least noise.
 */
export async function steadily(attempts: number, measure: () => Promise<Ratio[]>): Promise<Ratio[]> {
  let best: Ratio[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const ratios = await measure();
    const noise = noiseOf(ratios);
    if (best.length === 0 || noise < noiseOf(best)) best = ratios;
    const { group, ratio, atLeast = 0, limit = 0 } = controlOf(ratios);
    if (ratio >= atLeast && ratio <= limit && noise <= NOISE) return ratios;
    console.error(`${group}: the control is ${ratio.toFixed(2)}, and its spread ${noise.toFixed(2)} to one side.`);
  }
  return best;
}

/** The median of each figure over several runs. A single run may be wrong even if the control is within its bounds. */
export function medianOfRuns(runs: Ratio[][]): Ratio[] {
  const [first = []] = runs;
  return first.map((ratio, index) => {
    const over = (figure: (ratio: Ratio) => number) => median(runs.map(run => figure(run[index] ?? ratio)));
    const [low, high] = [0, 1].map(end => over(({ ratio, spread }) => spread?.[end] ?? ratio)) as Spread;
    return { ...ratio, ratio: over(({ ratio }) => ratio), ms: over(({ ms }) => ms), spread: [low, high] };
  });
}

function noiseOf(ratios: Ratio[]): number {
  const { ratio, spread = [ratio, ratio] } = controlOf(ratios);
  return Math.max(...[ratio, ...spread].map(value => Math.abs(value - 1)));
}

function controlOf(ratios: Ratio[]): Ratio {
  const control = ratios.find(({ atLeast }) => atLeast !== undefined);
  if (!control) throw new Error('There is no control.');
  return control;
}

export function shuffled<T>(list: T[]): T[] {
  const keyed = list.map(item => ({ item, key: Math.random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Compares the other contenders with the first contender. A spread is the spread of the ratios within each round. */
export function compare(
  group: string,
  contenders: Pick<Contender, 'name'>[],
  times: number[][],
  { limits = {}, middle = median }: { limits?: Record<string, number>; middle?: (values: number[]) => number } = {},
): Ratio[] {
  const [base, ...others] = contenders;
  const [baseTimes = [], ...otherTimes] = times;
  return others.map(({ name }, index) => {
    const own = otherTimes[index] ?? [];
    const ms = middle(own);
    const spread = spreadOf(own.map((time, round) => time / (baseTimes[round] ?? Number.NaN)));
    const limit = limits[name];
    const ratio = ms / middle(baseTimes);
    return { group, name, against: base?.name ?? '', ratio, ms, spread, ...(limit !== undefined && { limit }) };
  });
}
