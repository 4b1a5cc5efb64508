import { ConfigurationError } from '../../errors.ts';
import { describeValue } from '../../internal/arguments.ts';

const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A time in the form that every store uses. Texts in this form sort like their times. `undefined` outside the years 1
 * to 9999.
 */
export function isoText(epochMs: unknown): string | undefined {
  const isTime = typeof epochMs === 'number' && epochMs >= FIRST && epochMs <= LAST;
  return isTime ? new Date(epochMs).toISOString() : undefined;
}

/** @throws {ConfigurationError} for a value that is not a time. */
export function timeText(name: string, epochMs: unknown): string {
  const text = isoText(epochMs);
  if (text !== undefined) return text;
  throw new ConfigurationError(`${name} is ${describeValue(epochMs)}; it must be a time in ms since 1970.`);
}
