import { isIdentifier, isRecord, type ResourceIdentifier, type WireResource } from '../jsonapi/document.ts';
import { createEntry, type OrderBy } from '../webhooks/inbox/create-entry.ts';
import type { InboxEntry } from '../webhooks/inbox/inbox.ts';
import { parseNotification } from '../webhooks/notification/parse.ts';
import { keyOf } from './missed.ts';

/**
 * Makes the inbox entry of a missed notification, in the form of a delivery. It contains the event as the service has
 * recorded it, and the current state of the record.
 *
 * @param sent the notification as the service lists it. Its subject is linked.
 * @param record The record; `null` if the service no longer has it, or if the notification names none.
 */
export function deliveryOf(sent: ResourceIdentifier, record: object | null, orderBy: OrderBy | undefined): InboxEntry {
  const resources = new Map<string, WireResource>();
  const data = unlinked(sent, resources);
  // The current record replaces the record in the event, because the record in the event may have fewer attributes.
  if (record && isIdentifier(record)) unlinked(record, resources);
  resources.delete(keyOf(data));
  const { reference_object, document } = data.relationships ?? {};
  const about = reference_object?.data ?? document?.data;
  const isRecorded = isIdentifier(about) && resources.has(keyOf(about));
  Object.assign(data.attributes as object, { recovered: isRecorded ? 'event' : 'record' });
  const body = new TextEncoder().encode(JSON.stringify({ data, included: [...resources.values()] }));
  return createEntry(parseNotification(body), body, orderBy);
}

/**
 * The resource of a linked record, as it is on the wire. This resource, and the resources of its linked records, are
 * added to `resources`.
 */
function unlinked(record: ResourceIdentifier, resources: Map<string, WireResource>): WireResource {
  const { type, id, ...fields } = record as ResourceIdentifier & Record<string, unknown>;
  const attributes: Record<string, unknown> = {};
  const relationships: NonNullable<WireResource['relationships']> = {};
  const resource: WireResource = { type, id, attributes, relationships };
  resources.set(keyOf(resource), resource);
  for (const [name, value] of Object.entries(fields)) {
    const related = [value].flat();
    if (value === undefined || name === 'links' || name === 'meta') continue;
    if (related.length === 0 || !related.every(isIdentifier)) attributes[name] = value;
    else relationships[name] = { data: Array.isArray(value) ? related.map(refOf) : refOf(related[0]) };
    for (const each of related) if (isWhole(each) && !resources.has(keyOf(each))) unlinked(each, resources);
  }
  return resource;
}

function refOf(value: unknown): ResourceIdentifier {
  const { type, id } = value as ResourceIdentifier;
  return { type, id };
}

/** True for a record, false for a reference. */
function isWhole(value: unknown): value is ResourceIdentifier {
  return isIdentifier(value) && isRecord(value) && Object.keys(value).length > 2;
}
