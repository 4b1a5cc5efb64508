import type { Leg, Planner, Voyage } from '../world/plan.ts';
import type { Vessel } from '../world/vessels.ts';
import { planVoyage } from '../world/voyage.ts';
import type { Shipment } from './store.ts';

export interface VesselOnLeg {
  vessel: Vessel;
  leg: Leg;
}

/** The voyages of all shipments. Each is planned when it is first needed. */
export interface Voyages {
  of(shipment: Shipment): Voyage;
  /** A vessel of one of these voyages, by id or by IMO number. */
  vessel(idOrImo: string): VesselOnLeg | undefined;
}

export function createVoyages(planner: Planner, seed: number): Voyages {
  const planned = new WeakMap<Shipment, Voyage>();
  const vessels = new Map<string, VesselOnLeg>();
  return {
    of(shipment) {
      let voyage = planned.get(shipment);
      if (voyage === undefined) {
        voyage = planVoyage(planner, {
          seed,
          number: shipment.number,
          shipmentId: shipment.id,
          containerIds: shipment.containers.map(container => container.id),
          inPhaseAt: shipment.inPhaseAt,
          phase: shipment.phase,
        });
        planned.set(shipment, voyage);
        for (const leg of voyage.legs) {
          vessels.set(leg.vessel.id, { vessel: leg.vessel, leg });
          vessels.set(leg.vessel.imo, { vessel: leg.vessel, leg });
        }
      }
      return voyage;
    },
    vessel: idOrImo => vessels.get(idOrImo),
  };
}
