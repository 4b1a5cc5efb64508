import { HOUR } from '../base/time.ts';
import type { Port, Terminal } from '../world/places.ts';
import type { Leg } from '../world/plan.ts';
import { type ContainerView, currentEstimate } from './view.ts';

/** A stop of a container's route, as it is known at the time of the view. */
export interface Stop {
  place: Port | Terminal;
  /** The terminal or rail facility, once it is known. */
  facility?: Terminal | undefined;
  /** `null` for the first stop. */
  inbound: Passage | null;
  /** `null` for the last stop. */
  outbound: Passage | null;
}

export interface PortStop extends Stop {
  place: Port;
}

/** An arrival or a departure. */
export interface Passage {
  /** The SCAC of a railway, or the leg of a vessel. */
  by: string | Leg;
  /** `null` when it has happened. */
  expectedAt: number | null;
  happenedAt: number | null;
}

/** The ports in their order. Empty until the carrier reports the route. */
export function portStops({ voyage, at }: ContainerView): PortStop[] {
  if (at < voyage.knownFrom) return [];
  const { legs, firstLeg, lastLeg, etd, eta } = voyage;
  const departures = legs.map(leg =>
    passage(leg, leg.departsAt, leg === firstLeg ? currentEstimate(etd, at) : null, at),
  );
  const arrivals = legs.map(leg => passage(leg, leg.arrivesAt, leg === lastLeg ? currentEstimate(eta, at) : null, at));
  return [firstLeg.from, ...legs.map(leg => leg.to)].map((place, index) => ({
    place,
    inbound: arrivals[index - 1] ?? null,
    outbound: departures[index] ?? null,
  }));
}

/** @param announced The carrier's estimate. Without one, the planned time is rounded to the hour. */
function passage(by: Leg, time: number, announced: number | null, at: number): Passage {
  return time <= at
    ? { by, expectedAt: null, happenedAt: time }
    : { by, expectedAt: announced ?? Math.round(time / HOUR) * HOUR, happenedAt: null };
}

/** The terminal of the port of discharge is known from the departure on. */
function podFacility({ voyage, last }: ContainerView): Terminal | undefined {
  return last('container.transport.vessel_departed') === undefined ? undefined : voyage.podTerminal;
}

/** The ports and, for a transport by rail, the inland destination. */
export function allStops(view: ContainerView): Stop[] {
  const stops: Stop[] = portStops(view);
  const { inland } = view.voyage;
  const pod = stops.at(-1);
  if (pod === undefined) return stops;
  if (inland === null) return [...stops.slice(0, -1), { ...pod, facility: podFacility(view) }];

  const by = inland.railway;
  const departed = view.last('container.transport.rail_departed')?.at ?? null;
  const arrived = view.last('container.transport.arrived_at_inland_destination')?.at ?? null;
  const expected = view.last('container.transport.estimated.arrived_at_inland_destination')?.at ?? null;
  const { destination, terminal } = inland;
  return [
    ...stops.slice(0, -1),
    { ...pod, facility: podFacility(view), outbound: { by, expectedAt: null, happenedAt: departed } },
    {
      place: destination.type === 'port' ? destination : terminal,
      facility: terminal,
      inbound: { by, expectedAt: arrived === null ? expected : null, happenedAt: arrived },
      outbound: null,
    },
  ];
}
