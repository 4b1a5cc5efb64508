import { nearName, unknownName } from '../../internal/near-name.ts';
import { isIdentifier, isRecord, type WireDocument, type WireResource } from '../../jsonapi/document.ts';
import { type IncludedType, SAMPLE_ATTRIBUTES } from '../../model/generated/events.ts';

/** The body of a delivery. */
export type FakeDelivery = WireDocument<WireResource> & { data: WireResource };

type Flat = Record<string, unknown>;

/** The names of the included records in a notification. */
const RECORDS = new Set(['container', 'shipment', 'tracking_request']);
/** Members of a resource that are neither attributes nor relationships. */
const MEMBERS = new Set(['type', 'links', 'meta']);

/**
 * Replaces values of a delivery by the values of a notification. A notification is flat. Therefore this function finds
 * the place of each value in the delivery: the attribute, the relationship or the included record.
 *
 * @param identify Makes the reference to a record that the delivery does not include.
 */
export function override(
  delivery: FakeDelivery,
  over: object,
  identify: (type: string) => { id: string; type: string },
): void {
  for (const [name, value] of Object.entries(over)) {
    if (name === 'included') delivery.included = (value as Flat[]).map(resourceOf);
    else if (RECORDS.has(name)) setRecord(name, value);
    else {
      refuseNearMiss(name);
      setMember(delivery.data, name, value);
    }
  }

  /** Another name may be an attribute that this version does not know. */
  function refuseNearMiss(name: string): void {
    const { attributes, relationships } = delivery.data;
    const known = ['id', 'included', ...RECORDS, ...MEMBERS, ...Object.keys({ ...attributes, ...relationships })];
    if (!known.includes(name) && nearName(name, known)) throw unknownName('The notification', name, known);
  }

  function setRecord(type: string, value: unknown): void {
    const found = delivery.included?.find(resource => resource.type === type);
    if (isRecord(value)) setMembers(found ?? include(identify(type)), value);
    else if (found) delivery.included = delivery.included?.filter(resource => resource !== found) ?? [];
  }

  function setMembers(resource: WireResource, values: Flat): WireResource {
    for (const [name, value] of Object.entries(values)) setMember(resource, name, value);
    return resource;
  }

  function setMember(resource: WireResource, name: string, value: unknown): void {
    const related = resource.relationships?.[name]?.data;
    if (name === 'id') rename(resource, String(value));
    else if (MEMBERS.has(name)) Object.assign(resource, { [name]: value });
    else if (related !== undefined || isIdentifier(value)) relate(resource, name, value);
    else resource.attributes = merged(resource.attributes, { [name]: value });
  }

  function relate(resource: WireResource, name: string, value: unknown): void {
    const before = resource.relationships?.[name]?.data;
    if (!isRecord(value)) {
      resource.relationships = { ...resource.relationships, [name]: { data: value as null } };
      return;
    }
    const reference = isIdentifier(before) ? { ...before } : identify(String(value.type ?? name));
    resource.relationships = { ...resource.relationships, [name]: { data: reference } };
    const found = delivery.included?.find(({ id, type }) => id === reference.id && type === reference.type);
    const isOnlyReference = Object.keys(value).every(key => key === 'id' || key === 'type');
    if (!found && isOnlyReference) Object.assign(reference, value);
    else setMembers(found ?? include(reference), value);
  }

  function include({ id, type }: { id: string; type: string }): WireResource {
    const resource = { id, type, attributes: { ...SAMPLE_ATTRIBUTES[type as IncludedType] } };
    delivery.included = [...(delivery.included ?? []), resource];
    return resource;
  }

  /** Changes the id of a resource, and also changes this id in the references to the resource. */
  function rename(resource: WireResource, id: string): void {
    for (const { relationships = {} } of [delivery.data, ...(delivery.included ?? [])]) {
      for (const reference of Object.values(relationships).flatMap(relationship => relationship?.data ?? [])) {
        if (reference.id === resource.id && reference.type === resource.type) reference.id = id;
      }
    }
    resource.id = id;
    if (resource.attributes && 'id' in resource.attributes) resource.attributes.id = id;
  }

  function resourceOf({ id, type, ...rest }: Flat): WireResource {
    return setMembers({ id: String(id), type: String(type), attributes: {} }, rest);
  }
}

/** Objects are merged at any depth; a list is replaced as a whole. */
function merged(target: Flat | undefined, over: Flat): Flat {
  const result = { ...target };
  for (const [key, value] of Object.entries(over)) {
    const current = result[key];
    result[key] = isRecord(current) && isRecord(value) ? merged(current, value) : value;
  }
  return result;
}
