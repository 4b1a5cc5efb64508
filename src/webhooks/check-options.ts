import { ConfigurationError } from '../errors.ts';

/**
 * @throws {ConfigurationError} unless each option is a number of at least 1 that a timer can hold, or `Infinity`. With
 * `whole`, each option must be an integer.
 */
export function checkNumbers(options: Record<string, unknown>, whole = false): void {
  for (const [name, value] of Object.entries(options) as [string, number][]) {
    const fits = value === (whole ? value | 0 : Math.min(value, 2 ** 31 - 1)) || (!whole && value === Infinity);
    if (!(fits && value >= 1))
      throw new ConfigurationError(
        `${name} is ${value}; it must be ${whole ? 'an integer' : 'a number'} from 1 to 2 ** 31 - 1.`,
      );
  }
}

/** @throws {ConfigurationError} for a value that cannot be the name of a header. */
export function checkHeaderName(name: string | undefined): void {
  if (!/^[\w.-]+$/.test(name ?? '-')) throw new ConfigurationError(`header is "${name}".`);
}

/**
 * @param maker the function whose result has the method, for the message.
 * @throws {ConfigurationError} unless the option has the method.
 */
export function checkMethod(name: string, option: unknown, method: string, maker = ''): void {
  if (typeof Object(option)[method] !== 'function')
    throw new ConfigurationError(
      option ? `${name} has no method ${method}().` : `${name} is missing. ${maker} makes one.`,
    );
}
