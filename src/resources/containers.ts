import type { FieldOf } from '../feed/change.ts';
import type { Feed, WatchOptions } from '../feed/options.ts';
import { requiredText } from '../internal/arguments.ts';
import { includeTree } from '../jsonapi/include.ts';
import { requestDocument } from '../jsonapi/serialize.ts';
import type {
  Container,
  ContainerCounts,
  ContainerFilter,
  ContainerInclude,
  ContainerSort,
  ContainerUpdate,
  MapFeatureCollection,
  RawEvent,
  RefreshResult,
  Route,
  TransportEvent,
  TransportEventInclude,
} from '../model/index.ts';
import type { Open } from '../model/scalars.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import type { Transport } from '../transport/transport.ts';
import { CustomFieldsOf } from './custom-fields-of.ts';
import { PartyRolesOf } from './party-roles-of.ts';
import {
  type AnyInclude,
  INCLUDE,
  type IncludePaths,
  type ListParameters,
  type PossibleIncludes,
  Resource,
  type WithInclude,
  type WithOptionalInclude,
} from './resource.ts';

/** Options of `containers.list`. */
export interface ContainerListOptions extends ListOptions {
  /** Only containers that match all of these filters. */
  filter?: ContainerFilter | undefined;
  /**
   * The sort order, by up to three columns. With `null`, the service decides: the last refreshed container comes first.
   * @default 'created_at'
   */
  sort?: ContainerSort | null | undefined;
}

/** Options of `containers.summary`. */
export interface ContainerSummaryOptions extends Pick<ContainerListOptions, 'filter'>, RequestOptions {
  /** The column to count by. A service may have more columns than these. */
  group_by: Open<'current_status' | 'pod_terminal' | 'shipping_line' | 'port_of_discharge'>;
}

const LIST: ListParameters<ContainerListOptions & AnyInclude> = { filter: true, sort: true, include: true };
const SUMMARY = { filter: true, group_by: true } as const;

/** The relationships that the service includes with raw events by default. */
export interface RawEventDefaults extends ReadonlyArray<'location' | 'vessel' | 'terminal'> {}

/** The relationships that the service includes with a route by default. */
export interface RouteDefaults
  extends ReadonlyArray<
    | 'route_locations'
    | 'route_locations.location'
    | 'route_locations.facility'
    | 'route_locations.inbound_vessel'
    | 'route_locations.outbound_vessel'
  > {}

const RAW_EVENT_TREE = includeTree(['location', 'vessel', 'terminal']);
const ROUTE_TREE = includeTree([
  'route_locations.location',
  'route_locations.facility',
  'route_locations.inbound_vessel',
  'route_locations.outbound_vessel',
]);

/**
 * True if the call uses the default sort order. If the list continues from a checkpoint of an earlier version, the sort
 * order of that version is used.
 */
function takesDefaultOrder(options: ContainerListOptions | undefined): boolean {
  const { sort, query, from } = options ?? {};
  return sort === undefined && query?.sort === undefined && (!from || /sort=/.test(from.list));
}

/** Containers of the account. Each record is one container on one journey. */
export class Containers extends Resource {
  /** The values of custom fields on one container. */
  declare readonly customFields: CustomFieldsOf;
  /** The roles that parties have on one container. */
  declare readonly partyRoles: PartyRolesOf;

  constructor(transport: Transport) {
    super(transport);
    this.customFields = new CustomFieldsOf(transport, 'containers', path`/containers`);
    this.partyRoles = new PartyRolesOf(transport, 'containers', path`/containers`);
  }

