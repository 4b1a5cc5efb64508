import { type ContainerStage, containerState, delays, demurrageDays, lastFreeDays } from 'container-tracking-sdk';
import { SOON_DAYS } from './free-time.ts';
import type { BoardShipment } from './shipments.ts';

/** The progress of a shipment: the progress of its container that is furthest behind. */
export type Phase = 'origin' | 'sea' | 'arrived' | 'done';

/** The contents of a row of the list. */
export interface Summary {
  phase: Phase;
  status: string;
  from: string;
  to: string;
  /** Time at which the shipment reaches, or has reached, the port of discharge, with the time zone of the port. */
  arrival: { at: string; timezone: string | null; isActual: boolean } | undefined;
  /** The completed part of the voyage, from 0 to 1. */
  progress: number;
  /** The tasks that somebody has to do now. */
  alerts: string[];
  /** True if a container is past its last free day. */
  isOnDemurrage: boolean;
  /** True if a container can be picked up, or its last free day is today or within a week. */
  isToPickUp: boolean;
  /** True if a container has not been picked up, and arrives a day or more after the first estimate. */
  isLate: boolean;
  /** The text that the search reads, in lower case. */
  text: string;
}

const PHASES: Record<ContainerStage, Phase> = {
  unknown: 'origin',
  booked: 'origin',
  at_origin: 'origin',
  on_ship: 'sea',
  arrived_at_port: 'arrived',
  at_port: 'arrived',
  on_rail: 'arrived',
  arrived_inland: 'arrived',
  at_inland: 'arrived',
  picked_up: 'done',
  delivered: 'done',
  empty_returned: 'done',
};
const ORDER: Phase[] = ['origin', 'sea', 'arrived', 'done'];

export function summarize(shipment: BoardShipment, now: Date): Summary {
  const [slowest] = shipment.containers.toSorted((a, b) => ORDER.indexOf(phaseOf(a)) - ORDER.indexOf(phaseOf(b)));
  const { pod_timezone: timezone = null, pod_ata_at, pod_eta_at } = shipment;
  const at = pod_ata_at ?? pod_eta_at;
  const from = shipment.port_of_lading_name ?? 'Origin not known yet';
  const to = shipment.destination_name ?? shipment.port_of_discharge_name ?? 'destination not known yet';
  return {
    phase: slowest ? phaseOf(slowest) : 'origin',
    status: slowest?.current_status ?? 'new',
    from,
    to,
    arrival: at ? { at, timezone, isActual: Boolean(pod_ata_at) } : undefined,
    progress: progressOf(shipment, now),
    ...attention(shipment, now),
    text: searchText(shipment, from, to),
  };
}

export function phaseOf(container: Parameters<typeof containerState>[0]): Phase {
  return PHASES[containerState(container).stage];
}

const WEEK_DAYS = 7;

type Attention = Pick<Summary, 'alerts' | 'isOnDemurrage' | 'isToPickUp' | 'isLate'>;

function attention(shipment: BoardShipment, now: Date): Attention {
  const waiting = shipment.containers.filter(container => phaseOf(container) === 'arrived');
  const states = waiting.map(container => containerState(container));
  const deadlines = waiting.flatMap(container => lastFreeDays(container, { now }).earliest ?? []);
  const running = deadlines.filter(({ hasEnded, daysLeft }) => !hasEnded && daysLeft >= 0);
  const left = Math.min(...running.map(({ daysLeft }) => daysLeft));
  const isOnDemurrage = waiting.some(container => demurrageDays(container, { now })?.state === 'running');
  const { arrival, destination } = delays(shipment);

  const alerts = [...new Set(states.flatMap(({ holds }) => holds.map(({ name }) => `${name} hold`)))];
  if (isOnDemurrage) alerts.push('Demurrage');
  if (left <= SOON_DAYS) alerts.push(left === 0 ? 'Last free day' : `${left} free ${left === 1 ? 'day' : 'days'} left`);
  return {
    alerts,
    isOnDemurrage,
    isToPickUp: left <= WEEK_DAYS || states.some(({ pickup }) => pickup === 'yes'),
    isLate:
      shipment.containers.some(container => phaseOf(container) !== 'done') &&
      [arrival, destination].some(delay => delay !== null && delay.days >= 1),
  };
}

function progressOf({ pol_atd_at, pod_ata_at, pod_eta_at }: BoardShipment, now: Date): number {
  if (pod_ata_at) return 1;
  if (!pol_atd_at || !pod_eta_at) return 0;
  const [begin, end] = [Date.parse(pol_atd_at), Date.parse(pod_eta_at)];
  return Math.min(0.98, Math.max(0.02, (now.getTime() - begin) / (end - begin)));
}

function searchText(shipment: BoardShipment, from: string, to: string): string {
  const { bill_of_lading_number, shipping_line_name, customer_name, pod_vessel_name, ref_numbers, tags } = shipment;
  const numbers = shipment.containers.map(({ number }) => number);
  const all = [bill_of_lading_number, shipping_line_name, customer_name, pod_vessel_name, from, to, ...numbers];
  return [...all, ...(ref_numbers ?? []), ...(tags ?? [])].join(' ').toLowerCase();
}
