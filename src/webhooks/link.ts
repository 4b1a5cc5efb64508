import {
  isIdentifier,
  isRecord,
  type ResourceIdentifier,
  type WireDocument,
  type WireResource,
} from '../jsonapi/document.ts';
import type { Notification } from './notification.ts';

type FlatRecord = Record<string, unknown> & ResourceIdentifier;

/** What can be the subject of an event, for a notification that does not name it (api/README.md, D-102). */
const SUBJECT_TYPE = /_event$|^tracking_request$/;

/**
 * The notification as a record: flat like every other, its subject linked one level deep, as on the endpoints of the API,
 * and what came along as flat records. So it has no cycles. The attributes objects of the document become the records.
 *
 * The linker of the client follows any tree and reports what is missing: for this one shape it is four times the size.
 */
export function linkNotification({ data, included }: WireDocument<WireResource>): Notification {
  const resources = Array.isArray(included) ? included.filter(item => isIdentifier(item)) : [];
  const records = resources.map(flatten);
  const notification = flatten(data);

  if (!notification.reference_object && !notification.document) {
    const unnamed = resources.findLast(({ type }) => SUBJECT_TYPE.test(type));
    if (unnamed) notification.reference_object = unnamed;
  }
  for (const name of ['reference_object', 'document']) {
    const index = indexOf(notification[name], resources);
    const record = records[index];
    if (record) notification[name] = { ...record, ...followed(resources[index]?.relationships, records) };
  }
  notification.included = records;
  for (const type of ['container', 'shipment', 'tracking_request']) {
    const concerned = recordConcerned(type, notification.reference_object, records);
    if (concerned) notification[type] = concerned;
  }
  return notification as unknown as Notification;
}

/** Attributes, then relationships as references, then what neither may shadow. */
function flatten({ id, type, attributes, relationships, links, meta }: WireResource): FlatRecord {
  const record = isRecord(attributes) ? attributes : {};
  for (const name in relationships) {
    const data = relationships[name]?.data;
    if (data !== undefined) record[name] = data;
  }
  return Object.assign(record, { id, type }, links && { links }, meta && { meta });
}

/** Relationships with the records they point to, where those came along. */
function followed(relationships: WireResource['relationships'], records: FlatRecord[]): Record<string, unknown> {
  const follow = (target: unknown) => records[indexOf(target, records)] ?? target;
  const linked: Record<string, unknown> = {};
  for (const name in relationships) {
    const data = relationships[name]?.data;
    if (data !== undefined) linked[name] = Array.isArray(data) ? data.map(follow) : follow(data);
  }
  return linked;
}

function indexOf(target: unknown, list: ResourceIdentifier[]): number {
  return isIdentifier(target) ? list.findIndex(({ type, id }) => type === target.type && id === target.id) : -1;
}

/** The record of a type that the event is about or points to; where it names none, the only one that came along. */
function recordConcerned(type: string, subject: unknown, records: FlatRecord[]): FlatRecord | undefined {
  const candidates = records.filter(record => record.type === type);
  const named = isIdentifier(subject) && subject.type === type ? subject : (subject as FlatRecord | undefined)?.[type];
  return isIdentifier(named)
    ? candidates[indexOf(named, candidates)]
    : candidates.length === 1
      ? candidates[0]
      : undefined;
}
