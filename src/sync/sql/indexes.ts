import { quote, quoteAll } from '../../internal/sql.ts';
import { INDEXES } from '../tables/indexed.ts';
import { type SyncedType, TABLE_NAMES } from '../tables/names.ts';
import type { Dialect } from './dialect.ts';

/** Lists whose elements are searched: the user's references and labels. */
const ELEMENTS: { readonly [T in SyncedType]?: readonly string[] } = {
  shipment: ['ref_numbers', 'tags'],
  container: ['ref_numbers'],
};

export function indexes(dialect: Dialect): string[] {
  const { name, elementsIndex } = dialect;
  const of = <T>(entries: { readonly [Type in SyncedType]?: readonly T[] }) =>
    Object.entries(entries).flatMap(([type, items]) =>
      items.map(item => ({ table: TABLE_NAMES[type as SyncedType], item })),
    );
  return [
    ...of(INDEXES).map(
      ({ table, item }) => `CREATE INDEX ${quote(`${table}_${item.join('_')}`)} ON ${name(table)} (${quoteAll(item)})`,
    ),
    ...(elementsIndex
      ? of(ELEMENTS).map(({ table, item }) => elementsIndex(`${table}_${item}_elements`, table, item))
      : []),
  ];
}
