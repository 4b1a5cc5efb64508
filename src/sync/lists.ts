import type { Query } from '../jsonapi/query.ts';
import type { SyncedType } from './tables/names.ts';

/** A list of the service, with the types of its related records. */
export interface ListSource {
  /** Name of the list in checkpoints and events. */
  readonly name: string;
  readonly type: SyncedType;
  readonly path: string;
  readonly query: Query;
  /** The sort order that is requested if the records of a list change position in the default sort order. */
  readonly sort?: 'created_at';
  /** True if the service counts the records of the list, and if there may be many of them. */
  readonly isCounted: boolean;
  /**
   * Number of records that the service usually sends on a page. For containers, it is smaller than the requested
   * number.
   */
  readonly usualPage: number;
  /** Types of related records that sync looks for in the store. Sync reads the records that the store does not have. */
  readonly expects: readonly SyncedType[];
}

/** Number of records on the largest page that the service sends. */
export const PAGE_SIZE = 100;

const PLACES: readonly SyncedType[] = ['port', 'metro_area', 'terminal', 'rail_terminal', 'vessel'];

const COUNTED: ReadonlySet<SyncedType> = new Set(['container', 'shipment', 'tracking_request', 'document']);

/** Relationships that are included in the responses. Each relationship has the types that its records may have. */
const INCLUDES: Partial<Record<SyncedType, Readonly<Record<string, readonly SyncedType[]>>>> = {
  container: {
    pod_terminal: ['terminal', 'rail_terminal'],
    pickup_facility: ['terminal', 'rail_terminal'],
    transport_events: ['transport_event'],
    'transport_events.location': ['port', 'metro_area'],
    'transport_events.terminal': ['terminal', 'rail_terminal'],
    'transport_events.vessel': ['vessel'],
  },
  shipment: {
    port_of_lading: ['port'],
    port_of_discharge: ['port'],
    pod_terminal: ['terminal', 'rail_terminal'],
    destination: ['port', 'metro_area'],
    destination_terminal: ['terminal', 'rail_terminal'],
  },
  // This include is always sent. Without an include, the service would add the shipments. They are not needed, because
  // they are read from the list of shipments.
  tracking_request: { customer: ['party', 'tracking_request'] },
};

/**
 * The lists that contain the records of some types, in the order in which they are read. Containers are read before
 * shipments. If the store then lacks a container of a shipment, the list of containers did not contain it. The
 * container is then read separately.
 */
export function listsFor(types: ReadonlySet<SyncedType>): ListSource[] {
  const has = (...wanted: SyncedType[]) => wanted.some(type => types.has(type));
  const expecting = (...wanted: SyncedType[]) => [...wanted, ...PLACES].filter(type => types.has(type));
  const list = (type: SyncedType, path: string, expects: readonly SyncedType[] = []): ListSource => ({
    name: path.slice(1),
    type,
    path,
    query: includeQuery(type, types),
    ...(type === 'container' && { sort: 'created_at' }),
    isCounted: COUNTED.has(type),
    usualPage: type === 'container' ? 50 : PAGE_SIZE,
    expects,
  });
  const lists: ListSource[] = [];
  if (has('container', 'transport_event', 'vessel')) lists.push(list('container', '/containers', expecting()));
  if (has('shipment', 'port', 'metro_area', 'terminal', 'rail_terminal')) {
    lists.push(list('shipment', '/shipments', expecting('container')));
  }
  if (has('tracking_request'))
    lists.push(list('tracking_request', '/tracking_requests', expecting('shipment', 'party')));
  if (has('party')) lists.push(list('party', '/parties'));
  if (has('document')) lists.push(list('document', '/documents', expecting('shipment', 'container')));
  if (has('custom_field_definition')) lists.push(list('custom_field_definition', '/custom_field_definitions'));
  if (has('custom_field')) lists.push(...customFieldLists(expecting('custom_field_definition')));
  return lists;
}

/**
 * There is one list for each kind of record, because the service may fail without a filter
 * (docs/service/contradictions.md#list-of-custom-fields).
 */
function customFieldLists(expects: readonly SyncedType[]): ListSource[] {
  return ['Shipment', 'Container', 'TrackingRequest'].map(entity => ({
    name: `custom_fields of ${entity}`,
    type: 'custom_field' as const,
    path: '/custom_fields',
    query: { filter: { entity_type: entity } },
    isCounted: false,
    usualPage: PAGE_SIZE,
    expects,
  }));
}

/** The path of one record, by type. Transport events have no address: they are included with their container. */
export const RECORD_PATHS: Readonly<Record<Exclude<SyncedType, 'transport_event'>, string>> = {
  container: '/containers',
  shipment: '/shipments',
  tracking_request: '/tracking_requests',
  port: '/ports',
  metro_area: '/metro_areas',
  terminal: '/terminals',
  rail_terminal: '/terminals',
  vessel: '/vessels',
  party: '/parties',
  document: '/documents',
  custom_field_definition: '/custom_field_definitions',
  custom_field: '/custom_fields',
};

/**
 * The `include` of a type, limited to these related types. Without an `include`, the response for a single record
 * has no related records.
 */
export function includeQuery(type: SyncedType, types: ReadonlySet<SyncedType>): Query {
  const wanted = new Set<string>();
  for (const [path, leadsTo] of Object.entries(INCLUDES[type] ?? {})) {
    if (!leadsTo.some(related => types.has(related))) continue;
    const segments = path.split('.');
    for (const depth of segments.keys()) wanted.add(segments.slice(0, depth + 1).join('.'));
  }
  return wanted.size > 0 ? { include: [...wanted].join() } : {};
}
