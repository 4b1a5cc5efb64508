import { ConfigurationError } from '../errors.ts';

/** The signing secret of a webhook, or several while one replaces another: each is tried. */
export type SecretList = string | readonly (string | undefined)[];

/** The secrets, or what fetches them for each delivery. */
export type Secrets = SecretList | (() => SecretList | Promise<SecretList>);

/** An empty key would let anybody sign, and the last two are what becomes of a missing variable. */
const NOT_SECRET = ['', 'undefined', 'null'];

/** @throws {ConfigurationError} unless every secret can be one. The message holds no secret. */
export function checkSecrets(secrets: unknown): string[] {
  const list: unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  if (list.length > 0 && list.every(isSecret)) return list;
  throw new ConfigurationError('A webhook secret is missing or empty.');
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && !NOT_SECRET.includes(value.trim());
}
