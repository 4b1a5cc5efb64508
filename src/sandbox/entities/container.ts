import type { TerminalFee, TransportEventName } from '../../model/index.ts';
import { DAY, HOUR, iso, isoOrNull, lastPoll, MINUTE } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Container, Entity, Rendered } from '../state/store.ts';
import { type ContainerView, daysOverdue, holdsOf, statusOf, viewContainer } from '../state/view.ts';
import type { PlannedEvent } from '../world/plan.ts';
import { terminal } from './place-entities.ts';
import { LINE_POLL_INTERVAL } from './shipment.ts';

const TERMINAL_POLL_INTERVAL = 3 * HOUR;
const RAILWAY_POLL_INTERVAL = 40 * MINUTE;
const DEMURRAGE_A_DAY = 185;
const EXAM_FEE = 450;

/** The records that lead back to the container, see `tracked.ts`. */
interface Links {
  shipment: Entity<'shipment'>;
  transportEvent(planned: PlannedEvent): Entity<'transport_event'>;
  rawEvents(view: ContainerView): Entity<'raw_event'>[];
}

export function renderContainer(backend: Backend, record: Container, links: Links): Rendered<'container'> {
  const view = viewContainer(backend, record);
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
  const lastFreeDay = deadlines.pickup_lfd_line ?? deadlines.pickup_lfd_terminal ?? deadlines.pickup_lfd_rail;

  const linePolledAt = later(lastPoll(record.createdAt, LINE_POLL_INTERVAL, at), record.refreshedAt);
  const terminalPolledUntil = Math.min(at, (fullOut ?? railLoaded ?? at) + TERMINAL_POLL_INTERVAL);
  const terminalPolledFrom = Math.max(record.createdAt, voyage.lastLeg.arrivesAt - 2 * DAY);
  const terminalPolledAt = podTerminal.reports
    ? lastPoll(terminalPolledFrom, TERMINAL_POLL_INTERVAL, terminalPolledUntil)
    : null;
  const railwayPolledAt = railLoaded === undefined ? null : lastPoll(railLoaded, RAILWAY_POLL_INTERVAL, at);

  return {
    attributes: {
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
    },
    relationships: {
      shipment: links.shipment,
      pickup_facility: isInland ? terminal(inland.terminal) : null,
      pod_terminal: departed === undefined ? null : terminal(podTerminal),
      transport_events: view.events.map(links.transportEvent).reverse(),
      raw_events: links.rawEvents(view),
    },
  };
}

/** The days at the port, as reported first and last. The service chooses the earlier one. */
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
