import { readInstant } from '../../domain/instant.ts';
import { isoText } from './time.ts';

/** Kind of value of a column. Each store has its own name for it. */
export type ColumnKind = 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'json';

/** A value that its column cannot hold. */
export const MISFIT: unique symbol = Symbol('misfit');

/** The value of a column: for `timestamp` and `date`, a text in ISO 8601 in UTC; for `json`, a value and not a text. */
export type ColumnValue = string | number | boolean | object | null;

/**
 * The value for a column. If a value is of another kind, the result is {@link MISFIT}, because the service may change
 * without notice.
 */
export function fitted(kind: ColumnKind, value: unknown, longest = Infinity): ColumnValue | typeof MISFIT {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value.length <= longest ? value : MISFIT;
    case 'number':
      return numberIn(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : MISFIT;
    case 'date':
    case 'timestamp': {
      const text = typeof value === 'string' ? value : '';
      const instant = readInstant(text);
      if (!instant || instant.date.startsWith('0000')) return MISFIT;
      if (kind === 'timestamp') return usualForm(text) ?? isoText(instant.epochMs) ?? MISFIT;
      return instant.time === null ? instant.date : MISFIT;
    }
    default:
      return value as object;
  }
}

/**
 * The stored form of a time that is in the usual form of the service. It does not need a `Date`, because a pass
 * has many times.
 */
function usualForm(time: string): string | undefined {
  return USUAL_TIME.test(time) ? `${time.slice(0, -1)}.000Z` : undefined;
}

/** The hour 24, which is the hour 0 of the next day, is not accepted. */
const USUAL_TIME = /^.{10}T(?!24)\d\d:\d\d:\d\dZ$/;

function numberIn(value: unknown): number | typeof MISFIT {
  const isDecimal = typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value);
  const number = isDecimal ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : MISFIT;
}
