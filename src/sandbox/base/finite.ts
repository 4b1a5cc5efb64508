import { ConfigurationError } from '../../errors.ts';
import { numberAtLeast } from '../../internal/arguments.ts';

/** @throws {ConfigurationError} unless it is a finite number of at least this. */
export function finiteAtLeast(least: number, name: string, value: unknown): number {
  if (numberAtLeast(least, name, value) < Number.POSITIVE_INFINITY) return value as number;
  throw new ConfigurationError(`${name} must be finite.`);
}
