import { ConfigurationError } from '../errors.ts';
import { describeValue, objectArgument } from '../internal/arguments.ts';

/**
 * The value of a query parameter. The items of an array are joined by commas, the names of a nested object are written in
 * brackets, a `Date` is written as ISO 8601, and `null` and `undefined` are left out.
 */
export type QueryValue = string | number | boolean | Date | readonly (string | number)[] | Query | null | undefined;

/**
 * Query parameters. The names of a nested object are written in brackets: both `{ page: { size: 5 } }` and
 * `{ 'page[size]': 5 }` become `page[size]=5`. A name that ends in `[]` is repeated for each item of an array.
 */
export interface Query {
  readonly [name: string]: QueryValue;
}

/**
 * Returns the query string with its `?`, or an empty string if there are no parameters.
 *
 * Brackets are not encoded, because the service ignored an encoded `page[size]` (docs/service/requests.md#queries). Commas
 * are not encoded either, because they separate the items of a list.
 */
export function queryString(query: Query): string {
  const pairs: string[] = [];
  append(pairs, '', query);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Joins two query strings. */
export function joinQueries(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first}&${second.slice(1)}`;
}

function append(pairs: string[], prefix: string, query: Query): void {
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const name = prefix === '' ? parameterName(key) : `${prefix}[${encodeURIComponent(key)}]`;
    if (Array.isArray(value)) {
      if (name.endsWith('[]')) pairs.push(...value.map(item => `${name}=${scalar(name, item)}`));
      else if (value.length > 0) pairs.push(`${name}=${value.map(item => scalar(name, item)).join(',')}`);
    } else if (typeof value === 'object' && !(value instanceof Date)) {
      append(pairs, name, objectArgument(`The query parameter ${name}`, value as Query, "{ number: 'MSCU1234565' }"));
    } else {
      pairs.push(`${name}=${scalar(name, value)}`);
    }
  }
}

/** The encoded name of a parameter. The key may already have brackets, which are not encoded. */
function parameterName(key: string): string {
  return encodeURIComponent(key).replace(/%5B/g, '[').replace(/%5D/g, ']');
}

function scalar(name: string, value: unknown): string {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new ConfigurationError(`The query parameter ${name} is an invalid Date.`);
    return encodeURIComponent(value.toISOString());
  }
  if (typeof value === 'function' || typeof value === 'symbol' || (typeof value === 'object' && value !== null)) {
    throw new ConfigurationError(`The query parameter ${name} is ${describeValue(value)}, which a query cannot hold.`);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ConfigurationError(`The query parameter ${name} is ${value}; it must be a finite number.`);
  }
  try {
    return encodeURIComponent(String(value));
  } catch (cause) {
    throw new ConfigurationError(`The query parameter ${name} is not well-formed text.`, { cause });
  }
}
