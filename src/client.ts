import { createTransport } from './transport/create.ts';

// The modules that every request uses are imported first. This order puts similar code side by side in the bundle, so
// the bundle is half a KiB smaller after compression.

import { objectArgument, plainCopy } from './internal/arguments.ts';
import { leaveAtOnce } from './internal/leave-at-once.ts';
import { isRecord } from './jsonapi/document.ts';
import type { Query } from './jsonapi/query.ts';
import type { Credential, SearchResult, ShipmentInclude } from './model/index.ts';
import type { ClientOptions, RateLimitOptions, RequestOptions } from './options.ts';
import type { BucketName, BucketSnapshot } from './rate-limit/limiter.ts';
import { Accounts } from './resources/accounts.ts';
import { Containers } from './resources/containers.ts';
import { CustomFieldDefinitions } from './resources/custom-field-definitions.ts';
import { CustomFieldOptions } from './resources/custom-field-options.ts';
import { CustomFields } from './resources/custom-fields.ts';
import { DirectUploads } from './resources/direct-uploads.ts';
import { DocumentSchemas } from './resources/document-schemas.ts';
import { Documents } from './resources/documents.ts';
import { EmailSubmissions } from './resources/email-submissions.ts';
import { Parties } from './resources/parties.ts';
import { MetroAreas, Ports, Terminals } from './resources/places.ts';
import type {
  AnyInclude,
  IncludePaths,
  PossibleIncludes,
  WithInclude,
  WithOptionalInclude,
} from './resources/resource.ts';
import { type CredentialDefaults, Root } from './resources/root.ts';
import { Shipments } from './resources/shipments.ts';
import { ShippingLines } from './resources/shipping-lines.ts';
import { TrackingRequests } from './resources/tracking-requests.ts';
import { Vessels } from './resources/vessels.ts';
import { WebhookNotifications } from './resources/webhook-notifications.ts';
import { Webhooks } from './resources/webhooks.ts';
import type { Tracked, TrackItem, TrackOptions } from './tracking/track.ts';
import type { TrackManyOptions, TrackResult } from './tracking/track-many.ts';
import type { APIPromise } from './transport/api-promise.ts';
import { checkPath, type Endpoint, type Method, rawPath, resolveEndpoint } from './transport/endpoint.ts';
import { REQUEST_OPTION_NAMES, withEnvironment } from './transport/settings.ts';
import type { Transport } from './transport/transport.ts';
import type { WorklistOptions } from './worklist/options.ts';
import type { Reading } from './worklist/reading.ts';
import type { Worklist, WorklistRow } from './worklist/rows.ts';

/** A call to a path that the SDK has no method for. */
export interface RawRequest extends RequestOptions {
  /**
   * HTTP method.
   * @default 'GET'
   */
  method?: Method | undefined;
  /** Path below the base URL, with a slash at its beginning and already encoded: `/shipments/1234`. */
  path: string;
  /** Query parameters. Names of a nested object are written in brackets: `{ page: { size: 5 } }` is `page[size]=5`. */
  query?: Query | undefined;
  /** Body of the request. It is sent as JSON, with the media type of JSON:API. */
  body?: unknown;
}

const RAW_REQUEST_NAMES = ['method', 'path', 'query', 'body', ...REQUEST_OPTION_NAMES];

/**
 * The client of the tracking service.
 *
 * @example
 * const client = new TrackingClient({ baseUrl: 'https://host.example/v2', apiKey: process.env.MY_KEY });
 * const { shipment } = await client.track({ number: 'MAEU123456789', scac: 'MAEU' });
 */
