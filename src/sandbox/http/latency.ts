import { ConfigurationError } from '../../errors.ts';
import { describeValue, oneOf, optionNames, refuseUnknownNames } from '../../internal/arguments.ts';
import { finiteAtLeast } from '../base/checks.ts';
import { createRandom } from '../base/random.ts';

/** A distribution of latencies by its quantiles, in ms. Between two quantiles the latency grows linearly. */
export interface LatencyDistribution {
  /** Half of the responses are faster. No response takes less than half of this time. */
  p50: number;
  /** 95 of 100 responses are faster. @default `p50` */
  p95?: number | undefined;
  /** 99 of 100 responses are faster. The slowest response takes 1.5 times this value. @default `p95` */
  p99?: number | undefined;
}

const DISTRIBUTIONS = {
  fast: { p50: 30, p95: 80, p99: 150 },
  typical: { p50: 150, p95: 500, p99: 1200 },
  slow: { p50: 800, p95: 2500, p99: 6000 },
  erratic: { p50: 60, p95: 3000, p99: 15_000 },
} as const;

/** The name of a distribution: `fast` (p50 30 ms, p99 150 ms), `typical` (150, 1200), `slow` (800, 6000) or `erratic` (60, 15 000). */
export type LatencyName = keyof typeof DISTRIBUTIONS;

/** The duration of a response in ms. */
export type Latency = number | readonly [min: number, max: number] | LatencyDistribution | LatencyName | (() => number);

/** @throws {ConfigurationError} for a value that is out of range, and a name that does not exist. */
export function checkLatency(latency: Latency = 0): void {
  if (typeof latency === 'function') return;
  if (typeof latency === 'string') {
    oneOf('latency', latency, Object.keys(DISTRIBUTIONS) as LatencyName[]);
  } else if (typeof latency === 'object' && latency !== null && !isRange(latency)) {
    refuseUnknownNames('latency', latency, optionNames<LatencyDistribution>({ p50: true, p95: true, p99: true }));
    const { p50, p95 = p50, p99 = p95 } = latency;
    let least = 0;
    for (const [name, value] of Object.entries({ p50, p95, p99 })) {
      least = finiteAtLeast(least, `latency.${name}`, value);
    }
  } else {
    const [min, max, ...more] = typeof latency === 'number' ? [latency, latency] : (latency ?? [undefined]);
    if (more.length > 0) {
      throw new ConfigurationError(
        `latency is ${describeValue(latency)}; it must be a number, [min, max], { p50, p95, p99 }, a name or a function.`,
      );
    }
    finiteAtLeast(finiteAtLeast(0, 'latency', min), 'latency', max);
  }
}

const isRange = (latency: object): latency is readonly [number, number] => Array.isArray(latency);

/**
 * The latency of each request. It depends on the seed and on the sequence number of the request, so a second run has
 * the same latencies.
 */
export function createLatency(latency: Latency = 0, seed: number): (request: number) => number {
  if (typeof latency === 'number') return () => latency;
  if (typeof latency === 'function') return () => finiteAtLeast(0, 'The result of the function for latency', latency());
  const drawn = (request: number) => createRandom(seed, 'latency', request);
  if (typeof latency === 'object' && isRange(latency)) return request => drawn(request).between(...latency);
  const distribution = typeof latency === 'string' ? DISTRIBUTIONS[latency] : latency;
  return request => quantile(distribution, drawn(request).next());
}

/** This share of the responses is not slower than the resulting latency. The share is from 0 to 1. */
function quantile({ p50, p95 = p50, p99 = p95 }: LatencyDistribution, share: number): number {
  const points = [
    [0, p50 / 2],
    [0.5, p50],
    [0.95, p95],
    [0.99, p99],
    [1, p99 * 1.5],
  ] as const;
  const above = points.findIndex(([at]) => share < at);
  const [from, low] = points[above - 1] ?? points[0];
  const [to, high] = points[above] ?? points[0];
  return low + ((share - from) / (to - from)) * (high - low);
}
