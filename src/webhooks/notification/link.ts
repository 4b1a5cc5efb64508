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

/** The types that can be the subject of an event, for a notification that does not name its subject. */
const SUBJECT_TYPE = /_event$|^tracking_request$/;

/**
 * The notification as a flat record. Its subject is linked one level deep, as on the endpoints of the API. The included
 * records are flat, so there are no cycles. The `attributes` objects of the document become the records, so the
 * document is changed.
 *
 * The linker of the client, which can follow any include tree, is four times as large.
 */
export function linkNotification({ data, included }: WireDocument<WireResource>): Notification {
  const notification = flatten(data);
  // The service sends the document of an event as `document` or as `reference_object`. In the result, it is always
  // `document`.
  const { reference_object: about } = notification;
  if (isIdentifier(about) && about.type === 'document') {
    notification.document ??= about;
    delete notification.reference_object;
  }
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
    const record = recordOfType(type, notification[name], records);
    if (record) notification[type] = record;
  }
  return notification as unknown as Notification;
}

/**
 * Sets the attributes, then the relationships as references, then the names that attributes and relationships must not
 * overwrite.
 */
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

/** A copy of the record with linked relationships: each included record replaces its reference. */
function linked(flat: FlatRecord, relationships: Relationships, records: FlatRecord[]): FlatRecord {
  const record = { ...flat };
  const follow = (target: unknown) => (isIdentifier(target) && find(target, records)) || target;
  for (const name in relationships) {
    const data = relationships[name]?.data;
    // If a relationship is named `id` or `type`, the id or type has overwritten this relationship. Therefore the
    // relationship is not linked.
    if (data && record[name] === data) record[name] = Array.isArray(data) ? data.map(follow) : follow(data);
  }
  return record;
}

/**
 * The record of a type: the subject of the event, or a record that the subject refers to. Otherwise the only included
 * record of the type.
 */
function recordOfType(type: string, subject: unknown, records: FlatRecord[]): FlatRecord | undefined {
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
