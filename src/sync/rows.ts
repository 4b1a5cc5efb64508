import { isIdentifier, isRecord, type WireDocument } from '../jsonapi/document.ts';
import { NOTHING_INCLUDED } from '../jsonapi/include.ts';
import { Linker } from '../jsonapi/link.ts';
import type { Context } from './context.ts';
import type { DueRead, SyncRef, SyncRow } from './store.ts';
import { isStorableId } from './tables/canonical.ts';
import { isSyncedType, type SyncedType } from './tables/names.ts';

/** A record as it is stored: its attributes, with the type and id of each related record. */
export type PlainRecord = Record<string, unknown> & { id: string; type: string };

/** The row of a record that the service has. */
export interface LiveRow extends SyncRow {
  record: PlainRecord;
}

/** The rows of a response, of the requested types: the primary records and the included records. */
export function rowsOf(
  document: WireDocument,
  asOf: number,
  { types, emit }: Pick<Context, 'types' | 'emit'>,
): LiveRow[] {
  const { data, included } = document;
  const linker = new Linker(document, { asked: false });
  const rows: LiveRow[] = [];
  for (const resource of [data, included].flat()) {
    // The service may send a resource without attributes. Such a resource is only a reference, and is not stored.
    if (!isIdentifier(resource) || !isRecord(resource.attributes)) continue;
    const { type, id } = resource;
    if (!isSyncedType(type) || !types.has(type)) continue;
    if (!isStorableId(id)) {
      emit({ type: 'skipped', record: { type, id }, error: new Error('Stores cannot store this id.') });
      continue;
    }
    rows.push({ type, id, asOf, record: linker.record(resource, NOTHING_INCLUDED) });
  }
  return rows;
}

/**
 * The records that the rows refer to, if they have one of these types. Each record occurs once. A record that is one of
 * the rows is left out.
 */
export function referencesOf(rows: readonly LiveRow[], types: readonly SyncedType[]): SyncRef[] {
  const found = new Map<string, SyncRef>();
  if (types.length === 0) return [];
  for (const { record } of rows) {
    for (const name in record) {
      for (const target of [record[name]].flat()) {
        // An attribute may look like a reference. In that case, the service has no record with this id, and responds
        // 404 to a read.
        if (!isReference(target) || !types.includes(target.type)) continue;
        found.set(keyOf(target), { type: target.type, id: target.id });
      }
    }
  }
  for (const row of rows) found.delete(keyOf(row));
  return [...found.values()];
}

function isReference(value: unknown): value is SyncRef {
  return isIdentifier(value) && isSyncedType(value.type) && isStorableId(value.id) && Object.keys(value).length <= 3;
}

export function keyOf({ type, id }: { type: string; id: string }): string {
  return `${type} ${id}`;
}

type DueRef = Pick<DueRead, 'type' | 'id'>;

/** The due reads for records. Transport events have no address, so their container is read instead. */
export function dueReads(refs: readonly DueRef[], since: number, rows: readonly LiveRow[] = []): DueRead[] {
  const due = new Map<string, DueRead>();
  for (const ref of refs) {
    const target = ref.type === 'transport_event' ? containerOf(ref, rows) : ref;
    if (target) due.set(keyOf(target), { ...target, since, token: crypto.randomUUID() });
  }
  return [...due.values()];
}

function containerOf(event: DueRef, rows: readonly LiveRow[]): SyncRef | undefined {
  const key = keyOf(event);
  for (const { type, id, record } of rows) {
    if (keyOf({ type, id }) === key && isIdentifier(record.container))
      return { type: 'container', id: record.container.id };
    const events = type === 'container' && record.transport_events;
    if (Array.isArray(events) && events.some(other => isIdentifier(other) && keyOf(other) === key)) {
      return { type: 'container', id };
    }
  }
  return undefined;
}