export class TrackingClient {
  /** Shipments: bills of lading and bookings. */
  declare readonly shipments: Shipments;
  /** Containers, their events, map and route. */
  declare readonly containers: Containers;
  /** Tracking requests, which create shipments. */
  declare readonly trackingRequests: TrackingRequests;
  /** Webhooks: registration, tests, sender addresses. */
  declare readonly webhooks: Webhooks;
  /** Notifications of events, sent or waiting. */
  declare readonly webhookNotifications: WebhookNotifications;
  /** The accounts that the credential has access to. */
  declare readonly accounts: Accounts;
  /** Your customers. */
  declare readonly parties: Parties;
  /** Documents: upload, download, classification. */
  declare readonly documents: Documents;
  /** The separate steps of an upload. */
  declare readonly directUploads: DirectUploads;
  /** Emails with documents that the service received. */
  declare readonly emailSubmissions: EmailSubmissions;
  /** JSON Schemas of the data that is extracted from documents. */
  declare readonly documentSchemas: DocumentSchemas;
  /** Definitions of custom fields. */
  declare readonly customFieldDefinitions: CustomFieldDefinitions;
  /** Options of custom fields whose type is `enum`. */
  declare readonly customFieldOptions: CustomFieldOptions;
  /** Values of custom fields, each addressed by its id. */
  declare readonly customFields: CustomFields;
  /** Carriers. */
  declare readonly shippingLines: ShippingLines;
  /** Ports. */
  declare readonly ports: Ports;
  /** Terminals and rail facilities. */
  declare readonly terminals: Terminals;
  /** Metropolitan areas. */
  declare readonly metroAreas: MetroAreas;
  /** Vessels and their positions. */
  declare readonly vessels: Vessels;
  /** The request budget of this client. Clients with the same key and base URL share one budget. */
  readonly rateLimit: {
    /** The state of each bucket; `undefined` if your own limiter has no `snapshot`. */
    snapshot(): Record<BucketName, BucketSnapshot> | undefined;
  };
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #root: Root;

