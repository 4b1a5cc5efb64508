/** A value to sort by. Records without one come last, in both directions. */
export type SortValue = string | number | null | undefined;

interface Column<F> {
  value(facts: F): SortValue;
  isDescending: boolean;
}

/** The columns that `sort` names, at most as many as `most`. Unknown tokens are left out. */
export function columnsOf<F>(
  sort: string | null,
  values: ReadonlyMap<string, (facts: F) => SortValue>,
  most: number,
): Column<F>[] {
  return (sort ?? '')
    .split(',')
    .flatMap(token => {
      const isDescending = token.startsWith('-');
      const value = values.get(isDescending ? token.slice(1) : token);
      return value === undefined ? [] : [{ value, isDescending }];
    })
    .slice(0, most);
}

/** The records in the order of the columns. Equal ones stay as they are. */
export function inOrder<T, F>(records: readonly T[], columns: readonly Column<F>[], factsOf: (record: T) => F): T[] {
  const entries = records.map(record => {
    const facts = factsOf(record);
    return { record, values: columns.map(({ value }) => value(facts) ?? null) };
  });
  entries.sort((a, b) => {
    for (const [index, { isDescending }] of columns.entries()) {
      const order = compare(a.values[index] ?? null, b.values[index] ?? null, isDescending);
      if (order !== 0) return order;
    }
    return 0;
  });
  return entries.map(({ record }) => record);
}

function compare(a: string | number | null, b: string | number | null, isDescending: boolean): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b === isDescending ? 1 : -1;
}
