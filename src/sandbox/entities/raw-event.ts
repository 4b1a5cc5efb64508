import type { RawEventName } from '../../model/index.ts';
import { iso, MINUTE } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Container, Entity, Rendered } from '../state/store.ts';
import { type ContainerView, currentEstimate } from '../state/view.ts';
import type { PlannedEvent, Voyage } from '../world/plan.ts';
import { location, terminal, vessel } from './place-entities.ts';

/** The name of a milestone in the carrier's data, and the carrier's own text for it. */
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

/** An event in the carrier's data. */
export interface CarrierEvent {
  planned: PlannedEvent;
  /** Position among the events of the container. */
  index: number;
  /** The time that the carrier expects. `null` if the event has happened. */
  expectedAt: number | null;
}

/** Whether the carrier's data has such an event. */
export const isFromCarrier = ({ event }: PlannedEvent) => RAW[event] !== undefined;

/** What the carrier's data says at the time of the view: the events so far in their order, then the expected ones. */
export function carrierEvents({ box, events, voyage, at }: ContainerView): CarrierEvent[] {
  const reported = new Set(events);
  return box.events
    .filter(isFromCarrier)
    .map(planned => ({ planned, expectedAt: reported.has(planned) ? null : expectation(voyage, planned, at) }))
    .filter(({ planned, expectedAt }) => reported.has(planned) || expectedAt !== null)
    .sort((a, b) => (a.expectedAt ?? a.planned.at) - (b.expectedAt ?? b.planned.at))
    .map((event, index) => ({ ...event, index }));
}

/** Carriers announce the departure, the arrival at the port of discharge and the arrival at the destination. */
function expectation(voyage: Voyage, { event }: PlannedEvent, at: number): number | null {
  switch (event) {
    case 'container.transport.vessel_departed':
      return currentEstimate(voyage.etd, at);
    case 'container.transport.vessel_arrived':
      return at < voyage.knownFrom ? null : currentEstimate(voyage.eta, at);
    case 'container.transport.arrived_at_inland_destination':
      return currentEstimate(voyage.destinationEta, at);
    default:
      return null;
  }
}

/** @param container The entity of the container, which leads back to the event: see `tracked.ts`. */
export function renderRawEvent(
  backend: Backend,
  { createdAt, shipment: { carrier } }: Container,
  { planned, index, expectedAt }: CarrierEvent,
  container: Entity<'container'>,
): Rendered<'raw_event'> {
  const [event, original] = RAW[planned.event] ?? [null, null];
  const { place, leg } = planned;
  // Carriers report whole minutes; the planned time of a vessel has seconds.
  const at = expectedAt ?? Math.floor(planned.at / MINUTE) * MINUTE;
  const isExpected = expectedAt !== null;
  return {
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
      created_at: iso(isExpected ? createdAt : Math.max(planned.reportedAt, createdAt)),
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
      container,
      terminal: planned.terminal ? terminal(planned.terminal) : null,
    },
  };
}
