import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import { unknownName } from '../internal/near-name.ts';
import type { SortRules } from '../model/filter-rules.ts';

/** The value of `sort`. @throws {ConfigurationError} for a token that the service would ignore. */
export function sortValue(operation: string, given: unknown, { tokens, alone, most, refused }: SortRules): string {
  const list = Array.isArray(given) ? given : [given];
  const known = [...tokens.flatMap(token => [token, `-${token}`]), ...alone];
  for (const token of list) {
    if (typeof token !== 'string') {
      throw new ConfigurationError(`${operation}: sort is ${describeValue(token)}; it must be text.`);
    }
    const reason = refused && Object.hasOwn(refused, token) ? refused[token] : undefined;
    if (reason !== undefined) throw new ConfigurationError(`${operation}: sort cannot be ${token}. ${reason}`);
    if (!known.includes(token)) throw unknownName(`${operation}: sort`, token, known);
  }
  if (list.length === 0) throw new ConfigurationError(`${operation}: sort is empty; leave it out.`);
  if (list.length > most) {
    throw new ConfigurationError(`${operation}: sort has ${list.length} tokens; the service reads only ${most}.`);
  }
  const single = list.length > 1 && list.find(token => alone.includes(token));
  if (single) throw new ConfigurationError(`${operation}: sort: ${single} cannot be combined with other tokens.`);
  const columns = list.map(token => token.replace('-', ''));
  const twice = columns.find((column, index) => columns.indexOf(column) < index);
  if (twice) throw new ConfigurationError(`${operation}: sort has ${twice} twice.`);
  return list.join(',');
}
