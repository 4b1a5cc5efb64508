/** A column: its type in PostgreSQL, and a function that returns its value in a row. */
type GivenColumn<Item> = readonly [type: string, value: (item: Item) => unknown];

/** Rows as parameters of a statement, with their `place` from 1. To read a single row from arrays takes much longer. */
export class GivenRows<Item> {
  readonly sql: string;
  readonly values: unknown[];

  constructor(items: readonly Item[], columns: Readonly<Record<string, GivenColumn<Item>>>) {
    const entries = Object.entries(columns).map(([name, column]) => [`"${name}"`, ...column] as const);
    const [item, ...others] = items;
    if (item && others.length === 0) {
      this.sql = `SELECT ${entries.map(([name, type], index) => `$${index + 1}::${type} AS ${name}`).join(', ')}, 1 AS place`;
      this.values = entries.map(([, , value]) => value(item));
    } else {
      // The planner does not see the lengths of the arrays, and therefore plans the statement only once. See `claim`.
      const arrays = entries.map(([, type], index) => `(SELECT $${index + 1}::${type}[])`);
      this.sql = `SELECT * FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS given (${entries.map(([name]) => name).join(', ')}, place)`;
      this.values = entries.map(([, , value]) => items.map(value));
    }
  }
}