  /**
   * All containers, by default 30 per page, at most 50. Each page is one request. The oldest containers come first.
   * With `sort: null`, the last refreshed container comes first, so a container can move to a page that was already
   * read.
   *
   * @example
   * const page = await client.containers.list({ filter: { number: 'MSCU1234565' }, include: ['shipment'] });
   */
  list<const P extends IncludePaths<ContainerInclude>>(
    options: ContainerListOptions & WithInclude<P>,
  ): List<Container<P>>;
  list<const P extends IncludePaths<ContainerInclude> | undefined = undefined>(
    options?: ContainerListOptions & WithOptionalInclude<P>,
  ): List<Container<PossibleIncludes<P>>>;
  list(options?: ContainerListOptions & AnyInclude): List<never> {
    return this.fetchList({
      operation: 'containers.list',
      type: 'container',
      path: path`/containers`,
      parameters: LIST,
      query: () => (takesDefaultOrder(options) ? { sort: 'created_at' } : {}),
      options,
    });
  }

  /**
   * The number of containers for each value of one column, in one request. A service from before November 2026 does not have
   * this endpoint, and responds with 404.
   *
   * @throws {NotFoundError} if the service does not have the endpoint.
   * @example
   * const { data } = await client.containers.summary({ group_by: 'pod_terminal' });
   * for (const { label, count } of data) console.log(label ?? 'not known', count);
   */
  summary(options: ContainerSummaryOptions): APIPromise<ContainerCounts> {
    return this.fetchJson({
      operation: 'containers.summary',
      path: path`/containers/summary`,
      parameters: SUMMARY,
      query: () => ({ group_by: requiredText('group_by', options?.group_by) }),
      options,
    });
  }

  /**
   * One container. With `include`, the related records are in the same response.
   *
   * @throws {NotFoundError} if the container does not exist.
   * @example
   * const container = await client.containers.get(id, { include: ['shipment', 'transport_events'] });
   * for (const { name, local } of milestones(container)) console.log(name, local.text);
   */
  get<const P extends IncludePaths<ContainerInclude>>(
    id: string,
    options: RequestOptions & WithInclude<P>,
  ): APIPromise<Container<P>>;
  get<const P extends IncludePaths<ContainerInclude> | undefined = undefined>(
    id: string,
    options?: RequestOptions & WithOptionalInclude<P>,
  ): APIPromise<Container<PossibleIncludes<P>>>;
  get(id: string, options?: RequestOptions & AnyInclude): APIPromise<never> {
    return this.fetchOne({
      operation: 'containers.get',
      type: 'container',
      path: path`/containers/${id}`,
      parameters: INCLUDE,
      options,
    });
  }

  /**
   * An endless iteration over the changes of all containers, or only of the containers in `ids`. Each item is one
   * changed field. The containers are read repeatedly, with the part of the request budget that other calls do not use.
   * The containers are compared with the previous reading. The first reading yields each container as `appeared`.
   *
   * Store `feed.checkpoint` after each item, or the small `checkpoint` of each item. To continue in another process,
   * pass the checkpoint as `from`: each change is yielded once. Several changes between two readings of a container are
   * one change.
   *
   * @throws {ConfigurationError} when the first item is requested: for options that cannot work.
   * @throws {AuthenticationError} and every other permanent error. After a temporary error, the feed yields an item of the kind
   * `unread`, and continues.
   * @example
   * const feed = client.containers.watch({ where: c => c.pod_arrived_at === null, every: 600_000, from: await load() });
   * for await (const change of feed) {
   *   if (change.kind === 'changed' && change.field === 'pickup_lfd') await notify(change.record.number, change.after);
   *   await save(feed.checkpoint);
   * }
   */
  watch<const P extends IncludePaths<ContainerInclude>, F extends FieldOf<Container> = FieldOf<Container>>(
    options: WatchOptions<Container<P>, F> & WithInclude<P>,
  ): Feed<Container<P>, F>;
  watch<
    const P extends IncludePaths<ContainerInclude> | undefined = undefined,
    F extends FieldOf<Container> = FieldOf<Container>,
  >(
    options?: WatchOptions<Container<PossibleIncludes<P>>, F> & WithOptionalInclude<P>,
  ): Feed<Container<PossibleIncludes<P>>, F>;
  watch(options?: object): Feed<never> {
    return this.feed('container', options);
  }

