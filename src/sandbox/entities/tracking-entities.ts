import type {
  RawEventName,
  Resources,
  TerminalFee,
  TrackingRequestStatus,
  TransportEventName,
} from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { DAY, HOUR, iso, isoOrNull, lastPoll, MINUTE } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Container, Entity, PartyRole, Rendered, Shipment, TrackingRequest } from '../state/store.ts';
import { entity } from '../state/store.ts';
import {
  type ContainerView,
  currentEstimate,
  daysOverdue,
  holdsOf,
  statusOf,
  viewContainer,
  viewShipment,
} from '../state/view.ts';
import { lastSailing, type PlannedEvent, type Voyage } from '../world/plan.ts';
import { accountOf, party, partyRole, user } from './account-entities.ts';
import { facilityAt, location, port, terminal, vessel } from './place-entities.ts';

/** Interval at which the service requests updates from the shipping line. */
const LINE_POLL_INTERVAL = 2 * HOUR;

/** @param roles The roles of parties on the shipment, if the request includes them. */
export function shipment(backend: Backend, record: Shipment, roles?: PartyRole[] | false): Entity<'shipment'> {
  return entity('shipment', record.id, () => renderShipment(backend, record, roles || undefined));
}

function renderShipment(backend: Backend, record: Shipment, roles?: PartyRole[]): Rendered<'shipment'> {
  const view = viewShipment(backend, record);
  const { voyage, at } = view;
  const { pol, pod, podTerminal, inland } = voyage;
  const { vessel: lastVessel, voyageNumber } = lastSailing(voyage, at);
  const isRouted = at >= voyage.knownFrom;

  const boxes = record.containers.map(box => viewContainer(backend, box));
  const first = (event: Parameters<(typeof boxes)[number]['last']>[0]) =>
    boxes.map(box => box.last(event)).find(found => found !== undefined);
  const departed = first('container.transport.vessel_departed');
  const arrived = first('container.transport.vessel_arrived');
  const arrivedInland = first('container.transport.arrived_at_inland_destination');

  const isInland = isRouted && inland !== null;
  const polledAt = lastPoll(record.createdAt, LINE_POLL_INTERVAL, at);
  return {
    attributes: {
      created_at: iso(record.createdAt),
      ref_numbers: record.refNumbers,
      tags: record.tags,
      bill_of_lading_number: record.number,
      normalized_number: normalized(record),
      shipping_line_scac: record.carrier.scac,
      shipping_line_name: record.carrier.name,
      shipping_line_short_name: record.carrier.shortName,
      customer_name: record.customer?.companyName ?? null,
      port_of_lading_locode: pol.code,
      port_of_lading_name: pol.name,
      port_of_discharge_locode: isRouted ? pod.code : null,
      port_of_discharge_name: isRouted ? pod.name : null,
      pod_vessel_name: isRouted ? lastVessel.name : null,
      pod_vessel_imo: isRouted ? lastVessel.imo : null,
      pod_voyage_number: isRouted ? voyageNumber : null,
      destination_locode: isInland ? inland.destination.code : null,
      destination_name: isInland ? inland.destination.name : null,
      destination_timezone: isInland ? inland.destination.timeZone : null,
      destination_ata_at: isoOrNull(arrivedInland?.at),
      destination_eta_at: isInland && !arrivedInland ? isoOrNull(currentEstimate(voyage.destinationEta, at)) : null,
      pol_etd_at: departed ? null : isoOrNull(currentEstimate(voyage.etd, at)),
      pol_atd_at: isoOrNull(departed?.at),
      pol_timezone: pol.timeZone,
      // The service removes the estimate when the vessel has arrived.
      pod_eta_at: arrived ? null : isoOrNull(currentEstimate(voyage.eta, at)),
      pod_original_eta_at: isoOrNull(voyage.eta[0]?.value),
      pol_original_etd_at: isoOrNull(voyage.etd[0]?.value),
      destination_original_eta_at: isInland ? isoOrNull(voyage.destinationEta[0]?.value) : null,
      pod_ata_at: isoOrNull(arrived?.at),
      pod_timezone: isRouted ? pod.timeZone : null,
      line_tracking_last_attempted_at: isoOrNull(polledAt),
      line_tracking_last_succeeded_at: isoOrNull(polledAt),
      line_tracking_stopped_at: isoOrNull(view.stoppedAt),
      line_tracking_stopped_reason: view.stoppedReason,
    },
    links: { self: `/v2/shipments/${record.id}` },
    relationships: {
      port_of_lading: port(pol),
      port_of_discharge: isRouted ? port(pod) : null,
      pod_terminal: departed ? terminal(podTerminal) : null,
      destination: isInland ? location(inland.destination) : null,
      destination_terminal: isInland ? terminal(inland.terminal) : null,
      line_tracking_stopped_by_user: view.stoppedReason === 'cancelled_by_user' ? user(backend) : null,
      containers: record.containers.map(box => container(backend, box)),
      ...(roles && { party_roles: roles.map(partyRole) }),
    },
  };
}

