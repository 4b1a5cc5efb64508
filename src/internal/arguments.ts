import { ConfigurationError } from '../errors.ts';
import { unknownName } from './near-name.ts';

/** Checks of arguments. A caller who does not use the compiler may pass anything. */

/**
 * Accepts only a plain object. The content of a `Map`, a `Date` or an array would be ignored silently.
 *
 * @param example an example of the argument, for the message.
 * @throws {ConfigurationError} unless the value is a plain object.
 */
export function objectArgument<T>(name: string, value: T, example: string): T & object {
  if (/^(Object|Module)$/.test(kindOf(value))) return value as T & object;
  throw new ConfigurationError(`${name} is ${describeValue(value)}; it must be an object such as ${example}.`);
}

/** The names of all options of a type. The compiler makes sure that no name is missing. */
export function optionNames<T>(names: Record<keyof T, true>): readonly (keyof T & string)[] {
  return Object.keys(names) as (keyof T & string)[];
}

/**
 * Copies plain objects and arrays, so that a change that the caller makes after the call has no effect. Other values,
 * such as a signal or a file, are not copied.
 */
export function plainCopy<T>(value: T, depth = 3): T {
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(item => plainCopy(item, depth - 1)) as T;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainCopy(item, depth - 1)])) as T;
}

/** Without this check, a misspelt option would be ignored silently. @throws {ConfigurationError} for an unknown name. */
export function refuseUnknownNames(what: string, given: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue;
    throw unknownName(what, name, known);
  }
}

/**
 * One check for each option of a type. A check returns the value, or the default. The compiler makes sure that no option
 * is missing.
 */
export type Checks<Options> = { readonly [Name in keyof Options]-?: (name: string, value: Options[Name]) => unknown };

type Checked<C> = { [Name in keyof C]: C[Name] extends (...argument: never[]) => infer Value ? Value : never };

/**
 * Checks the options, and fills in the defaults.
 *
 * @param path prefix of the names in messages, such as `rateLimit.`
 * @throws {ConfigurationError} for an unknown name, and for a value that cannot work.
 */
export function checkedOptions<C extends { readonly [name: string]: (name: string, value: never) => unknown }>(
  what: string,
  options: object,
  checks: C,
  path = '',
): Checked<C> {
  refuseUnknownNames(what, options, Object.keys(checks));
  const values = Object.entries(checks).map(([name, check]) => [
    name,
    check(path + name, options[name as keyof typeof options]),
  ]);
  return Object.fromEntries(values) as Checked<C>;
}

export function numberAtLeast(least: number, name: string, value: unknown): number {
  if (typeof value === 'number' && value >= least) return value;
  throw new ConfigurationError(`${name} is ${describeValue(value)}; it must be a number of at least ${least}.`);
}

export function wholeNumber(name: string, value: unknown, least = 1): number {
  if (Number.isInteger(value) && (value as number) >= least) return value as number;
  throw new ConfigurationError(`${name} is ${describeValue(value)}; it must be a whole number of at least ${least}.`);
}

/** A whole number, or `Infinity`. */
export function wholeNumberOrInfinity(least: number, name: string, value: unknown): number {
  return value === Infinity ? value : wholeNumber(name, value, least);
}

/** A duration, or `Infinity`. No timer is longer than 24 days, so a longer duration is most often in the wrong unit. */
export function milliseconds(name: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && (value < 2 ** 31 || value === Infinity)) return value;
  throw new ConfigurationError(`${name} is ${describeValue(value)}; it must be milliseconds above 0, at most 24 days.`);
}

/** @throws {ConfigurationError} unless the value is one of the allowed values. */
export function oneOf<T extends string>(name: string, value: T, allowed: readonly T[]): T {
  if (allowed.includes(value)) return value;
  throw new ConfigurationError(`${name} is ${describeValue(value)}; use one of: ${allowed.join(', ')}.`);
}

/** @throws {ConfigurationError} for a string, and for a value that cannot be iterated over. */
export function iterable<T>(name: string, value: T): T {
  const { [Symbol.asyncIterator]: async, [Symbol.iterator]: sync } = Object(value);
  if (typeof value === 'object' && (typeof async === 'function' || typeof sync === 'function')) return value;
  throw new ConfigurationError(`${name} is ${describeValue(value)}; it must be an array or another iterable.`);
}

/** @throws {ConfigurationError} unless the value is an array of strings that are not blank. */
export function nonBlankStrings(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every(text => typeof text === 'string' && text.trim() !== '')) return value;
  throw new ConfigurationError(`${name} is ${describeValue(value)}; it must be an array of non-blank strings.`);
}

/** @throws {ConfigurationError} unless the value is a string that is not blank. */
export function requiredText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  const fault = typeof value === 'string' ? 'blank' : `${describeValue(value)}; it must be text`;
  throw new ConfigurationError(`${name} is ${value == null ? 'missing' : fault}.`);
}

/** @throws {ConfigurationError} unless the value is a function or `undefined`. */
export function optionalFunction<T>(name: string, value: T): T {
  if (value === undefined || typeof value === 'function') return value;
  throw new ConfigurationError(`${name} is ${describeValue(value)}; it must be a function.`);
}

/** @throws {ConfigurationError} unless the value is an AbortSignal, `undefined` or `null`. */
export function optionalSignal(signal: AbortSignal | null | undefined): AbortSignal | undefined {
  if (signal === undefined || signal === null) return undefined;
  if (typeof signal.addEventListener === 'function' && typeof signal.throwIfAborted === 'function') return signal;
  throw new ConfigurationError(
    `signal is ${describeValue(signal)}; it must be an AbortSignal such as controller.signal.`,
  );
}

/** Describes a value for an error message. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object' || value === null) return String(value);
  const kind = kindOf(value);
  if (kind === 'Date' && !Number.isFinite(Number(value))) return 'an invalid Date';
  return kind === 'Object' ? 'an object' : `a ${kind}`;
}

/** The built-in type of a value, such as `Object`, `Map` or `Null`. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
