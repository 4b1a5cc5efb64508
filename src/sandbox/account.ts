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

/** One account of a sandbox: its state, and the ways to change it from outside of its API. */
export interface SandboxAccount {
  /** The name of the account. */
  readonly name: string;
  /** The name of its company. */
  readonly companyName: string;
  /** The keys that the account accepts. */
  readonly apiKeys: readonly string[];
  /**
   * The paid features. They can be switched at any time; the change holds from the next request on.
   *
   * @throws {ConfigurationError} for a value that is not a boolean.
   * @example
   * sandbox.account('acme').features.routing = false;
   */
  readonly features: Features;
  /**
   * The differences from other accounts. They can be changed at any time; the change holds from the next request on.
   *
   * @throws {ConfigurationError} for a value that does not exist.
   * @example
   * sandbox.account('acme').settings.plan = 'locked';
   */
  readonly settings: Settings;
  /**
   * The treatment of filters and `sort` in lists, see {@link AccountOptions.lists}. It can be switched at any time.
   *
   * @throws {ConfigurationError} for another value.
   */
  lists: 'current' | 'older';
  /**
   * Adds shipments to the account, without tracking requests. They come first in all lists.
   *
   * @throws {ConfigurationError} for a wrong count or option.
   */
  seedShipments(count: number, options?: SeedOptions): SeededShipment[];
  /** Adds containers, each of them with its own shipment. See {@link seedShipments}. */
  seedContainers(count: number, options?: Omit<SeedOptions, 'containers'>): SeededContainer[];
  /**
   * Sends an email to the account. Its attachments become documents.
   *
   * @throws {ConfigurationError} for a media type that is not valid in a header.
   */
  receiveEmail(email: Email): { id: string; documentIds: string[] };
  /**
   * A number to track whose future is known, to the minute if it is tracked at once. The word of a scenario in another
   * number, such as `MAEUFEEDER7` or `MAEUROLLED1`, gives the same voyage from the time of its tracking on.
   *
   * @throws {ConfigurationError} for an unknown name.
   * @example
   * const { number, scac, steps } = sandbox.scenario('rail-with-customs-hold');
   * await client.track({ number, scac });
   * const released = steps.find(({ event }) => event === 'hold.released');
   */
  scenario(name: ScenarioName): Scenario;
  /**
   * Refreshes the status of containers at once, as the service does by itself: they come first in a list of containers without
   * `sort`, the last of them before the others, and first with `sort=-updated_at`. Between two requests, this moves records from
   * pages that were not read yet to the first page.
   *
   * @param which The ids of the containers, or the number of those whose status was refreshed the longest ago.
   * @throws {ConfigurationError} for an unknown id, and for a number that is not a whole one.
   * @example
   * // Five containers are refreshed after each page.
   * sandbox.subscribe(change => {
   *   if (change.type !== 'request' || change.request.path !== '/containers') return;
   *   if (change.request.status === 200) sandbox.refreshContainers(5);
   * });
   */
  refreshContainers(which: number | readonly string[]): void;
  /**
   * Removes a shipment with its containers, tracking requests and custom fields. Its documents stay, but are not
   * linked to it. Does nothing for an unknown id.
   */
  removeShipment(id: string): void;
  /** Number of records of each kind. */
  counts(): AccountCounts;
  /** Its shipments, the newest first. */
  shipments(range?: Range): ShipmentSummary[];
  /** Everything that happens to the containers of a shipment, past and future. `undefined` for an unknown id. */
  timelines(shipmentId: string): ContainerTimeline[] | undefined;
  /** Its tracking requests, the newest first. */
  trackingRequests(range?: Range): TrackingRequestSummary[];
  /** Its notifications with the results of their deliveries, the newest first. */
  deliveries(range?: Range): DeliverySummary[];
}

/** @param current The backend of the account. It is another one after `reset`. */
export function createAccount(current: () => Backend): SandboxAccount {
  /** The backend, after everything that is due has happened. */
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