  /**
   * Replaces the references of a container.
   *
   * @throws {NotFoundError} if the container does not exist.
   */
  update(id: string, attributes: ContainerUpdate, options?: RequestOptions): APIPromise<Container> {
    const body = () => requestDocument('container', attributes, { id });
    return this.fetchOne({
      operation: 'containers.update',
      type: 'container',
      method: 'PATCH',
      path: path`/containers/${id}`,
      body,
      options,
    });
  }

  /**
   * The verified events of a container, including estimates and changes of deadlines. The event that was recorded last comes
   * first: `milestones()` sorts events by time. `include: ['transport_events']` on `containers.get` returns the same events
   * without a separate request.
   *
   * @throws {NotFoundError} if the container does not exist.
   */
  transportEvents<const P extends IncludePaths<TransportEventInclude>>(
    id: string,
    options: ListOptions & WithInclude<P>,
  ): List<TransportEvent<P>>;
  transportEvents<const P extends IncludePaths<TransportEventInclude> | undefined = undefined>(
    id: string,
    options?: ListOptions & WithOptionalInclude<P>,
  ): List<TransportEvent<PossibleIncludes<P>>>;
  transportEvents(id: string, options?: ListOptions & AnyInclude): List<never> {
    return this.fetchList({
      operation: 'containers.transportEvents',
      type: 'transport_event',
      path: path`/containers/${id}/transport_events`,
      parameters: INCLUDE,
      options,
    });
  }

  /**
   * The carrier's own events and estimates, together in one array. The service usually includes places, vessels and
   * terminals. The service plans to remove this endpoint. Use `transportEvents`, whose events are verified.
   *
   * @throws {NotFoundError} if the container does not exist.
   */
  rawEvents(id: string, options?: RequestOptions): APIPromise<RawEvent<RawEventDefaults>[]> {
    return this.fetchArray({
      operation: 'containers.rawEvents',
      type: 'raw_event',
      path: path`/containers/${id}/raw_events`,
      options,
      defaultTree: RAW_EVENT_TREE,
    });
  }

  /**
   * Makes the service read updates from the carrier, the terminal and the railway now. The result lists these sources.
   * The updates come later, in notifications and in the container. This method has a separate budget of 10 requests a
   * minute.
   *
   * @throws {NotFoundError} if the container does not exist.
   * @throws {FeatureNotEnabledError} if the account has not bought on-demand refresh.
   */
  refresh(id: string, options?: RequestOptions): APIPromise<RefreshResult> {
    return this.fetchJson({
      operation: 'containers.refresh',
      method: 'PATCH',
      path: path`/containers/${id}/refresh`,
      options,
    });
  }

  /**
   * The journey as GeoJSON: ports, the vessel and the track of the vessel. `features` is empty while nothing is known.
   *
   * @throws {NotFoundError} if the container does not exist.
   * @throws {FeatureNotEnabledError} if the account has not bought routing data.
   */
  mapGeojson(id: string, options?: RequestOptions): APIPromise<MapFeatureCollection> {
    return this.fetchJson({ operation: 'containers.mapGeojson', path: path`/containers/${id}/map_geojson`, options });
  }

  /**
   * The journey from place to place, with vessels and times.
   *
   * @throws {NotFoundError} if the container does not exist, or has no route.
   * @throws {FeatureNotEnabledError} if the account has not bought routing data.
   */
  route(id: string, options?: RequestOptions): APIPromise<Route<RouteDefaults>> {
    return this.fetchOne({
      operation: 'containers.route',
      type: 'route',
      path: path`/containers/${id}/route`,
      // For this endpoint, `include` lists types of records instead of relationships.
      query: () => ({ include: ['port', 'vessel', 'route_location'] }),
      options,
      defaultTree: ROUTE_TREE,
    });
  }
}
