import { isIdentifier, isRecord, type ResourceIdentifier } from '../jsonapi/document.ts';

/** The types of records that can be watched. */
const WATCHABLE: readonly string[] = ['container', 'shipment', 'tracking_request'];

/** The containers, shipments and tracking requests that a notification names. */
export function subjectsOf(notification: object): ResourceIdentifier[] {
  const { reference_object, included } = notification as Record<string, unknown>;
  const subject = isRecord(reference_object) ? reference_object : {};
  const sent = Array.isArray(included) ? included : [];
  const named = [subject, ...Object.values(subject), ...Object.values(notification), ...sent];
  const found = new Map<string, ResourceIdentifier>();
  for (const record of named.filter(isIdentifier)) {
    if (WATCHABLE.includes(record.type)) found.set(`${record.type} ${record.id}`, record);
  }
  return [...found.values()];
}
