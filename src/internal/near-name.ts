/** Upper bound for the number of letters that may differ between a name and the intended name; 1 for a short name. */
const MOST_EDITS = 2;

/** The known name that is nearest to a misspelt name. */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const most = name.length > MOST_EDITS + 1 ? MOST_EDITS : 1;
  const near = known.map(candidate => [candidate, edits(name, candidate)] as const).filter(([, n]) => n <= most);
  return near.sort(([, a], [, b]) => a - b)[0]?.[0];
}

/** The Levenshtein distance. */
function edits(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > MOST_EDITS) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
