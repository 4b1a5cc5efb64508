import { getTableColumns, type Many, type One, type Relations, relations, type Table } from 'drizzle-orm';
import type { SyncRelations } from '../generated/columns.ts';
import { describeRelations } from '../tables/relations.ts';

/**
 * The relations of each table, for `db.query`. If the argument of `One` is `false`, drizzle-orm adds `null` to the type
 * of the related row.
 */
export type TableRelations = {
  [From in keyof SyncRelations as `${From}_relations`]: Relations<
    From,
    {
      [Name in keyof SyncRelations[From]]: SyncRelations[From][Name] extends [infer To extends string]
        ? Many<To>
        : One<SyncRelations[From][Name] & string, false>;
    }
  >;
};

/** Makes the relations of tables. The keys of `tables` are the names of the tables in the database. */
export function tableRelations(tables: Readonly<Record<string, Table>>): Record<string, Relations> {
  const all = describeRelations();
  const made = Object.entries(tables).map(([name, table]): [string, Relations] => {
    const own = all.filter(relation => relation.table === name);
    return [
      `${name}_relations`,
      relations(table, ({ one, many }) =>
        Object.fromEntries(
          own.map(({ name, to, column }) => {
            const target = tables[to] as Table;
            const { id } = getTableColumns(target);
            const field = column && getTableColumns(table)[column];
            return [name, field && id ? one(target, { fields: [field], references: [id] }) : many(target)];
          }),
        ),
      ),
    ];
  });
  return Object.fromEntries(made.filter(([name]) => all.some(({ table }) => name === `${table}_relations`)));
}
