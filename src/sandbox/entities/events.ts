import type { RawEventName } from '../../records/raw-event.ts';
import { certain } from '../base/defined.ts';
import { iso, isoOrNull } from '../base/time.ts';
import type { Entity } from '../http/jsonapi.ts';
import type { Backend } from '../state/backend.ts';
import { MINUTE } from '../state/clock.ts';
import type { Container } from '../state/store.ts';
import { standing, viewContainer } from '../state/view.ts';
import type { PlannedEvent } from '../world/timeline.ts';
import type { Voyage } from '../world/voyage.ts';
import { container } from './container.ts';
import { facilityAt, location, terminal } from './places.ts';
import { shipment } from './shipment.ts';
import { vessel } from './vessel.ts';

export function transportEvent(backend: Backend, box: Container, planned: PlannedEvent): Entity<'transport_event'> {
  return {
    type: 'transport_event',
    id: planned.id,
    render: () => ({
      attributes: {
        event: planned.event,
        // What happened before the tracking began was learned when it began.
        created_at: iso(Math.max(planned.reportedAt, box.createdAt)),
        voyage_number: planned.leg?.voyageNumber ?? null,
        timestamp: iso(planned.at),
        data_source: planned.source,
        invalidated_at: null,
        location_locode: planned.place.code,
        timezone: planned.place.timeZone,
        value: isoOrNull(planned.value),
      },
      relationships: {
        shipment: shipment(backend, box.shipment),
        container: container(backend, box),
        vessel: planned.leg ? vessel(backend, planned.leg) : null,
        source_event: isToldByCarrier(planned) ? sourceEvent(backend, box, planned) : null,
        previous_version: null,
        location: location(planned.place),
        terminal: planned.terminal ? facilityAt(planned.place, planned.terminal) : null,
      },
    }),
  };
}

/** The carrier's name of a milestone, where it has one, and its own words for it. */
const RAW: Partial<Record<PlannedEvent['event'], [event: RawEventName, original: string | null]>> = {
  'container.transport.empty_out': ['empty_out', 'Empty to Shipper'],
  'container.transport.full_in': ['full_in', 'Gate In at First POL'],
  'container.transport.vessel_loaded': ['vessel_loaded', 'Loaded on Vessel at First POL'],
  'container.transport.vessel_departed': ['vessel_departed', null],
  'container.transport.transshipment_arrived': ['transshipment_arrived', null],
  'container.transport.transshipment_discharged': ['transshipment_discharged', 'Discharged at T/S Port'],
  'container.transport.transshipment_loaded': ['transshipment_loaded', 'Loaded at T/S Port'],
  'container.transport.transshipment_departed': ['transshipment_departed', null],
  'container.transport.vessel_arrived': ['vessel_arrived', null],
  'container.transport.vessel_discharged': ['vessel_discharged', 'Discharged at Last POD'],
  'container.transport.rail_loaded': ['rail_loaded', 'Loaded on Rail'],
  'container.transport.rail_departed': ['rail_departed', null],
  'container.transport.arrived_at_inland_destination': ['arrived_at_destination', null],
  'container.transport.rail_unloaded': ['rail_unloaded', 'Unloaded from Rail'],
  'container.transport.full_out': ['full_out', 'Gate Out Full'],
  'container.transport.empty_in': ['empty_in', 'Empty Container Returned'],
};

const isToldByCarrier = ({ event }: PlannedEvent) => RAW[event] !== undefined;

function sourceEvent(backend: Backend, box: Container, { rawId }: PlannedEvent): Entity<'raw_event'> {
  return {
    type: 'raw_event',
    id: rawId,
    render: () => certain(rawEventsOf(backend, box).find(({ id }) => id === rawId)).render(),
  };
}

/** What the carrier says: its milestones so far in their order, then what it expects. */
export function rawEventsOf(backend: Backend, box: Container): Entity<'raw_event'>[] {
  const view = viewContainer(backend, box);
  const known = new Set(view.events);
  const { voyage } = view;
  const told = view.box.events
    .filter(isToldByCarrier)
    .map(planned => ({ planned, expectedAt: known.has(planned) ? null : expectation(voyage, planned, view.at) }))
    .filter(({ planned, expectedAt }) => known.has(planned) || expectedAt !== null)
    .sort((a, b) => (a.expectedAt ?? a.planned.at) - (b.expectedAt ?? b.planned.at));
  return told.map(({ planned, expectedAt }, index) => rawEvent(backend, box, planned, index, expectedAt));
}

/** What carriers announce: the departure, the arrival at the port of discharge and that at the destination. */
function expectation(voyage: Voyage, { event }: PlannedEvent, at: number): number | null {
  switch (event) {
    case 'container.transport.vessel_departed':
      return standing(voyage.etd, at);
    case 'container.transport.vessel_arrived':
      return at < voyage.knownFrom ? null : standing(voyage.eta, at);
    case 'container.transport.arrived_at_inland_destination':
      return standing(voyage.destinationEta, at);
    default:
      return null;
  }
}

function rawEvent(
  backend: Backend,
  box: Container,
  planned: PlannedEvent,
  index: number,
  expectedAt: number | null = null,
): Entity<'raw_event'> {
  const [event, original] = RAW[planned.event] ?? [null, null];
  const { place, leg } = planned;
  const { carrier } = box.shipment;
  // Carriers write minutes, where the position of a vessel gives seconds.
  const at = expectedAt ?? Math.floor(planned.at / MINUTE) * MINUTE;
  const isExpected = expectedAt !== null;
  return {
    type: 'raw_event',
    id: planned.rawId,
    render: () => ({
      attributes: {
        actual_on: null,
        estimated_at: isExpected ? iso(at) : null,
        actual_at: isExpected ? null : iso(at),
        will_occur_at: null,
        event,
        timestamp: iso(at),
        estimated: isExpected,
        invalidated_at: null,
        index,
        original_event: original,
        created_at: iso(isExpected ? box.createdAt : Math.max(planned.reportedAt, box.createdAt)),
        data_source: 'shipping_line',
        data_provider_name: carrier.shortName,
        data_provider_code: carrier.scac,
        voyage_number: leg?.voyageNumber ?? null,
        location_name: place.name,
        location_locode: place.code,
        vessel_name: leg?.vessel.name ?? null,
        vessel_imo: leg?.vessel.imo ?? null,
        timezone: place.timeZone,
      },
      relationships: {
        location: location(place),
        vessel: leg ? vessel(backend, leg) : null,
        container: container(backend, box),
        terminal: planned.terminal ? terminal(planned.terminal) : null,
      },
    }),
  };
}
