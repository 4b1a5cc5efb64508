import { type ContainerState, containerState } from '../../domain/container-state.ts';
import { objectArgument, refuseUnknownNames, wholeNumber } from '../../internal/arguments.ts';
import type { DeliveryStatus, EventName, TrackingRequestStatus, TransportEventName } from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { container, requestStatus } from '../entities/tracking-entities.ts';
import type { Pipeline } from '../http/pipeline.ts';
import type { BucketFill } from '../http/rate-limit.ts';
import type { Backend } from '../state/backend.ts';
import type { Clock } from '../state/clock.ts';
import type { Container, Shipment } from '../state/store.ts';
import { currentEstimate, type Status, statusOf, viewContainer, viewShipment } from '../state/view.ts';

/** Part of a list. */
export interface Range {
  /** Upper bound of the number of entries. @default 50 */
  limit?: number | undefined;
  /** Number of entries that are skipped before the first returned entry. @default 0 */
  offset?: number | undefined;
}

/** @throws {ConfigurationError} for a value that is out of range. */
export function pageOf<T>(list: readonly T[], range: Range = {}): T[] {
  refuseUnknownNames('The range', objectArgument('The range', range, '{ limit: 20 }'), ['limit', 'offset']);
  const { limit = 50, offset = 0 } = range;
  wholeNumber('offset', offset, 0);
  return list.slice(offset, offset + wholeNumber('limit', limit, 0));
}

/** The service's clock. */
export interface SandboxClock {
  /** The time now. */
  now: Date;
  /** The time at the start, or at the last reset. */
  startedAt: Date;
  /** Speed, as a multiple of real time; 0 if only `advance` moves the clock. */
  speed: number;
}

export function readClock(clock: Clock): SandboxClock {
  return { now: new Date(clock.now()), startedAt: new Date(clock.start), speed: clock.speed };
}

/** The use of the rate limit by one key. */
export interface KeyFill {
  /** The name of the account. */
  account: string;
  /** The key. It is a credential of the sandbox: do not show it to others. */
  apiKey: string;
  /** The use of each limit. */
  buckets: BucketFill[];
}

export function rateLimitFill({ accounts, clock, rateLimit }: Pipeline): KeyFill[] {
  if (rateLimit === null) return [];
  return accounts.all.flatMap(({ account: { name, apiKeys } }) =>
    apiKeys.map(apiKey => ({ account: name, apiKey, buckets: rateLimit.fill(apiKey, clock.elapsed()) })),
  );
}

/** A notification of an account with the results of its deliveries. */
export interface DeliverySummary {
  /** The id of the notification. */
  id: string;
  /** The name of the event. */
  event: EventName;
  /** The address of the webhook. */
  url: string;
  /** `pending` while the delivery is tried; then `succeeded` or `failed`. */
  status: DeliveryStatus;
  /** Number of attempts. */
  attempts: number;
  /** Time at which the notification was created. */
  createdAt: Date;
  /** Time of the last attempt; `null` before the first attempt. */
  lastAttemptAt: Date | null;
  /** The status of the last response; `null` if there was none. */
  lastStatus: number | null;
  /** The reason why the last attempt failed; `null` if it did not fail. */
  lastError: string | null;
}

/** The notifications in this range, the newest first. */
export function deliverySummaries({ store }: Backend, range: Range | undefined): DeliverySummary[] {
  return pageOf(store.notifications.newestFirst(), range).map(record => ({
    id: record.id,
    event: record.event,
    url: record.webhook.url,
    status: record.deliveryStatus,
    attempts: record.attempts,
    createdAt: new Date(record.createdAt),
    lastAttemptAt: record.lastAttemptAt === null ? null : new Date(record.lastAttemptAt),
    lastStatus: record.lastStatus,
    lastError: record.lastError,
  }));
}

/** Number of records of each kind in an account. */
export interface AccountCounts {
  /** Shipments. */
  shipments: number;
  /** Containers. */
  containers: number;
  /** Tracking requests. */
  trackingRequests: number;
  /** Documents. */
  documents: number;
  /** Webhooks. */
  webhooks: number;
  /** Notifications. */
  notifications: number;
}

export function countsOf({ store }: Backend): AccountCounts {
  return {
    shipments: store.shipments.size,
    containers: store.containers.size,
    trackingRequests: store.trackingRequests.size,
    documents: store.documents.size,
    webhooks: store.webhooks.size,
    notifications: store.notifications.size,
  };
}

/** A summary of a tracking request of an account. */
export interface TrackingRequestSummary {
  /** The id of the tracking request. */
  id: string;
  /** The number that is tracked. */
  number: string;
  /** The SCAC of the carrier; `null` until it is known. */
  scac: string | null;
  /** The attribute `status` of the tracking request. */
  status: TrackingRequestStatus;
  /** The reason why the tracking request has failed; `null` if it has not failed. */
  failedReason: string | null;
  /** Time at which the tracking request was created. */
  createdAt: Date;
  /** The id of its shipment; `null` if there is none. */
  shipmentId: string | null;
}

