import { type ContainerState, containerState } from '../../domain/container-state.ts';
import type { TransportEventName } from '../../model/index.ts';
import { defined } from '../base/defined.ts';
import { container } from '../entities/tracked.ts';
import type { Backend } from '../state/backend.ts';
import type { Container, Shipment } from '../state/store.ts';
import { currentEstimate, type Status, statusOf, viewContainer, viewShipment } from '../state/view.ts';
import { pageOf, type Range } from './range.ts';

/** A shipment of an account, in short. */
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
  /** The name of the port of discharge or, for a transport by rail, of the inland destination. */
  to: string;
  /** When the vessel arrives at the port of discharge: the actual time, or the latest estimate; `null` before there is one. */
  arrivesAt: Date | null;
  /** Whether it has arrived. */
  hasArrived: boolean;
  /** When the tracking stopped; `null` while it goes on. */
  stoppedAt: Date | null;
  /** Its containers. */
  containers: ContainerSummary[];
}

/** A container of an account, in short. */
export interface ContainerSummary {
  /** The id of the container. */
  id: string;
  /** The container number. */
  number: string;
  /** `current_status`. */
  status: Status;
}

/** One entry of the timeline of a container. */
export interface TimelineEntry {
  /** The name of the event. */
  event: TransportEventName;
  /** When it happens or is expected. */
  at: Date;
  /** When the service learns of it. */
  reportedAt: Date;
  /** Whether the service knows of it now. What it does not know is still to come. */
  isKnown: boolean;
  /** The name of the place. */
  place: string;
  /** IANA time zone of the place. */
  timeZone: string;
  /** The name of the facility, if one is known. */
  facility: string | null;
  /** The name of the vessel, if there is one. */
  vessel: string | null;
  /** The new deadline or appointment, for an event that changes one. */
  value: Date | null;
}

/** The timeline of a container: everything that happens to it, past and future. */
export interface ContainerTimeline extends ContainerSummary {
  /** Where it is, and whether it can be picked up: `containerState()` of the record that the service gives now. */
  state: ContainerState;
  /** In the order in which the service learns of it. */
  entries: TimelineEntry[];
}

/** The newest shipments first. */
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
