import { ConfigurationError } from '../errors.ts';

/** The message does not repeat the value, which may be a secret. @throws {ConfigurationError} unless it is a text that is not blank. */
export function checkText(name: string, value: unknown): void {
  if (typeof value === 'string' && value.trim() !== '') return;
  const found = value === undefined ? 'missing' : typeof value === 'string' ? 'blank' : 'no text';
  throw new ConfigurationError(`${name} is ${found}; it must be a text that is not blank.`);
}