  /** @throws {ConfigurationError} for an option that is missing, unknown or out of range. */
  constructor(options: ClientOptions = {}) {
    // The environment is read once, so that a client that is derived later uses the same service and key.
    this.#options = withEnvironment(options);
    const transport = createTransport(this.#options);
    this.#transport = transport;
    this.#root = new Root(transport);
    this.shipments = new Shipments(transport);
    this.containers = new Containers(transport);
    this.trackingRequests = new TrackingRequests(transport);
    this.webhooks = new Webhooks(transport);
    this.webhookNotifications = new WebhookNotifications(transport, this);
    this.accounts = new Accounts(transport);
    this.parties = new Parties(transport);
    this.documents = new Documents(transport);
    this.directUploads = new DirectUploads(transport);
    this.emailSubmissions = new EmailSubmissions(transport);
    this.documentSchemas = new DocumentSchemas(transport);
    this.customFieldDefinitions = new CustomFieldDefinitions(transport);
    this.customFieldOptions = new CustomFieldOptions(transport);
    this.customFields = new CustomFields(transport, this);
    this.shippingLines = new ShippingLines(transport);
    this.ports = new Ports(transport);
    this.terminals = new Terminals(transport);
    this.metroAreas = new MetroAreas(transport);
    this.vessels = new Vessels(transport);
    this.rateLimit = { snapshot: () => transport.limiter.snapshot?.() };
  }

  /**
   * Tracks a number until its shipment exists: creates the tracking request, or finds the existing one, and waits. With `include`,
   * the shipment comes with its related records.
   *
   * @throws {TrackingFailedError} if tracking ends without a shipment.
   * @throws {TrackingPendingError} if there is no outcome within `waitTimeout`. `trackingRequests.waitFor` continues to wait.
   * @throws {InferenceError} if `scac` or `type` is missing and the service cannot determine the missing value with
   * certainty.
   * @example
   * const { shipment } = await client.track({ number: 'MAEU123456789', scac: 'MAEU', include: ['containers'] });
   * console.log(shipment.containers.map(({ number }) => number));
   */
  track<const P extends IncludePaths<ShipmentInclude>>(options: TrackOptions & WithInclude<P>): Promise<Tracked<P>>;
  track<const P extends IncludePaths<ShipmentInclude> | undefined = undefined>(
    options: TrackOptions & WithOptionalInclude<P>,
  ): Promise<Tracked<PossibleIncludes<P>>>;
  async track(options: TrackOptions & AnyInclude): Promise<Tracked<never>> {
    const given = plainCopy(options);
    const { trackOne } = await import('./workflows.ts');
    return trackOne(this, given) as Promise<Tracked<never>>;
  }

  /**
   * Tracks many numbers at the same time, within the rate limit. Results come in the order in which they are ready. A
   * number that fails does not affect the other numbers. With `include`, the shipments come with their related records.
   * The client then reads several shipments with one request. Therefore a result may wait for other results, for at
   * most a sixth of the rate limit's window.
   *
   * @example
   * for await (const result of client.trackMany(items)) {
   *   if (result.ok) console.log(result.shipment.id);
   *   else console.error(result.item.number, result.error);
   * }
   */
  trackMany<const P extends IncludePaths<ShipmentInclude>, Type extends string = never>(
    items: Iterable<TrackItem<Type>> | AsyncIterable<TrackItem<Type>>,
    options: TrackManyOptions & WithInclude<P>,
  ): AsyncGenerator<TrackResult<P>, void, undefined>;
  trackMany<Type extends string = never, const P extends IncludePaths<ShipmentInclude> | undefined = undefined>(
    items: Iterable<TrackItem<Type>> | AsyncIterable<TrackItem<Type>>,
    options?: TrackManyOptions & WithOptionalInclude<P>,
  ): AsyncGenerator<TrackResult<PossibleIncludes<P>>, void, undefined>;
  trackMany(
    items: Iterable<TrackItem<string>> | AsyncIterable<TrackItem<string>>,
    options?: TrackManyOptions & AnyInclude,
  ): AsyncGenerator<TrackResult<never>, void, undefined> {
    const left = new AbortController();
    const results = this.#trackMany(items as Iterable<TrackItem>, plainCopy(options), left.signal);
    return leaveAtOnce(results, left) as AsyncGenerator<TrackResult<never>, void, undefined>;
  }

  async *#trackMany(
    items: Iterable<TrackItem>,
    options: (TrackManyOptions & AnyInclude) | undefined,
    left: AbortSignal,
  ): AsyncGenerator<TrackResult, void, undefined> {
    const { trackMany } = await import('./workflows.ts');
    yield* trackMany(this, items, options, left, this.#transport);
  }

  /**
   * The containers that need an action, in lists: ready for pickup, near their last free day, on demurrage, held, late,
   * silent. All lists come from one pass over the containers that are tracked and not yet picked up. The filters of the
   * service only preselect containers. The client then checks each container by the rules of `containerState()`,
   * `lastFreeDays()`, `demurrageDays()` and `delays()`, with local days of the port or inland facility. Each page of 50
   * containers is one request.
   *
   * @throws {ConfigurationError} when the first row is requested: for options that cannot work, or if no list is selected.
   * @example
   * for await (const row of client.worklist({ ready: true, lastFreeDay: { within: 7 }, held: true })) {
   *   console.log(row.list, row.number, row.terminal, row.reason, row.next);
   *   if (row.list === 'held') console.log(row.by);
   * }
   */
  worklist<const O extends WorklistOptions>(
    options: O & { [Name in Exclude<keyof O, keyof WorklistOptions>]: never } & ([WorklistRow<O>] extends [never]
        ? { ready: true }
        : unknown),
  ): Worklist<WorklistRow<O>> {
    const given: WorklistOptions = plainCopy(options);
    let reading: Promise<Reading> | undefined;
    // The code that reads a worklist is loaded at the first use of the worklist.
    const load = () => (reading ??= import('./workflows.ts').then(chunk => new chunk.Reading(this.containers, given)));
    return {
      async *[Symbol.asyncIterator]() {
        yield* (await load()) as AsyncIterable<WorklistRow<O>>;
      },
      toArray: limit => load().then(list => list.toArray(limit) as Promise<WorklistRow<O>[]>),
      estimate: () => load().then(list => list.estimate()),
    };
  }

  /**
   * The credential of this client, with its account and the features that the account can use. Works on free plans too.
   * A service that is older than November 2026 does not have this endpoint, and responds with 404.
   *
   * @throws {AuthenticationError} if the key or token is wrong, or has no access to the account of `accountId`.
   * @throws {NotFoundError} if the service does not have the endpoint.
   * @example
   * const { account, features } = await client.me();
   * console.log(account, features.routing_data?.status);
   */
  me(options?: RequestOptions): APIPromise<Credential<CredentialDefaults>> {
    return this.#root.me(options);
  }

  /** At most 25 matches: shipments first, then containers, then tracking requests (docs/service/records.md#search-hits). */
  search(query: string, options?: RequestOptions): APIPromise<SearchResult[]> {
    return this.#root.search(query, options);
  }

  /**
   * Calls any path of the service, with the same retries, limits and errors. The result is the parsed JSON body, unchanged;
   * `undefined` if the body is empty.
   *
   * @example
   * const body = await client.request<{ message: string }>({ method: 'PATCH', path: `/containers/${id}/refresh` });
   */
  request<T = unknown>(request: RawRequest): APIPromise<T>;
  request<T>(request: RawRequest, others?: object): APIPromise<T> {
    return this.#transport.call(
      resolveEndpoint(rawEndpoint(request, others), RAW_REQUEST_NAMES),
      (exchange, decoder) => (exchange.text.trim() === '' ? undefined : decoder.json(exchange)) as T,
    );
  }

