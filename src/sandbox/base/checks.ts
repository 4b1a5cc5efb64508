import { ConfigurationError } from '../../errors.ts';
import { numberAtLeast } from '../../internal/arguments.ts';

/** Returns the value. If a value is missing, the sandbox has a bug. */
export function defined<T>(value: T | null | undefined): T {
  if (value === undefined || value === null)
    throw new Error('The sandbox has a bug: a value that it needs is missing.');
  return value;
}

/** @throws {ConfigurationError} unless `value` is a finite number of at least `least`. */
export function finiteAtLeast(least: number, name: string, value: unknown): number {
  if (numberAtLeast(least, name, value) < Infinity) return value as number;
  throw new ConfigurationError(`${name} must be finite.`);
}

/** True if a text can be the name of a header. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(text);
}

/** True if a text can be the value of a header: one line of Latin letters. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** True if a host name always means this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.*\.)?localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
}