/** The number in the form that the carrier expects. Most carriers expect it without the prefix. */
function normalized({ number, carrier }: Shipment): string {
  const prefix = [carrier.scac, carrier.bolPrefix].find(code => number.startsWith(code) && number.length > code.length);
  return prefix === undefined || carrier.scac === 'HLCU' ? number : number.slice(prefix.length);
}

const TERMINAL_POLL_INTERVAL = 3 * HOUR;
const RAILWAY_POLL_INTERVAL = 40 * MINUTE;
const DEMURRAGE_A_DAY = 185;
const EXAM_FEE = 450;

export function container(backend: Backend, record: Container): Entity<'container'> {
  return entity('container', record.id, () => renderContainer(backend, record));
}

function renderContainer(backend: Backend, record: Container): Rendered<'container'> {
  const view = viewContainer(backend, record);
  const { podTerminal, inland, knownFrom } = view.voyage;
  const isInland = inland !== null && view.at >= knownFrom;
  const hasDeparted = view.last('container.transport.vessel_departed') !== undefined;
  return {
    attributes: containerAttributes(backend, record, view),
    relationships: {
      shipment: shipment(backend, record.shipment),
      pickup_facility: isInland ? terminal(inland.terminal) : null,
      pod_terminal: hasDeparted ? terminal(podTerminal) : null,
      transport_events: view.events.map(planned => transportEvent(backend, record, planned)).reverse(),
      raw_events: rawEventsOf(backend, record, view),
    },
  };
}

export function containerAttributes(
  backend: Backend,
  record: Container,
  view = viewContainer(backend, record),
): Resources['container']['attributes'] {
  const { voyage, box, at } = view;
  const { pod, podTerminal, inland } = voyage;
  const time = (event: TransportEventName) => view.last(event)?.at;
  const value = (event: TransportEventName) => view.last(event)?.value ?? null;

  const isRouted = at >= voyage.knownFrom;
  const isInland = isRouted && inland !== null;
  const departed = time('container.transport.vessel_departed');
  const discharged = time('container.transport.vessel_discharged');
  const indAta = time('container.transport.arrived_at_inland_destination');
  const railLoaded = time('container.transport.rail_loaded');
  const fullOut = time('container.transport.full_out');
  const emptyIn = time('container.transport.empty_in');
  const isAtTerminal = discharged !== undefined && railLoaded === undefined && fullOut === undefined;
  const status = statusOf(view);

  const deadlines = {
    pickup_lfd_terminal: value('container.pickup_lfd_terminal.changed'),
    pickup_lfd_rail: value('container.pickup_lfd_rail.changed'),
    pickup_lfd_line: value('container.pickup_lfd_line.changed'),
  };
  const hasLeftPort = fullOut !== undefined || time('container.transport.rail_departed') !== undefined;
  const lastFreeDay = hasLeftPort
    ? null
    : (deadlines.pickup_lfd_line ?? deadlines.pickup_lfd_terminal ?? deadlines.pickup_lfd_rail);

  const linePolledAt = later(lastPoll(record.createdAt, LINE_POLL_INTERVAL, at), record.refreshedAt);
  const terminalPolledUntil = Math.min(at, (fullOut ?? railLoaded ?? at) + TERMINAL_POLL_INTERVAL);
  const terminalPolledFrom = Math.max(record.createdAt, voyage.lastLeg.arrivesAt - 2 * DAY);
  const terminalPolledAt = podTerminal.reports
    ? lastPoll(terminalPolledFrom, TERMINAL_POLL_INTERVAL, terminalPolledUntil)
    : null;
  const railwayPolledAt = railLoaded === undefined ? null : lastPoll(railLoaded, RAILWAY_POLL_INTERVAL, at);

  return {
    number: record.number,
    seal_number: departed === undefined ? null : box.seal,
    created_at: iso(record.createdAt),
    ref_numbers: record.refNumbers,
    pod_arrived_at: isoOrNull(time('container.transport.vessel_arrived')),
    pod_discharged_at: isoOrNull(discharged),
    final_destination_full_out_at: isInland ? isoOrNull(fullOut) : null,
    holds_at_pod_terminal: holdsOf(view).map(({ status, name, description }) => ({ status, name, description })),
    available_for_pickup: status === 'available',
    delivered_at: isoOrNull(time('container.transport.delivered')),
    current_status: status,
    empty_out_at: isoOrNull(time('container.transport.empty_out')),
    pol_full_in_at: isoOrNull(time('container.transport.full_in')),
    pol_vessel_loaded_at: isoOrNull(time('container.transport.vessel_loaded')),
    pol_vessel_departed_at: isoOrNull(departed),
    equipment_type: box.equipment.type,
    equipment_length: box.equipment.length,
    equipment_height: box.equipment.height,
    pod_full_out_at: isInland ? null : isoOrNull(fullOut),
    empty_terminated_at: isoOrNull(emptyIn),
    terminal_checked_at: isoOrNull(terminalPolledAt),
    fees_at_pod_terminal: fees(backend, view, earliest(Object.values(deadlines)), isAtTerminal),
    pickup_lfd: isoOrNull(lastFreeDay),
    pickup_appointment_at: isoOrNull(value('container.pickup_appointment.changed')),
    pod_full_out_chassis_number: fullOut !== undefined && podTerminal.reports && !isInland ? box.chassis : null,
    location_at_pod_terminal: isAtTerminal && podTerminal.reports ? box.yardSpot : null,
    pod_last_tracking_request_at: isoOrNull(terminalPolledAt),
    shipment_last_tracking_request_at: isoOrNull(linePolledAt),
    rail_last_tracking_request_at: isoOrNull(railwayPolledAt),
    availability_known: terminalPolledAt !== null || time('container.transport.available') !== undefined,
    pod_timezone: isRouted ? pod.timeZone : null,
    final_destination_timezone: isInland ? inland.destination.timeZone : null,
    weight_in_lbs: departed === undefined ? null : box.weightInLbs,
    empty_terminated_timezone: isRouted ? (inland?.destination ?? pod).timeZone : null,
    pod_rail_carrier_scac: isInland ? inland.railway : null,
    ind_rail_carrier_scac: isInland ? inland.railway : null,
    pod_rail_loaded_at: isoOrNull(railLoaded),
    pod_rail_departed_at: isoOrNull(time('container.transport.rail_departed')),
    ind_eta_at:
      indAta === undefined ? isoOrNull(time('container.transport.estimated.arrived_at_inland_destination')) : null,
    ind_ata_at: isoOrNull(indAta),
    ind_rail_unloaded_at: isoOrNull(time('container.transport.rail_unloaded')),
    ind_facility_holds: null,
    ind_facility_fees: null,
    ind_facility_lfd_on: isoOrNull(deadlines.pickup_lfd_rail),
    import_deadlines: {
      pickup_lfd_terminal: isoOrNull(deadlines.pickup_lfd_terminal),
      pickup_lfd_rail: isoOrNull(deadlines.pickup_lfd_rail),
      pickup_lfd_line: isoOrNull(deadlines.pickup_lfd_line),
      pod: portDeadlines(view),
    },
    ssl_lfd: null,
  };
}