  /**
   * Returns a new client with some options changed. It shares the request budget of this client if both have the same
   * key and base URL. Options of `retry` and `rateLimit` that are left out have the values of this client.
   *
   * @throws {ConfigurationError} for options that cannot work.
   */
  withOptions(overrides?: ClientOptions): TrackingClient {
    const given: ClientOptions = merged(
      {},
      objectArgument('The argument of withOptions()', overrides ?? {}, '{ timeout: 10_000 }'),
    );
    const options = this.#options;
    const { apiKey, accessToken, ...others } = options;
    const before = 'apiKey' in given || 'accessToken' in given ? others : options;
    // Options that are left out of a group keep their values. Otherwise defaults would replace the limits of all
    // clients that share the budget.
    const retry = merged(options.retry, given.retry);
    const rateLimit = merged(options.rateLimit, given.rateLimit);
    const limits = merged(
      (options.rateLimit as RateLimitOptions | undefined)?.limits,
      (given.rateLimit as RateLimitOptions | undefined)?.limits,
    );
    return new TrackingClient({
      ...before,
      ...given,
      retry,
      rateLimit: typeof rateLimit === 'object' ? { ...rateLimit, limits } : rateLimit,
    } as ClientOptions);
  }

  /** Rejects waiting calls and all later calls. Requests that were already sent end normally. */
  close(): void {
    this.#transport.close();
  }
}

function rawEndpoint(request: RawRequest, others: object | undefined): Endpoint {
  const { method = 'GET', path, query, body, ...options } = request ?? {};
  return {
    operation: 'request',
    method,
    path: rawPath(path),
    query() {
      objectArgument('The argument of request()', request, "{ path: '/shipments' }");
      checkPath(path);
      return objectArgument('query', query ?? {}, '{ number: 5 }');
    },
    body: () => (isRecord(body) ? objectArgument('body', body, '{ data: … }') : body),
    options: others ? { 'in a second argument': others } : options,
  };
}

/**
 * A copy of `before` with the options of `over`. A value that is not a group of options, such as `false`, replaces the
 * whole group.
 */
function merged<T>(before: T, over: T): T {
  if (typeof before !== 'object' || typeof over !== 'object') return over ?? before;
  return { ...before, ...Object.fromEntries(Object.entries(over ?? {}).filter(([, value]) => value !== undefined)) };
}
