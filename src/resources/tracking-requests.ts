import type { FieldOf } from '../feed/change.ts';
import type { Feed, WatchOptions } from '../feed/options.ts';
import { plainCopy, requiredText } from '../internal/arguments.ts';
import { includeTree } from '../jsonapi/include.ts';
import { requestDocument } from '../jsonapi/serialize.ts';
import type {
  InferNumberResults,
  TrackedRequest,
  TrackingRequest,
  TrackingRequestCreate,
  TrackingRequestDefaults,
  TrackingRequestFilter,
  TrackingRequestInclude,
  TrackingRequestUpdate,
} from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import { creationOf } from '../tracking/creation.ts';
import type { RequestWaiter } from '../tracking/wait-for-request.ts';
import type { WaitOptions } from '../tracking/wait-options.ts';
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

/** Options of `trackingRequests.list`. */
export interface TrackingRequestListOptions extends ListOptions {
  /** Only tracking requests that match all of these filters. */
  filter?: TrackingRequestFilter | undefined;
  /** @deprecated Searches numbers and references. Use `filter`, or `client.search`. */
  q?: string | undefined;
}

const LIST: ListParameters<TrackingRequestListOptions & AnyInclude> = {
  filter: true,
  q: true,
  include: true,
};

const DEFAULT_TREE = includeTree(['tracked_object']);
const TRACKING_REQUEST = { type: 'tracking_request', defaultTree: DEFAULT_TREE } as const;

/** Requests to track a number. `client.track` creates one and waits for its outcome. */
export class TrackingRequests extends Resource {
  /** The values of custom fields on one tracking request. */
  declare readonly customFields: CustomFieldsOf;
  /** The roles that parties have on one tracking request. */
  declare readonly partyRoles: PartyRolesOf;
  readonly #pace: Transport['pace'];
  #wait: RequestWaiter | undefined;

  constructor(transport: Transport) {
    super(transport);
    this.customFields = new CustomFieldsOf(transport, 'trackingRequests', path`/tracking_requests`);
    this.partyRoles = new PartyRolesOf(transport, 'trackingRequests', path`/tracking_requests`);
    this.#pace = transport.pace;
  }

  /**
   * All tracking requests, newest first, 30 per page unless `pageSize` is set. Each page is one request. Without an
   * `include`, the service usually includes the shipments.
   *
   * @example
   * const failed = client.trackingRequests.list({ filter: { status: 'failed' }, pageSize: 100 });
   * for await (const { request_number, failed_reason } of failed) console.log(request_number, failed_reason);
   */
  list<const P extends IncludePaths<TrackingRequestInclude>>(
    options: TrackingRequestListOptions & WithInclude<P>,
  ): List<TrackingRequest<P>>;
  list<const P extends IncludePaths<TrackingRequestInclude> | undefined = undefined>(
    options?: TrackingRequestListOptions & WithOptionalInclude<P>,
  ): List<TrackingRequest<PossibleIncludes<P, TrackingRequestDefaults>>>;
  list(options?: TrackingRequestListOptions & AnyInclude): List<never> {
    return this.fetchList({
      operation: 'trackingRequests.list',
      ...TRACKING_REQUEST,
      path: path`/tracking_requests`,
      parameters: LIST,
      options,
    });
  }

  /**
   * One tracking request. Without an `include`, the service usually includes its shipment.
   *
   * @throws {NotFoundError} if the tracking request does not exist.
   * @example
   * const { status, tracked_object } = await client.trackingRequests.get(id, { include: ['tracked_object'] });
   * console.log(status, tracked_object?.bill_of_lading_number);
   */
  get<const P extends IncludePaths<TrackingRequestInclude>>(
    id: string,
    options: RequestOptions & WithInclude<P>,
  ): APIPromise<TrackingRequest<P>>;
  get<const P extends IncludePaths<TrackingRequestInclude> | undefined = undefined>(
    id: string,
    options?: RequestOptions & WithOptionalInclude<P>,
  ): APIPromise<TrackingRequest<PossibleIncludes<P, TrackingRequestDefaults>>>;
  get(id: string, options?: RequestOptions & AnyInclude): APIPromise<never> {
    return this.fetchOne({
      operation: 'trackingRequests.get',
      ...TRACKING_REQUEST,
      path: path`/tracking_requests/${id}`,
      parameters: INCLUDE,
      options,
    });
  }

