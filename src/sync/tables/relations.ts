import { LINKED_TYPES } from '../../model/generated/linked-types.ts';
import { RELATIONSHIPS } from '../../model/generated/relationships.ts';
import { isSyncedType, SYNCED_TYPES, type SyncedType, TABLE_NAMES } from './names.ts';

/** A relation between two tables, by the column of ids that leads to the related row. */
export interface TableRelation {
  name: string;
  /** Name of the table that the relation starts from. */
  table: string;
  /** Name of the table of the related rows. */
  to: string;
  /**
   * The column of `table` that has the id of the one related row. If it is missing, several rows of `to` have the id of
   * this row.
   */
  column?: string;
}

/** The relations that columns define. A list of ids defines a relation only if the listed rows refer back. */
export function describeRelations(): readonly TableRelation[] {
  return SYNCED_TYPES.flatMap(type => [...toOne(type), ...toMany(type)]);
}

/** A relationship to records of several types becomes a relation to each of their tables. */
function toOne(type: SyncedType): TableRelation[] {
  return relationshipsOf(type, 'one').flatMap(([name, types]) =>
    types.filter(isSyncedType).map(target => ({
      name: types.length === 1 ? name : `${name}_as_${target}`,
      table: TABLE_NAMES[type],
      to: TABLE_NAMES[target],
      column: `${name}_id`,
    })),
  );
}

function toMany(type: SyncedType): TableRelation[] {
  return relationshipsOf(type, 'many').flatMap(([name, [target = '', ...others]]) => {
    if (!isSyncedType(target) || others.length > 0) return [];
    const back = relationshipsOf(target, 'one').filter(([, types]) => types.length === 1 && types[0] === type);
    // If two relationships refer back, it is not known which of them belongs to the list.
    return back.length === 1 ? [{ name, table: TABLE_NAMES[type], to: TABLE_NAMES[target] }] : [];
  });
}

function relationshipsOf(type: SyncedType, count: 'one' | 'many'): [name: string, types: readonly string[]][] {
  const linked: Readonly<Record<string, readonly string[]>> = LINKED_TYPES[type];
  const counts: Readonly<Record<string, 'one' | 'many'>> = RELATIONSHIPS[type];
  return Object.keys(counts)
    .filter(name => counts[name] === count)
    .map(name => [name, linked[name] ?? []]);
}