/** The tracking requests in this range, the newest first. */
export function trackingRequestSummaries(backend: Backend, range: Range | undefined): TrackingRequestSummary[] {
  return pageOf(backend.store.trackingRequests.newestFirst(), range).map(record => ({
    id: record.id,
    number: record.number,
    scac: record.carrier?.scac ?? null,
    status: requestStatus(backend, record),
    failedReason: record.failedReason,
    createdAt: new Date(record.createdAt),
    shipmentId: record.shipment?.id ?? null,
  }));
}

/** A summary of a shipment of an account. */
export interface ShipmentSummary {
  /** The id of the shipment. */
  id: string;
  /** The bill of lading or booking number. */
  number: string;
  /** The SCAC of the carrier. */
  scac: string;
  /** The reference numbers of the caller. */
  refNumbers: string[];
  /** The name of the port of lading. */
  from: string;
  /** The name of the port of discharge; for a transport by rail, the name of the inland destination. */
  to: string;
  /**
   * Arrival of the vessel at the port of discharge: the actual time, or the latest estimate; `null` before the first
   * estimate.
   */
  arrivesAt: Date | null;
  /** True if the vessel has arrived. */
  hasArrived: boolean;
  /** Time at which the tracking stopped; `null` while it continues. */
  stoppedAt: Date | null;
  /** The containers of the shipment. */
  containers: ContainerSummary[];
}

/** A summary of a container of an account. */
export interface ContainerSummary {
  /** The id of the container. */
  id: string;
  /** The container number. */
  number: string;
  /** The attribute `current_status` of the container. */
  status: Status;
}

/** One entry of the timeline of a container. */
export interface TimelineEntry {
  /** The name of the event. */
  event: TransportEventName;
  /** Time at which the event happens or is expected. */
  at: Date;
  /** Time at which the event is reported to the service. */
  reportedAt: Date;
  /** True if the event has been reported; false if it is in the future. */
  isKnown: boolean;
  /** The name of the place. */
  place: string;
  /** IANA time zone of the place. */
  timeZone: string;
  /** The name of the facility, if one is known. */
  facility: string | null;
  /** The name of the vessel, if there is one. */
  vessel: string | null;
  /** The new value, for an event that changes a deadline or an appointment. */
  value: Date | null;
}

/** The timeline of a container: everything that happens to it, past and future. */
export interface ContainerTimeline extends ContainerSummary {
  /** Place and availability for pickup. This is the result of `containerState()` for the container's current record. */
  state: ContainerState;
  /** The entries, in the order of `reportedAt`. */
  entries: TimelineEntry[];
}

/** The shipments in this range, the newest first. */
export function shipmentSummaries(backend: Backend, range: Range | undefined): ShipmentSummary[] {
  return pageOf(backend.store.shipments.newestFirst(), range).map(record => summaryOf(backend, record));
}

function summaryOf(backend: Backend, record: Shipment): ShipmentSummary {
  const { voyage, at, stoppedAt } = viewShipment(backend, record);
  const arrival = voyage.lastLeg.arrivesAt;
  const hasArrived = arrival <= at;
  const expected = hasArrived ? arrival : currentEstimate(voyage.eta, at);
  return {
    id: record.id,
    number: record.number,
    scac: record.carrier.scac,
    refNumbers: [...(record.refNumbers ?? [])],
    from: voyage.pol.name,
    to: (voyage.inland?.destination ?? voyage.pod).name,
    arrivesAt: expected === null ? null : new Date(expected),
    hasArrived,
    stoppedAt: stoppedAt === null ? null : new Date(stoppedAt),
    containers: record.containers.map(box => containerSummary(backend, box)),
  };
}

function containerSummary(backend: Backend, box: Container): ContainerSummary {
  return { id: box.id, number: box.number, status: statusOf(viewContainer(backend, box)) };
}

/** The timelines of the containers of a shipment; `undefined` for an unknown id. */
export function timelinesOf(backend: Backend, shipmentId: string): ContainerTimeline[] | undefined {
  const record = backend.store.shipments.get(shipmentId);
  if (record === undefined) return undefined;
  const { boxes } = backend.voyages.of(record);
  return record.containers.map(box => {
    const known = new Set(viewContainer(backend, box).events);
    const entries = defined(boxes[box.index]).events.map(
      (planned): TimelineEntry => ({
        event: planned.event,
        at: new Date(planned.at),
        reportedAt: new Date(planned.reportedAt),
        isKnown: known.has(planned),
        place: planned.place.name,
        timeZone: planned.place.timeZone,
        facility: planned.terminal?.name ?? null,
        vessel: planned.leg?.vessel.name ?? null,
        value: planned.value === null ? null : new Date(planned.value),
      }),
    );
    const state = containerState(container(backend, box).render().attributes);
    return { ...containerSummary(backend, box), state, entries };
  });
}
