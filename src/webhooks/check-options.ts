import { ConfigurationError } from '../errors.ts';

/** @throws {ConfigurationError} unless each is a number from 1 on; a whole one, of 32 bits, where that is asked. */
export function checkNumbers(options: Record<string, unknown>, whole = false): void {
  for (const [name, value] of Object.entries(options) as [string, number][]) {
    const fits = whole ? value === (value | 0) : typeof value === 'number';
    if (!(fits && value >= 1)) throw new ConfigurationError(`${name} cannot be ${value}.`);
  }
}

/** @throws {ConfigurationError} unless the option has the method. */
export function checkMethod(name: string, option: unknown, method: string): void {
  if (typeof Object(option)[method] !== 'function') throw new ConfigurationError(`${name} must have ${method}().`);
}
