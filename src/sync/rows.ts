import { isIdentifier, isRecord, type WireDocument } from '../jsonapi/document.ts';
import { NOTHING_INCLUDED } from '../jsonapi/include.ts';
import { Linker } from '../jsonapi/link.ts';
import type { Context } from './context.ts';
import type { DueRead, SyncRef, SyncRow } from './store.ts';
import { isStorableId } from './tables/canonical.ts';
import { isSyncedType, type SyncedType } from './tables/names.ts';

/** A record as it is stored: its attributes, with type and id of its related records. */
export type PlainRecord = Record<string, unknown> & { id: string; type: string };

/** A row whose record the service has. */
export interface LiveRow extends SyncRow {
  record: PlainRecord;
}

/** The rows of a response: its own records and those that came with them, of the wanted types. */
export function rowsOf(
  document: WireDocument,
  asOf: number,
  { types, emit }: Pick<Context, 'types' | 'emit'>,
): LiveRow[] {
  const { data, included } = document;
  const linker = new Linker(document, { asked: false });
  const rows: LiveRow[] = [];
  for (const resource of [data, included].flat()) {
    // The service may send a resource by its id alone.
    if (!isIdentifier(resource) || !isRecord(resource.attributes)) continue;
    const { type, id } = resource;
    if (!isSyncedType(type) || !types.has(type)) continue;
    if (!isStorableId(id)) {
      emit({ type: 'skipped', record: { type, id }, error: new Error('Its id is one that no store can keep.') });
      continue;
    }
    rows.push({ type, id, asOf, record: linker.record(resource, NOTHING_INCLUDED) });
  }
  return rows;
}

/** The records of some types that rows refer to, each once, without those that are among the rows. */
export function referencesOf(rows: readonly LiveRow[], types: readonly SyncedType[]): SyncRef[] {
  const found = new Map<string, SyncRef>();
  if (types.length === 0) return [];
  for (const { record } of rows) {
    for (const name in record) {
      for (const target of [record[name]].flat()) {
        // Attributes may look like references too. No record has their id, so a read of it ends in a 404.
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

/** Makes records due. Transport events have no address, so their container is read in their place. */
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
