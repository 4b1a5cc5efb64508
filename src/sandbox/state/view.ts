import type { TransportEventName } from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { DAY } from '../base/time.ts';
import type { BoxPlan, Estimate, PlannedEvent, PlannedHold, Voyage } from '../world/plan.ts';
import type { Backend } from './backend.ts';
import type { Container, Shipment } from './store.ts';
import { endOfTracking } from './voyages.ts';

/** The service's knowledge of a shipment at a time: the part of the voyage that has been reported. */
export interface ShipmentView {
  voyage: Voyage;
  /** The time up to which reports are known: the present, or the time when tracking ended. */
  at: number;
  stoppedAt: number | null;
  stoppedReason: 'cancelled_by_user' | 'all_containers_terminated' | null;
}

export function viewShipment(backend: Backend, shipment: Shipment): ShipmentView {
  const voyage = backend.voyages.of(shipment);
  const now = shipment.frozen ? shipment.createdAt : backend.now;
  if (shipment.stoppedAt !== null) {
    const { stoppedAt } = shipment;
    return { voyage, at: Math.min(now, stoppedAt), stoppedAt, stoppedReason: 'cancelled_by_user' };
  }
  const end = endOfTracking(shipment, voyage);
  return now < end
    ? { voyage, at: now, stoppedAt: null, stoppedReason: null }
    : { voyage, at: end, stoppedAt: end, stoppedReason: 'all_containers_terminated' };
}

export interface ContainerView extends ShipmentView {
  box: BoxPlan;
  /** The reported events, in the order of their reports. Estimates that are out of date are left out. */
  events: PlannedEvent[];
  /** The latest event with this name. */
  last(event: TransportEventName): PlannedEvent | undefined;
}

/** The event after which an estimate is out of date. */
const REPLACED_BY: Partial<Record<TransportEventName, TransportEventName>> = {
  'container.transport.estimated.vessel_departed': 'container.transport.vessel_departed',
  'container.transport.estimated.vessel_arrived': 'container.transport.vessel_arrived',
  'container.transport.estimated.arrived_at_inland_destination': 'container.transport.arrived_at_inland_destination',
};

export function viewContainer(backend: Backend, container: Container): ContainerView {
  const view = viewShipment(backend, container.shipment);
  const box = defined(view.voyage.boxes[container.index]);

  const last = new Map<TransportEventName, PlannedEvent>();
  const reported = box.events.filter(event => isKnown(backend, container.shipment, view.at, event));
  for (const event of reported) last.set(event.event, event);
  const events = reported.filter(event => {
    const replacement = REPLACED_BY[event.event];
    return replacement === undefined || (!last.has(replacement) && last.get(event.event) === event);
  });
  return { ...view, box, events, last: event => last.get(event) };
}

function isKnown(
  backend: Backend,
  { gaps }: Shipment,
  at: number,
  { event, reportedAt, source }: PlannedEvent,
): boolean {
  if (reportedAt > at) return false;
  const fromRailPlan = source === 'rail' && event.startsWith('container.pickup_lfd');
  if (fromRailPlan && !backend.features.rail) return false;
  return !gaps.some(gap => gap.from < reportedAt && reportedAt <= gap.to);
}

/** The latest estimate at a time. */
export function currentEstimate(estimates: Estimate[], at: number): number | null {
  return estimates.findLast(({ reportedAt }) => reportedAt <= at)?.value ?? null;
}

export type Status =
  | 'new'
  | 'on_ship'
  | 'grounded'
  | 'available'
  | 'not_available'
  | 'awaiting_inland_transfer'
  | 'on_rail'
  | 'picked_up'
  | 'delivered'
  | 'empty_returned';

const STATUS_AFTER: Partial<Record<TransportEventName, Status>> = {
  'container.transport.vessel_loaded': 'on_ship',
  'container.transport.vessel_departed': 'on_ship',
  'container.transport.transshipment_arrived': 'on_ship',
  'container.transport.transshipment_departed': 'on_ship',
  'container.transport.feeder_arrived': 'on_ship',
  'container.transport.feeder_departed': 'on_ship',
  'container.transport.vessel_arrived': 'on_ship',
  'container.transport.vessel_discharged': 'grounded',
  'container.transport.not_available': 'not_available',
  'container.transport.available': 'available',
  'container.transport.rail_loaded': 'on_rail',
  'container.transport.rail_departed': 'on_rail',
  'container.transport.rail_arrived': 'on_rail',
  'container.transport.rail_unloaded': 'grounded',
  'container.transport.full_out': 'picked_up',
  'container.transport.delivered': 'delivered',
  'container.transport.empty_in': 'empty_returned',
};

/** `current_status` of the container, which follows from its latest milestone. */
export function statusOf({ events, voyage }: ContainerView): Status {
  let status: Status = 'new';
  let latest = -Infinity;
  for (const { event, at } of events) {
    const next = STATUS_AFTER[event];
    if (next === undefined || at < latest) continue;
    latest = at;
    const goesInland = voyage.inland !== null && event === 'container.transport.vessel_discharged';
    status = goesInland ? 'awaiting_inland_transfer' : next;
  }
  return status;
}

/** The holds at the terminal. They are `pending` until the container is discharged. */
export function holdsOf(view: ContainerView): (PlannedHold & { status: 'hold' | 'pending' })[] {
  const discharged = view.last('container.transport.vessel_discharged') !== undefined;
  return view.box.holds
    .filter(hold => hold.from <= view.at && view.at < hold.to)
    .map(hold => ({ ...hold, status: discharged ? 'hold' : 'pending' }));
}

/** Number of charged calendar days: the days after the last free day, until the container leaves the facility. */
export function daysOverdue({ calendar }: Backend, view: ContainerView, lastFreeDay: number | null): number {
  if (lastFreeDay === null) return 0;
  const { timeZone } = view.voyage.inland?.destination ?? view.voyage.pod;
  const until = view.last('container.transport.full_out')?.at ?? view.at;
  // A day has 23 or 25 hours when the clocks change. Therefore the number of days is rounded.
  return Math.max(0, Math.round((calendar.midnight(timeZone, until) - lastFreeDay) / DAY));
}
