import type { TransportEventName } from '../../model/index.ts';
import type { Ids } from '../base/random.ts';
import type { Calendar } from './calendar.ts';
import type { Place, Places, Port, Terminal } from './places.ts';
import type { Point } from './sea-route.ts';

/**
 * The plan of a whole voyage, past and future. It is made when tracking begins. Times are in ms since 1970.
 * `state/view.ts` decides which part of the plan is known at a certain time.
 */
export interface Voyage {
  /** The place that the empty containers come from. */
  origin: Place;
  pol: Port;
  pod: Port;
  podTerminal: Terminal;
  inland: Inland | null;
  /** One leg for each vessel. */
  legs: Leg[];
  /** The leg that a feeder sails. */
  feederLeg: Leg | null;
  firstLeg: Leg;
  lastLeg: Leg;
  /** The sailing that was announced as the last leg, until the vessel left without the container. */
  missed: { leg: Leg; until: number } | null;
  /** From this time on, the carrier reports the vessel and the port of discharge. */
  knownFrom: number;
  /** Estimated departures from the port of lading, the earliest report first. */
  etd: Estimate[];
  /** Estimated arrivals at the port of discharge. */
  eta: Estimate[];
  /** The carrier's estimated arrivals at the inland destination. */
  destinationEta: Estimate[];
  boxes: BoxPlan[];
}

export interface Vessel {
  id: string;
  name: string;
  imo: string;
  mmsi: string;
}

/** One vessel's sailing from one port to the next. */
export interface Leg {
  from: Port;
  to: Port;
  /** The points of the route, from port to port. */
  path: Point[];
  vessel: Vessel;
  voyageNumber: string;
  departsAt: number;
  arrivesAt: number;
}

export interface RailMove {
  /** UN/LOCODE of a port or of a metro area. */
  destination: string;
  /** Nickname of the facility. */
  facility: string;
  /** SCAC of the railway. */
  railway: string;
}

/** The last sailing as the carrier announces it at a given time. */
export function lastSailing({ missed, lastLeg }: Pick<Voyage, 'missed' | 'lastLeg'>, at: number): Leg {
  return missed !== null && at < missed.until ? missed.leg : lastLeg;
}

/** The transport by rail after the port of discharge. */
export interface Inland {
  destination: Place;
  terminal: Terminal;
  /** SCAC of the railway. */
  railway: string;
  /** Duration of the rail transport. */
  hours: number;
}

export interface Estimate {
  /** Time at which the estimate is reported. */
  reportedAt: number;
  /** The estimated time. */
  value: number;
}

/** The plan of one container: everything that happens to it, past and future. */
export interface BoxPlan {
  /** The events, in the order in which they are reported. */
  events: PlannedEvent[];
  holds: PlannedHold[];
  /** True if customs examine the container. */
  exam: boolean;
  /** Times at which another day of demurrage is charged. */
  chargedAt: number[];
  /** Time at which the empty return is reported. */
  endsAt: number;
  yardSpot: string;
  chassis: string;
  seal: string | null;
  weightInLbs: number;
  equipment: { type: 'dry' | 'reefer'; length: 20 | 40 | 45; height: 'standard' | 'high_cube' };
}

export interface PlannedHold {
  name: 'freight' | 'customs';
  description: string;
  from: number;
  to: number;
}

export type DataSource = 'shipping_line' | 'terminal' | 'ais' | 'rail';

export interface PlannedEvent {
  id: string;
  /** Id of the carrier's raw event that this event comes from. */
  rawId: string;
  event: TransportEventName;
  /** Time at which the event happens. For an estimate: the estimated time. */
  at: number;
  reportedAt: number;
  place: Place;
  terminal: Terminal | null;
  leg: Leg | null;
  source: DataSource;
  /** The new time, if the event changes a deadline or an appointment. `null` for all other events. */
  value: number | null;
}

/** The objects that the planning of a voyage needs. */
export interface Planner {
  places: Places;
  calendar: Calendar;
  ids: Pick<Ids, 'of'>;
}
