import { defined } from '../base/checks.ts';
import { HOUR } from '../base/time.ts';
import type { Leg, Planner, Vessel, Voyage } from '../world/plan.ts';
import { scriptNamed } from '../world/scripts.ts';
import { planVoyage } from '../world/voyage.ts';
import type { Container, Shipment, Store } from './store.ts';

/** A time of the service's clock at which webhooks may have to be notified. */
export interface Moment {
  at: number;
  what: 'event' | 'terminal' | 'estimate' | 'end';
  /** The container that the event, hold or fee belongs to. Missing for an estimate, and for the end of the tracking. */
  box?: Container;
  /** Position in the list of events, terminal changes or estimates. */
  index: number;
}

/** The moments of a voyage in their order. */
export function listMoments(voyage: Voyage, shipment: Shipment): Moment[] {
  const ofBoxes = shipment.containers.flatMap((box): Moment[] => {
    const { events, holds, chargedAt } = defined(voyage.boxes[box.index]);
    const atTerminal = [...holds.flatMap(({ from, to }) => [from, to]), ...chargedAt];
    return [
      ...events.map(({ reportedAt }, index) => ({ at: reportedAt, what: 'event' as const, box, index })),
      ...atTerminal.map((at, index) => ({ at, what: 'terminal' as const, box, index })),
    ];
  });
  const moments: Moment[] = [
    ...ofBoxes,
    ...voyage.eta.map(({ reportedAt }, index) => ({ at: reportedAt, what: 'estimate' as const, index })),
    { at: endOfTracking(shipment, voyage), what: 'end', index: 0 },
  ];
  return moments.sort((a, b) => a.at - b.at);
}

/**
 * The time at which the service automatically stops the tracking: two hours after the report about the return of the
 * last container.
 */
export function endOfTracking({ createdAt }: Shipment, { boxes }: Voyage): number {
  return Math.max(createdAt, ...boxes.map(box => box.endsAt)) + 2 * HOUR;
}

export interface VesselOnLeg {
  vessel: Vessel;
  leg: Leg;
}

/** Time of the last change of a container, and the time until which this value is valid. */
export interface LastChange {
  at: number;
  /** The next moment at which the value may change automatically. */
  next: number;
  /** The other values that the result depends on. */
  given: readonly unknown[];
}

/** The voyages of all shipments. Each voyage is planned when it is first needed. */
export interface Voyages {
  of(shipment: Shipment): Voyage;
  /** The moments of the voyage at which webhooks may have to be notified, in their order. */
  momentsOf(shipment: Shipment): readonly Moment[];
  /** A cache, because a list of many containers reads these values for each request. */
  readonly lastChanges: WeakMap<Container, LastChange>;
  /** A vessel of one of these voyages, by id or by IMO number. */
  vessel(idOrImo: string): VesselOnLeg | undefined;
}

export function createVoyages(planner: Planner, seed: number, { shipments }: Store): Voyages {
  const planned = new WeakMap<Shipment, Voyage>();
  const moments = new WeakMap<Shipment, Moment[]>();
  const vessels = new Map<string, VesselOnLeg>();

  function of(shipment: Shipment): Voyage {
    let voyage = planned.get(shipment);
    if (voyage === undefined) {
      voyage = planVoyage(planner, {
        seed,
        number: shipment.number,
        shipmentId: shipment.id,
        containerIds: shipment.containers.map(container => container.id),
        inPhaseAt: shipment.inPhaseAt,
        phase: shipment.phase,
        script: shipment.scenario && scriptNamed(shipment.scenario),
      });
      planned.set(shipment, voyage);
      for (const leg of [...voyage.legs, ...(voyage.missed ? [voyage.missed.leg] : [])]) {
        vessels.set(leg.vessel.id, { vessel: leg.vessel, leg });
        vessels.set(leg.vessel.imo, { vessel: leg.vessel, leg });
      }
    }
    return voyage;
  }

  return {
    of,
    lastChanges: new WeakMap(),
    momentsOf(shipment) {
      let listed = moments.get(shipment);
      if (listed === undefined) {
        listed = listMoments(of(shipment), shipment);
        moments.set(shipment, listed);
      }
      return listed;
    },
    vessel(idOrImo) {
      // It is possible that the voyage of a requested vessel is not planned yet. Therefore voyages are planned until
      // the vessel is found.
      if (!vessels.has(idOrImo)) for (const shipment of shipments.newestFirst()) of(shipment);
      return vessels.get(idOrImo);
    },
  };
}
