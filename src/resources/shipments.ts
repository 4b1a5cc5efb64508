import type { FieldOf } from '../feed/change.ts';
import type { Feed, WatchOptions } from '../feed/options.ts';
import { requestDocument } from '../jsonapi/serialize.ts';
import type { Shipment, ShipmentFilter, ShipmentInclude, ShipmentSort, ShipmentUpdate } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import type { Transport } from '../transport/transport.ts';
import { CustomFieldsOf } from './custom-fields-of.ts';
import { PartyRolesOf } from './party-roles-of.ts';
import type { AnyInclude, IncludePaths, PossibleIncludes, WithInclude, WithOptionalInclude } from './resource.ts';
import { type ListParameters, Resource } from './resource.ts';

/** Parts of shipments that the service sends only if the request selects them. */
export interface ShipmentFlags {
  /** Relationships that the service sends only if the request selects them. */
  flag?:
    | {
        /**
         * `true` selects `party_roles`. With `include: ['party_roles.party']`, the response also has the roles and the
         * parties.
         */
        parties?: boolean | undefined;
      }
    | undefined;
}

/** Options of `shipments.list`. */
export interface ShipmentListOptions extends ListOptions, ShipmentFlags {
  /** Only shipments that match all of these filters. */
  filter?: ShipmentFilter | undefined;
  /**
   * The sort order.
   * @default the order of the service: newest first
   */
  sort?: ShipmentSort | null | undefined;
  /** The tracked number: a bill of lading number or a booking number. For a container number, use `containers.list`. */
  number?: string | undefined;
  /** @deprecated Searches bill, reference and container numbers. Use `number`, or `client.search`. */
  q?: string | undefined;
}

const LIST: ListParameters<ShipmentListOptions & AnyInclude> = {
  filter: true,
  sort: true,
  flag: ['parties'],
  number: true,
  q: true,
  include: true,
};

const GET = { flag: ['parties'], include: true } as const;

/** Shipments of the account. */
export class Shipments extends Resource {
  /** The values of custom fields on one shipment. */
  declare readonly customFields: CustomFieldsOf;
  /** The roles that parties have on one shipment. */
  declare readonly partyRoles: PartyRolesOf;

  constructor(transport: Transport) {
    super(transport);
    this.customFields = new CustomFieldsOf(transport, 'shipments', path`/shipments`);
    this.partyRoles = new PartyRolesOf(transport, 'shipments', path`/shipments`);
  }

  /**
   * All shipments, newest first, 30 per page unless `pageSize` is set. Each page is one request.
   *
   * @example
   * for await (const shipment of client.shipments.list({ include: ['containers'] })) {
   *   console.log(shipment.bill_of_lading_number, shipment.containers.length);
   * }
   */
  list<const P extends IncludePaths<ShipmentInclude>>(options: ShipmentListOptions & WithInclude<P>): List<Shipment<P>>;
  list<const P extends IncludePaths<ShipmentInclude> | undefined = undefined>(
    options?: ShipmentListOptions & WithOptionalInclude<P>,
  ): List<Shipment<PossibleIncludes<P>>>;
  list(options?: ShipmentListOptions & AnyInclude): List<never> {
    return this.fetchList({
      operation: 'shipments.list',
      type: 'shipment',
      path: path`/shipments`,
      parameters: LIST,
      options,
    });
  }

  /**
   * One shipment. With `include`, the related records are in the same response.
   *
   * @throws {NotFoundError} if the shipment does not exist.
   * @example
   * const shipment = await client.shipments.get(id, { include: ['containers', 'containers.pod_terminal'] });
   * console.log(shipment.containers[0]?.pod_terminal?.nickname);
   */
  get<const P extends IncludePaths<ShipmentInclude>>(
    id: string,
    options: RequestOptions & ShipmentFlags & WithInclude<P>,
  ): APIPromise<Shipment<P>>;
  get<const P extends IncludePaths<ShipmentInclude> | undefined = undefined>(
    id: string,
    options?: RequestOptions & ShipmentFlags & WithOptionalInclude<P>,
  ): APIPromise<Shipment<PossibleIncludes<P>>>;
  get(id: string, options?: RequestOptions & ShipmentFlags & AnyInclude): APIPromise<never> {
    return this.fetchOne({
      operation: 'shipments.get',
      type: 'shipment',
      path: path`/shipments/${id}`,
      parameters: GET,
      options,
    });
  }

  /**
   * An endless iteration over the changes of all shipments, or only of the shipments in `ids`. Each changed field is
   * one item. In all other respects, this method is like `containers.watch`.
   *
   * @throws {ConfigurationError} when the first item is requested: for options that cannot work.
   * @throws {AuthenticationError} and every other permanent error.
   * @example
   * for await (const change of client.shipments.watch({ fields: ['pod_eta_at'] })) {
   *   if (change.kind === 'changed') console.log(change.record.bill_of_lading_number, change.before, change.after);
   * }
   */
  watch<const P extends IncludePaths<ShipmentInclude>, F extends FieldOf<Shipment> = FieldOf<Shipment>>(
    options: WatchOptions<Shipment<P>, F> & WithInclude<P>,
  ): Feed<Shipment<P>, F>;
  watch<
    const P extends IncludePaths<ShipmentInclude> | undefined = undefined,
    F extends FieldOf<Shipment> = FieldOf<Shipment>,
  >(
    options?: WatchOptions<Shipment<PossibleIncludes<P>>, F> & WithOptionalInclude<P>,
  ): Feed<Shipment<PossibleIncludes<P>>, F>;
  watch(options?: object): Feed<never> {
    return this.feed('shipment', options);
  }

  /**
   * Replaces the references or the tags. Attributes that are left out do not change.
   *
   * @throws {NotFoundError} if the shipment does not exist.
   * @throws {ConfigurationError} for an attribute with another name, because the service would ignore this attribute.
   * @example
   * await client.shipments.update(id, { tags: ['urgent'] });
   */
  update(id: string, attributes: ShipmentUpdate, options?: RequestOptions): APIPromise<Shipment> {
    const body = () => requestDocument('shipment', attributes, { id, only: ['ref_numbers', 'tags'] });
    return this.fetchOne({
      operation: 'shipments.update',
      type: 'shipment',
      method: 'PATCH',
      path: path`/shipments/${id}`,
      body,
      options,
    });
  }

  /**
   * Stops the updates of a shipment and its containers. `resumeTracking` starts them again.
   *
   * @throws {NotFoundError} if the shipment does not exist.
   */
  stopTracking(id: string, options?: RequestOptions): APIPromise<Shipment> {
    return this.fetchOne({
      operation: 'shipments.stopTracking',
      type: 'shipment',
      method: 'PATCH',
      path: path`/shipments/${id}/stop_tracking`,
      options,
    });
  }

  /**
   * Starts the updates of a shipment and its containers again. Events that occurred while tracking was stopped are not
   * added later.
   *
   * @throws {NotFoundError} if the shipment does not exist.
   */
  resumeTracking(id: string, options?: RequestOptions): APIPromise<Shipment> {
    return this.fetchOne({
      operation: 'shipments.resumeTracking',
      type: 'shipment',
      method: 'PATCH',
      path: path`/shipments/${id}/resume_tracking`,
      options,
    });
  }
}
