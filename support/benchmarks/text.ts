import type { Figure } from './results.ts';

/** The formats of a figure: in the table, in a plot, or between markers in a page. */
export const FORMATS = {
  /** `1.08 ×`, `3.2 ms`, `26.30 KiB`. */
  value: format,
  /** `6.9 times`, for a ratio below 1. */
  faster: ({ value }: Figure) => `${(1 / value).toFixed(1)} times`,
  /** `8 %`, the part above the base. */
  more: ({ value }: Figure) => `${Math.round((value - 1) * 100)} %`,
  /** The time of one operation, for orientation. */
  ms: ({ ms = Number.NaN }: Figure) => `${ms} ms`,
  /** Numbers of requests: the number of the earlier release, the number of this release, and the needed minimum. */
  before: figure => count(figure, 'before'),
  now: figure => count(figure, 'now'),
  least: figure => count(figure, 'least'),
  limit: ({ limit = Number.NaN, unit }: Figure) => number(limit, unit),
} satisfies Record<string, (figure: Figure) => string>;

function count({ requests }: Figure, which: keyof NonNullable<Figure['requests']>): string {
  return (requests?.[which] ?? Number.NaN).toLocaleString('en-US');
}

export function format({ value, unit }: Figure): string {
  return number(value, unit);
}

export function number(value: number, unit: Figure['unit']): string {
  return `${value.toFixed(unit === 'ms' ? 1 : 2)} ${unit}`;
}
