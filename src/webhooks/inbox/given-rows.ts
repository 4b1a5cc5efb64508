/** A column: its type in PostgreSQL, and a function that returns its value in a row. */
type GivenColumn<Item> = readonly [type: string, value: (item: Item) => unknown];

/**
 * Rows as parameters of a statement, with their `place` from 1: the SQL that selects them, and the values of its
 * parameters. It takes much longer to read a single row from arrays.
 */
export function givenRows<Item>(
  items: readonly Item[],
  columns: Readonly<Record<string, GivenColumn<Item>>>,
): { sql: string; values: unknown[] } {
  const entries = Object.entries(columns).map(([name, column]) => [`"${name}"`, ...column] as const);
  const [item, ...others] = items;
  if (item && others.length === 0) {
    const columnsOfRow = entries.map(([name, type], index) => `$${index + 1}::${type} AS ${name}`);
    return { sql: `SELECT ${columnsOfRow.join(', ')}, 1 AS place`, values: entries.map(([, , value]) => value(item)) };
  }
  // The planner does not see the lengths of the arrays, and therefore plans the statement only once. See `claim`.
  const arrays = entries.map(([, type], index) => `(SELECT $${index + 1}::${type}[])`);
  const names = entries.map(([name]) => name);
  return {
    sql: `SELECT * FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS given (${names.join(', ')}, place)`,
    values: entries.map(([, , value]) => items.map(value)),
  };
}
