import type { Range } from './inspection/inspection.ts';
import {
  type AccountCounts,
  type ContainerTimeline,
  countsOf,
  type DeliverySummary,
  deliverySummaries,
  type ShipmentSummary,
  shipmentSummaries,
  type TrackingRequestSummary,
  timelinesOf,
  trackingRequestSummaries,
} from './inspection/inspection.ts';
import { checkLists } from './options.ts';
import { type Email, receiveEmail } from './service/document-processing.ts';
import { announce, type Scenario } from './service/scenarios.ts';
import { type SeededContainer, type SeededShipment, type SeedOptions, seedShipments } from './service/seed.ts';
import { removeShipment } from './service/tracking.ts';
import { type Backend, runAgenda } from './state/backend.ts';
import { refreshContainers } from './state/refresh.ts';
import type { Features, Settings } from './state/settings.ts';
import type { ScenarioName } from './world/scripts.ts';

/** One account of a sandbox. Reads and changes the state of the account without requests to the API. */
export interface SandboxAccount {
  /** The name of the account. */
  readonly name: string;
  /** The name of the company that owns the account. */
  readonly companyName: string;
  /** The keys that the account accepts. */
  readonly apiKeys: readonly string[];
  /**
   * The paid features. Each feature can be switched on or off at any time. The change applies from the next request on.
   *
   * @throws {ConfigurationError} for a value that is not a boolean.
   * @example
   * sandbox.account('acme').features.routing = false;
   */
  readonly features: Features;
  /**
   * The properties in which accounts of the service differ. They can be changed at any time. A change applies from the
   * next request on.
   *
   * @throws {ConfigurationError} for a value that does not exist.
   * @example
   * sandbox.account('acme').settings.plan = 'locked';
   */
  readonly settings: Settings;
  /**
   * Selects how lists treat filters and `sort`, see {@link AccountOptions.lists}. It can be switched at any time.
   *
   * @throws {ConfigurationError} for any other value.
   */
  lists: 'current' | 'older';
  /**
   * Adds shipments to the account, without tracking requests. The shipments come first in all lists.
   *
   * @throws {ConfigurationError} for a wrong count or option.
   */
  seedShipments(count: number, options?: SeedOptions): SeededShipment[];
  /** Adds containers, each of them with its own shipment. See {@link seedShipments}. */
  seedContainers(count: number, options?: Omit<SeedOptions, 'containers'>): SeededContainer[];
  /**
   * Sends an email to the account. The attachments of the email become documents.
   *
   * @throws {ConfigurationError} for a media type that is not valid in a header.
   */
  receiveEmail(email: Email): { id: string; documentIds: string[] };
  /**
   * Returns a number that you can track, and the list of its future events. Their times are exact if the number is
   * tracked immediately. Any other number gets the same voyage if the number contains a scenario's word, such as
   * `MAEUFEEDER7` or `MAEUROLLED1`. This voyage begins when the number is tracked.
   *
   * @throws {ConfigurationError} for an unknown name.
   * @example
   * const { number, scac, steps } = sandbox.scenario('rail-with-customs-hold');
   * await client.track({ number, scac });
   * const released = steps.find(({ event }) => event === 'hold.released');
   */
  scenario(name: ScenarioName): Scenario;
  /**
   * Refreshes the status of containers now. The service does the same by itself at regular times. In a list without
   * `sort`, refreshed containers come first, and the container that was refreshed last is at the top. They also come
   * first in a list with `sort=-updated_at`. So a refresh between two requests for pages moves records to the first
   * page, from pages that were not read yet.
   *
   * @param which The ids of the containers, or a number of containers: the containers that were refreshed least
   *   recently are then refreshed.
   * @throws {ConfigurationError} for an unknown id, and for a number that is not an integer.
   * @example
   * // Five containers are refreshed after each page.
   * sandbox.subscribe(change => {
   *   if (change.type !== 'request' || change.request.path !== '/containers') return;
   *   if (change.request.status === 200) sandbox.refreshContainers(5);
   * });
   */
  refreshContainers(which: number | readonly string[]): void;
  /**
   * Removes a shipment with its containers, tracking requests and custom fields. The documents of the shipment stay,
   * but are not linked to it. An unknown id has no effect.
   */
  removeShipment(id: string): void;
  /** Number of records of each kind. */
  counts(): AccountCounts;
  /** The shipments of the account, the newest first. */
  shipments(range?: Range): ShipmentSummary[];
  /** Everything that happens to the containers of a shipment, past and future. `undefined` for an unknown id. */
  timelines(shipmentId: string): ContainerTimeline[] | undefined;
  /** The tracking requests of the account, the newest first. */
  trackingRequests(range?: Range): TrackingRequestSummary[];
  /** The notifications of the account with the results of their deliveries, the newest first. */
  deliveries(range?: Range): DeliverySummary[];
}

/** @param current Returns the present backend of the account. It is a function because `reset` replaces the backend. */
export function createAccount(current: () => Backend): SandboxAccount {
  /** Runs everything that is due, and then returns the backend. */
  function upToDate(): Backend {
    const backend = current();
    runAgenda(backend);
    return backend;
  }
  const { name, companyName, apiKeys } = current().account;
  return {
    name,
    companyName,
    apiKeys,
    get features() {
      return current().features;
    },
    get settings() {
      return current().settings;
    },
    get lists() {
      return current().lists;
    },
    set lists(lists) {
      checkLists(lists);
      current().lists = lists;
    },
    seedShipments: (count, options) => seedShipments(current(), count, options),
    seedContainers: (count, options) =>
      seedShipments(current(), count, { ...options, containers: 1 }).flatMap(({ containers }) => containers),
    scenario: name => announce(current(), name),
    receiveEmail: email => receiveEmail(upToDate(), email),
    refreshContainers: which => refreshContainers(upToDate(), which),
    removeShipment(id) {
      const backend = current();
      const shipment = backend.store.shipments.get(id);
      if (shipment !== undefined) removeShipment(backend, shipment);
    },
    counts: () => countsOf(upToDate()),
    shipments: range => shipmentSummaries(upToDate(), range),
    timelines: shipmentId => timelinesOf(upToDate(), shipmentId),
    trackingRequests: range => trackingRequestSummaries(upToDate(), range),
    deliveries: range => deliverySummaries(upToDate(), range),
  };
}
