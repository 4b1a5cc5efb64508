import { isDeepStrictEqual } from 'node:util';

// biome-ignore lint/suspicious/noExplicitAny: wire resources hold anything
type Resource = any;

/** Reads a path of the service, such as `/containers/a`. */
export type Read = (path: string) => Promise<{ status: number; body: Resource }>;

/** Records of the service by `<type> <id>`, each as attributes and references. */
export type Truth = Map<string, Record<string, unknown>>;

const LISTS = [
  '/containers?include=transport_events,transport_events.location,transport_events.terminal,transport_events.vessel,pod_terminal,pickup_facility',
  '/shipments?include=port_of_lading,port_of_discharge,pod_terminal,destination,destination_terminal',
  '/tracking_requests?include=customer',
  '/parties?',
  '/documents?',
  '/custom_field_definitions?',
  '/custom_fields?filter[entity_type]=Shipment',
  '/custom_fields?filter[entity_type]=Container',
];

const PLACES = new Set(['port', 'metro_area', 'terminal', 'rail_terminal', 'vessel']);
const KEPT = new Set([
  ...PLACES,
  ...['shipment', 'container', 'transport_event', 'tracking_request', 'party', 'document'],
  ...['custom_field_definition', 'custom_field'],
]);

/** Reads over a socket, with plain `fetch`. */
export function readOver(baseUrl: string, apiKey = 'sandbox'): Read {
  return async path => {
    const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Token ${apiKey}` } });
    return { status: response.status, body: await response.json() };
  };
}

/** Everything that the service has, read page by page. The clock of the service should not advance meanwhile. */
export async function truthOf(read: Read): Promise<Truth> {
  const truth: Truth = new Map();
  for (const list of LISTS) {
    for (let page = 1; ; page += 1) {
      const { body } = await read(`${list}&page[size]=50&page[number]=${page}`);
      for (const resource of [...body.data, ...(body.included ?? [])]) {
        truth.set(`${resource.type} ${resource.id}`, flat(resource));
      }
      if (body.data.length < 50) break;
    }
  }
  return truth;
}

/** The record of a place or a vessel that no list includes. */
async function placeOf(read: Read, type: string, id: string): Promise<Record<string, unknown> | undefined> {
  const path = { port: 'ports', metro_area: 'metro_areas', vessel: 'vessels' }[type] ?? 'terminals';
  const { status, body } = await read(`/${path}/${id}`);
  return status === 200 ? flat(body.data) : undefined;
}

function flat({ id, type, attributes, relationships = {}, links, meta }: Resource): Record<string, unknown> {
  const record = { ...attributes };
  for (const [name, value] of Object.entries<Resource>(relationships)) {
    if (value?.data !== undefined) record[name] = value.data;
  }
  return { ...record, id, type, ...(links && { links }), ...(meta && { meta }) };
}

/**
 * The differences between the stored records and the records of the service: missing records, extra records, and
 * different fields. The clock of the service should not advance meanwhile. Places that the lists do not include are
 * added to `truth`.
 *
 * @param stored Records by `<type> <id>`; `null` for a record that is marked as deleted.
 */
export async function recordDifferences(
  read: Read,
  truth: Truth,
  stored: ReadonlyMap<string, object | null>,
  ofTypes: (type: string) => boolean = () => true,
): Promise<string[]> {
  const found: string[] = [];
  for (const [key, record] of truth) {
    if (!ofTypes(String(record.type)) || !KEPT.has(String(record.type))) continue;
    const kept = stored.get(key);
    if (kept) found.push(...differingFields(key, kept, record));
    else found.push(`${key} is ${kept === null ? 'deleted' : 'missing'}`);
  }
  for (const [key, record] of stored) {
    const [type = '', id = ''] = key.split(' ');
    if (record === null || truth.has(key) || !ofTypes(type)) continue;
    const place = PLACES.has(type) ? await placeOf(read, type, id) : undefined;
    if (place) {
      truth.set(key, place);
      found.push(...differingFields(key, record, place));
    } else found.push(`${key} is extra`);
  }
  return found;
}

function differingFields(key: string, kept: object, expected: Record<string, unknown>): string[] {
  const stored = kept as Record<string, unknown>;
  const names = new Set([...Object.keys(stored), ...Object.keys(expected)]);
  return [...names]
    .filter(name => !isDeepStrictEqual(stored[name], expected[name]))
    .map(name => `${key} ${name}: ${JSON.stringify(stored[name])} is ${JSON.stringify(expected[name])} in the service`);
}
