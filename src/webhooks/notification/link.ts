import {
  isIdentifier,
  isRecord,
  type ResourceIdentifier,
  type WireDocument,
  type WireResource,
} from '../../jsonapi/document.ts';
import type { Notification } from './notification.ts';

type FlatRecord = Record<string, unknown> & ResourceIdentifier;
type Relationships = WireResource['relationships'];

/** What can be the subject of an event, for a notification that does not name it (api/README.md, D-102). */
const SUBJECT_TYPE = /_event$|^tracking_request$/;

/**
 * The notification as a record: flat like every other, its subject linked one level deep, as on the endpoints of the API,
 * and what came along as flat records. So it has no cycles. The attributes objects of the document become the records.
 *
 * The linker of the client follows any tree and reports what is missing: for this one shape it is four times the size.
 */
export function linkNotification({ data, included }: WireDocument<WireResource>): Notification {
  const notification = flatten(data);
  const name = notification.document ? 'document' : 'reference_object';
  const named = notification[name];

  const records: FlatRecord[] = [];
  let subject: FlatRecord | undefined;
  let links: Relationships;
  for (const resource of Array.isArray(included) ? included : []) {
    if (!isIdentifier(resource)) continue;
    const record = flatten(resource);
    records.push(record);
    if (isIdentifier(named) ? isSame(resource, named) : SUBJECT_TYPE.test(resource.type)) {
      subject = record;
      links = resource.relationships;
    }
  }
  notification.included = records;
  if (subject) notification[name] = linked(subject, links, records);
  for (const type of ['container', 'shipment', 'tracking_request']) {
    const concerned = recordConcerned(type, notification[name], records);
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
  record.id = id;
  record.type = type;
  if (links) record.links = links;
  if (meta) record.meta = meta;
  return record as FlatRecord;
}

/** A copy of the record whose relationships are the records that they point to, where those came along. */
function linked(flat: FlatRecord, relationships: Relationships, records: FlatRecord[]): FlatRecord {
  const record = { ...flat };
  const follow = (target: unknown) => (isIdentifier(target) && find(target, records)) || target;
  for (const name in relationships) {
    const data = relationships[name]?.data;
    // Not one that is named like `id` or `type`.
    if (data && record[name] === data) record[name] = Array.isArray(data) ? data.map(follow) : follow(data);
  }
  return record;
}

/** The record of a type that the event is about or points to; where it names none, the only one that came along. */
function recordConcerned(type: string, subject: unknown, records: FlatRecord[]): FlatRecord | undefined {
  const named = isRecord(subject) && (subject.type === type ? subject : subject[type]);
  if (isIdentifier(named)) return find(named, records);
  const candidates = records.filter(record => record.type === type);
  return candidates.length === 1 ? candidates[0] : undefined;
}

function find(target: ResourceIdentifier, records: FlatRecord[]): FlatRecord | undefined {
  return records.find(record => isSame(record, target));
}

function isSame(one: ResourceIdentifier, other: ResourceIdentifier): boolean {
  return one.id === other.id && one.type === other.type;
}
