import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Difference, Ratio, Requests, Spread } from './measure.ts';

/** The figures that the documentation cites. Each run replaces the groups that it measured. */
export const RESULTS = resolve(import.meta.dirname, '../../docs/reference/benchmarks.json');

export interface Figure {
  /** The id in the marker of a page: title, name and base of the figure. */
  id: string;
  title: string;
  name: string;
  against?: string;
  value: number;
  unit: '×' | 'ms' | 'KiB';
  spread?: Spread;
  /** The upper bound that the project has chosen. */
  limit?: number;
  /** The lower bound that the project has chosen, for a control. */
  atLeast?: number;
  /** Time of one operation in ms, for orientation. */
  ms?: number;
  /** The two numbers of requests in the ratio, and the minimum number that a client needs. */
  requests?: Pick<Requests, 'before' | 'now' | 'least'>;
}

export interface Group {
  /** The version of Node. */
  node: string;
  cpus: number;
  figures: Figure[];
}

/** The size of a bundle, in bytes. */
interface Size {
  name: string;
  gzip: number;
  limit: number;
}

export type Results = Record<string, Group>;

export function readResults(): Results {
  return JSON.parse(readFileSync(RESULTS, 'utf8')) as Results;
}

export function writeResults(results: Results): void {
  const text = JSON.stringify(results, null, 2).replace(/\[\s+([-\d.]+),\s+([-\d.]+)\s+\]/g, '[$1, $2]');
  writeFileSync(RESULTS, `${text}\n`);
}

/** Returns the results in the order of `names`: the measured groups, and the old results of the other groups. */
export function merged(
  before: Results,
  measured: Record<string, readonly Figure[]>,
  names: readonly string[],
  machine = { node: process.versions.node, cpus: availableParallelism() },
): Results {
  const results: Results = {};
  for (const name of names) {
    const figures = measured[name];
    const group = figures ? { ...machine, figures: [...figures] } : before[name];
    if (group) results[name] = group;
  }
  return results;
}

export function figureOf(measured: Ratio | Difference | Size | Requests): Figure {
  if ('gzip' in measured) {
    const title = 'minified and gzipped';
    const { name, gzip, limit } = measured;
    return { id: idOf(title, name), title, name, value: round(gzip / 1024), unit: 'KiB', limit: round(limit / 1024) };
  }
  if ('before' in measured) {
    const { group: title, name, against, before, now, least, limit } = measured;
    const requests = { before: Math.round(before), now: Math.round(now), least };
    const bound = limit === undefined ? {} : { limit };
    return { id: idOf(title, name), title, name, against, value: round(now / before), unit: '×', ...bound, requests };
  }
  const { group: title, name, against, limit, spread, ms } = measured;
  return {
    id: idOf(title, name, against),
    title,
    name,
    against,
    value: round('ratio' in measured ? measured.ratio : measured.difference),
    unit: 'ratio' in measured ? '×' : 'ms',
    ...(spread && { spread: [round(spread[0]), round(spread[1])] }),
    ...(limit !== undefined && { limit: round(limit) }),
    ...('atLeast' in measured && { atLeast: measured.atLeast }),
    ms: Number(ms.toPrecision(3)),
  };
}

/** True if a figure is outside its bounds, or is not a number. */
export function isOver({ value, limit = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }: Figure) {
  return !(value <= limit && value >= atLeast);
}

function idOf(...parts: string[]): string {
  return parts
    .map(part =>
      part
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, ''),
    )
    .join('/');
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
