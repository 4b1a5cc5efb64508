import { ConfigurationError } from '../errors.ts';

/** The known name that is nearest to a misspelt name: `pageSize` for `page_size` or `pagesise`. At most every third letter may differ, and two of a long name. */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const most = Math.min(2, name.length / 3);
  const distances = known.map(candidate => edits(plain(name), plain(candidate), most));
  const least = Math.min(...distances);
  return least <= most ? known[distances.indexOf(least)] : undefined;
}

/** The error for a name that is not among the known names. */
export function unknownName(what: string, name: string, known: readonly string[], kind = ''): ConfigurationError {
  const near = nearName(name, known);
  const hint = near ? `did you mean ${near}? There` : 'there';
  return new ConfigurationError(`${what} has no ${kind}${name}; ${hint} are: ${known.join(', ')}.`);
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** The Levenshtein distance; `Infinity` if it is above the bound. */
function edits(from: string, to: string, most: number): number {
  if (from === to) return 0;
  if (most < 1) return Number.POSITIVE_INFINITY;
  const [left, right] = [from.slice(1), to.slice(1)];
  if (from[0] === to[0]) return edits(left, right, most);
  const ways = [edits(left, right, most - 1), edits(left, to, most - 1), edits(from, right, most - 1)];
  return 1 + Math.min(...ways);
}