/**
 * The last free days at the port: the first and the latest report of each source. The sources are the line and the
 * facility. The service selects the earlier day.
 */
function portDeadlines({ events, voyage }: ContainerView) {
  const reported = (event: TransportEventName) => {
    const values = events.filter(each => each.event === event).flatMap(({ value }) => value ?? []);
    return { original: values[0] ?? null, current: values.at(-1) ?? null };
  };
  const line = voyage.inland === null ? reported('container.pickup_lfd_line.changed') : NOT_REPORTED;
  const facility = reported('container.pickup_lfd_terminal.changed');
  const choice = (when: 'original' | 'current') => {
    const value = earliest([line[when], facility[when]]);
    const source = value === facility[when] ? 'facility' : 'line';
    return { value: isoOrNull(value), selection: value === null ? null : source };
  };
  const [first, last] = [choice('original'), choice('current')];
  return {
    line: portDeadline(line),
    facility: portDeadline(facility),
    unified: {
      original_value: first.value,
      original_selection: first.selection,
      current_value: last.value,
      current_selection: last.selection,
    },
  };
}

const NOT_REPORTED = { original: null, current: null };

function portDeadline({ original, current }: { original: number | null; current: number | null }) {
  return { original: isoOrNull(original), current: isoOrNull(current), calculated: null, manual: false };
}

function earliest(days: readonly (number | null)[]): number | null {
  return days.reduce((first, day) => (day !== null && (first === null || day < first) ? day : first), null);
}

function later(a: number | null, b: number | null): number | null {
  return a !== null && b !== null ? Math.max(a, b) : (a ?? b);
}

function fees(backend: Backend, view: ContainerView, lastFreeDay: number | null, isAtTerminal: boolean): TerminalFee[] {
  const charged: TerminalFee[] = [];
  const overdue = daysOverdue(backend, view, lastFreeDay);
  if (overdue > 0) charged.push({ type: 'demurrage', amount: overdue * DEMURRAGE_A_DAY, currency_code: 'USD' });
  if (view.box.exam && isAtTerminal) charged.push({ type: 'exam', amount: EXAM_FEE, currency_code: 'USD' });
  return charged;
}

