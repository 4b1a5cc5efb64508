import { ConfigurationError } from '../errors.ts';

/** The text, where it is one. @throws {ConfigurationError} for what the service would refuse as blank. */
export function filled(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new ConfigurationError(`${name} is ${typeof value === 'string' ? 'blank' : 'missing'}.`);
}
