import { ConfigurationError } from '../errors.ts';

/**
 * The known name that is nearest to a misspelt name: `pageSize` for `page_size`. At most two letters differ, and at
 * most a third of the letters.
 */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const near = (edits: number) =>
    name.length < 3 * edits ? undefined : known.find(candidate => isWithin(edits, plain(name), plain(candidate)));
  return near(0) ?? near(1) ?? near(2);
}

/** The error for a name that is not among the known names. */
export function unknownName(what: string, name: string, known: readonly string[], kind = ''): ConfigurationError {
  const near = nearName(name, known);
  const hint = near ? `did you mean ${near}? T` : 't';
  return new ConfigurationError(`${what} has no ${kind}${name}; ${hint}here are: ${known.join(', ')}.`);
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** True if the Levenshtein distance is not above the bound. */
function isWithin(edits: number, from: string, to: string): boolean {
  if (from === to) return true;
  const [left, right] = [from.slice(1), to.slice(1)];
  if (from[0] === to[0]) return isWithin(edits, left, right);
  const fewer = edits - 1;
  return edits > 0 && (isWithin(fewer, left, right) || isWithin(fewer, left, to) || isWithin(fewer, from, right));
}