export function transportEvent(backend: Backend, box: Container, planned: PlannedEvent): Entity<'transport_event'> {
  return entity('transport_event', planned.id, () => renderTransportEvent(backend, box, planned));
}

function renderTransportEvent(backend: Backend, box: Container, planned: PlannedEvent): Rendered<'transport_event'> {
  return {
    attributes: {
      event: planned.event,
      // Events from before the tracking are created when the tracking begins.
      created_at: iso(Math.max(planned.reportedAt, box.createdAt)),
      voyage_number: planned.leg?.voyageNumber ?? null,
      timestamp: iso(planned.at),
      data_source: planned.source,
      invalidated_at: null,
      location_locode: planned.place.code,
      timezone: planned.place.timeZone,
      value: isoOrNull(planned.value),
      value_timestamp: isoOrNull(planned.value),
    },
    relationships: {
      shipment: shipment(backend, box.shipment),
      container: container(backend, box),
      vessel: planned.leg ? vessel(backend, planned.leg) : null,
      source_event: isFromCarrier(planned) ? sourceEvent(backend, box, planned) : null,
      previous_version: null,
      location: location(planned.place),
      terminal: planned.terminal ? facilityAt(planned.place, planned.terminal) : null,
    },
  };
}

/** The name of a milestone in the carrier's data, and the text that the carrier uses for it. */
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
interface CarrierEvent {
  planned: PlannedEvent;
  /** Position among the events of the container. */
  index: number;
  /** The time that the carrier expects. `null` if the event has happened. */
  expectedAt: number | null;
}

/** True if the carrier's data has an event for this milestone. */
const isFromCarrier = ({ event }: PlannedEvent) => RAW[event] !== undefined;

/** The carrier's events at the time of the view: past events in their order, then expected events. */
function carrierEvents({ box, events, voyage, at }: ContainerView): CarrierEvent[] {
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

function renderRawEvent(
  backend: Backend,
  box: Container,
  { planned, index, expectedAt }: CarrierEvent,
): Rendered<'raw_event'> {
  const { carrier } = box.shipment;
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
  };
}

function sourceEvent(backend: Backend, box: Container, { rawId }: PlannedEvent): Entity<'raw_event'> {
  return entity('raw_event', rawId, () => defined(rawEventsOf(backend, box).find(({ id }) => id === rawId)).render());
}

/** The events in the carrier's data: past events in their order, then expected events. */
export function rawEventsOf(
  backend: Backend,
  box: Container,
  view: ContainerView = viewContainer(backend, box),
): Entity<'raw_event'>[] {
  return carrierEvents(view).map(event => rawEvent(backend, box, event));
}

function rawEvent(backend: Backend, box: Container, event: CarrierEvent): Entity<'raw_event'> {
  return entity('raw_event', event.planned.rawId, () => renderRawEvent(backend, box, event));
}

export function trackingRequest(backend: Backend, record: TrackingRequest): Entity<'tracking_request'> {
  return entity('tracking_request', record.id, () => ({
    attributes: {
      request_number: record.number,
      request_type: record.type,
      scac: record.carrier?.scac ?? null,
      ref_numbers: record.refNumbers,
      shipment_tags: record.tags,
      created_at: iso(record.createdAt),
      updated_at: iso(requestUpdatedAt(backend, record)),
      status: requestStatus(backend, record),
      failed_reason: record.failedReason,
      is_retrying: record.isRetrying,
      retry_count: record.retryCount,
    },
    relationships: {
      tracked_object: record.shipment && shipment(backend, record.shipment),
      customer: customerOf(backend, record),
      user: user(backend),
    },
    links: { self: `/v2/tracking_requests/${record.id}` },
  }));
}

function customerOf(backend: Backend, { customer }: TrackingRequest): Entity<'party' | 'account'> | null {
  if (customer === null || backend.settings.customers === 'none') return null;
  return backend.settings.customers === 'account' ? accountOf(backend, customer) : party(customer);
}

/** The status is `tracking_stopped` when the tracking of the shipment has stopped. */
export function requestStatus(backend: Backend, { status, shipment }: TrackingRequest): TrackingRequestStatus {
  const isStopped = shipment !== null && viewShipment(backend, shipment).stoppedAt !== null;
  return isStopped ? 'tracking_stopped' : status;
}

/** The time of the latest change. The end of the tracking counts as a change. */
export function requestUpdatedAt(backend: Backend, { updatedAt, shipment }: TrackingRequest): number {
  const stoppedAt = shipment && viewShipment(backend, shipment).stoppedAt;
  return Math.max(updatedAt, stoppedAt ?? updatedAt);
}
