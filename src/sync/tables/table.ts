import { ATTRIBUTE_KINDS } from '../../model/generated/attribute-kinds.ts';
import { LINKED_TYPES } from '../../model/generated/linked-types.ts';
import { RELATIONSHIPS } from '../../model/generated/relationships.ts';
import { DERIVED } from './derived.ts';
import { isIndexed, LONGEST_INDEXED } from './indexed.ts';
import type { ColumnKind } from './kind.ts';
import { SYNCED_TYPES, type SyncedType, TABLE_NAMES } from './names.ts';

/** A column that is filled from the record. Every table also has the columns of {@link BOOKKEEPING}. */
export interface Column {
  name: string;
  kind: ColumnKind;
  /** Upper bound for the characters of a text. */
  longest?: number;
  /** Meaning of a column, if the description of the service does not have it. */
  doc?: string;
  /** The value, which is not checked yet. The record is canonical. */
  from(record: CanonicalRecord): unknown;
}

/** A record whose relationships are references. */
export type CanonicalRecord = Readonly<Record<string, unknown>>;

/** The table of one record type. */
export interface Table {
  type: SyncedType;
  name: string;
  columns: readonly Column[];
  /** Names of the relationships. */
  relationships: ReadonlySet<string>;
}

/**
 * `id`: id of the record. `record`: the whole record. `as_of`: the time at which the service had this content; empty if
 * only the deletion of the record is known. `deleted_at`: the last time at which the service certainly did not have the
 * record.
 */
export const BOOKKEEPING = ['id', 'record', 'as_of', 'deleted_at'] as const;

/** The tables, made from the description of the service: each attribute in the description becomes a column. */
export function describeTables(): readonly Table[] {
  return SYNCED_TYPES.map(describeTable);
}

function describeTable(type: SyncedType): Table {
  const attributes: Readonly<Record<string, ColumnKind>> = ATTRIBUTE_KINDS[type];
  const relationships: Readonly<Record<string, 'one' | 'many'>> = RELATIONSHIPS[type];
  return {
    type,
    name: TABLE_NAMES[type],
    relationships: new Set(Object.keys(relationships)),
    columns: [
      ...Object.entries(attributes).map(([name, kind]) => ({
        name,
        kind,
        from: (record: CanonicalRecord) => record[name],
      })),
      ...Object.entries(relationships).flatMap(([name, count]) =>
        count === 'many' ? [idsColumn(name)] : referenceColumns(name, isMixed(type, name)),
      ),
      ...(DERIVED[type] ?? []),
    ].map(column => (isIndexed(type, column.name) ? { ...column, longest: LONGEST_INDEXED } : column)),
  };
}

/**
 * True if the relationship needs a column for types in addition to the column for ids. `tracked_object` has had a
 * column for types since the first version.
 */
function isMixed(type: SyncedType, relationship: string): boolean {
  const linked: Readonly<Record<string, readonly string[]>> = LINKED_TYPES[type];
  return (linked[relationship]?.length ?? 0) > 1 || relationship === 'tracked_object';
}

function idsColumn(name: string): Column {
  return {
    name,
    kind: 'json',
    from: ({ [name]: linked }) => (Array.isArray(linked) ? linked.map(reference => reference?.id) : linked),
  };
}

function referenceColumns(name: string, withType: boolean): Column[] {
  const part = (key: 'id' | 'type'): Column => ({
    name: `${name}_${key}`,
    kind: 'text',
    from: ({ [name]: linked }) => (isObject(linked) ? linked[key] : linked),
  });
  return withType ? [part('id'), part('type')] : [part('id')];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