  /**
   * An endless iteration over the changes of all tracking requests, or only of the tracking requests in `ids`. Each
   * changed field is one item. In all other respects, this method is like `containers.watch`. To wait for the outcome
   * of one request, use `waitFor`.
   *
   * @throws {ConfigurationError} when the first item is requested: for options that cannot work.
   * @throws {AuthenticationError} and every other permanent error.
   * @example
   * for await (const change of client.trackingRequests.watch({ fields: ['status'] })) {
   *   if (change.kind === 'changed' && change.after === 'failed') console.log(change.record.failed_reason);
   * }
   */
  watch<
    const P extends IncludePaths<TrackingRequestInclude>,
    F extends FieldOf<TrackingRequest> = FieldOf<TrackingRequest>,
  >(options: WatchOptions<TrackingRequest<P>, F> & WithInclude<P>): Feed<TrackingRequest<P>, F>;
  watch<
    const P extends IncludePaths<TrackingRequestInclude> | undefined = undefined,
    F extends FieldOf<TrackingRequest> = FieldOf<TrackingRequest>,
  >(
    options?: WatchOptions<TrackingRequest<PossibleIncludes<P, TrackingRequestDefaults>>, F> & WithOptionalInclude<P>,
  ): Feed<TrackingRequest<PossibleIncludes<P, TrackingRequestDefaults>>, F>;
  watch(options?: object): Feed<never> {
    return this.feed('tracking_request', options);
  }

  /**
   * Starts to track a number. The result has the status `pending`: `waitFor` waits for the outcome. This method has a
   * separate budget of 100 requests a minute.
   *
   * @throws {ValidationError} for an unknown carrier, and with the code `duplicate` for a number that is already tracked.
   * @example
   * const request = await client.trackingRequests.create({
   *   request_type: 'bill_of_lading',
   *   request_number: 'MAEU123456789',
   *   scac: 'MAEU',
   * });
   */
  create(attributes: TrackingRequestCreate, options?: RequestOptions): APIPromise<TrackedRequest> {
    return this.#create(attributes, { options });
  }

  /**
   * Like `create`, but returns the existing request if the number is already tracked. It is therefore safe to repeat, and the
   * client repeats it after a connection error.
   *
   * @throws {ValidationError} for an unknown carrier. The error has the code `duplicate` if the existing request cannot
   * be found, or if several other carriers have the number.
   */
  async createOrFind(attributes: TrackingRequestCreate, options?: RequestOptions): Promise<TrackedRequest> {
    const [wanted, given] = [plainCopy(attributes), plainCopy(options)];
    const { createOrFind } = await import('../workflows.ts');
    return createOrFind(this, wanted, given, () => this.#create(wanted, { options: given, repeatable: true }));
  }

  /**
   * Adds one of your own references.
   *
   * @throws {NotFoundError} if the tracking request does not exist.
   */
  update(id: string, attributes: TrackingRequestUpdate, options?: RequestOptions): APIPromise<TrackedRequest> {
    return this.fetchOne({
      operation: 'trackingRequests.update',
      ...TRACKING_REQUEST,
      method: 'PATCH',
      path: path`/tracking_requests/${id}`,
      body: () => requestDocument('tracking_request', attributes, { id }),
      options,
    });
  }

  /**
   * Infers the kind and the carrier of a number, with a confidence. Beta. This method has a separate budget of 200 requests a
   * minute.
   *
   * @throws {ValidationError} if the number is not valid.
   * @example
   * const { shipping_line } = await client.trackingRequests.inferNumber('MAEU123456789');
   * if (shipping_line.decision === 'auto_select') console.log(shipping_line.selected?.scac);
   */
  inferNumber(number: string, options?: RequestOptions): APIPromise<InferNumberResults> {
    return this.fetchOne({
      operation: 'trackingRequests.inferNumber',
      type: 'infer_number_results',
      anonymous: true,
      method: 'POST',
      path: path`/tracking_requests/infer_number`,
      body: () => ({ number: requiredText('number', number) }),
      repeatable: true,
      options,
    });
  }

  /**
   * Waits until a tracking request has its shipment. All waiting calls of a client share their polls, which use at most a
   * quarter of the request budget.
   *
   * @param request id of the request, or the request in its last known state.
   * @throws {TrackingFailedError} if tracking ended without a shipment.
   * @throws {TrackingPendingError} if there is no outcome within `waitTimeout`. You can wait again later.
   * @throws {TimeoutError} if the request could not be read at all within `waitTimeout`.
   */
  async waitFor(request: string | TrackedRequest, options?: WaitOptions): Promise<TrackedRequest> {
    const given = plainCopy(options);
    if (!this.#wait) {
      const { requestWaiter } = await import('../workflows.ts');
      this.#wait ??= requestWaiter(this, this.#pace);
    }
    return this.#wait(request, given);
  }

  #create(
    attributes: TrackingRequestCreate,
    call: { options: RequestOptions | undefined; repeatable?: boolean },
  ): APIPromise<TrackedRequest> {
    return this.fetchOne({
      operation: 'trackingRequests.create',
      ...TRACKING_REQUEST,
      method: 'POST',
      path: path`/tracking_requests`,
      body: () => {
        const document = creationOf(attributes);
        requiredText('request_number', attributes.request_number);
        if (!attributes.auto_detect_vocc_scac) requiredText('scac of trackingRequests.create()', attributes.scac);
        return document;
      },
      ...call,
    });
  }
}
