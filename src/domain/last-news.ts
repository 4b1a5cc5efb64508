import type { ContainerAttributes, ShipmentAttributes } from '../model/index.ts';
import { readInstant } from './instant.ts';
import type { PartialOrUndefined } from './record-argument.ts';

type ContainerFacts = PartialOrUndefined<
  Pick<
    ContainerAttributes,
    | 'created_at'
    | 'terminal_checked_at'
    | 'empty_out_at'
    | 'pol_full_in_at'
    | 'pol_vessel_loaded_at'
    | 'pol_vessel_departed_at'
    | 'pod_arrived_at'
    | 'pod_discharged_at'
    | 'pod_rail_loaded_at'
    | 'pod_rail_departed_at'
    | 'ind_ata_at'
    | 'ind_rail_unloaded_at'
  >
>;

type ShipmentFacts = PartialOrUndefined<Pick<ShipmentAttributes, 'line_tracking_last_succeeded_at'>>;

/**
 * Time of the last news about a container that was not picked up: the last response of the carrier or the terminal, the last
 * event, or the start of tracking. The time is as the service sent it.
 */
export function lastNews(container: ContainerFacts, shipment: ShipmentFacts | null): string | null {
  const times = [
    shipment?.line_tracking_last_succeeded_at,
    container.created_at,
    container.terminal_checked_at,
    container.empty_out_at,
    container.pol_full_in_at,
    container.pol_vessel_loaded_at,
    container.pol_vessel_departed_at,
    container.pod_arrived_at,
    container.pod_discharged_at,
    container.pod_rail_loaded_at,
    container.pod_rail_departed_at,
    container.ind_ata_at,
    container.ind_rail_unloaded_at,
  ];
  return times.reduce<string | null>((latest, time) => (time && epochOf(time) > epochOf(latest) ? time : latest), null);
}

function epochOf(time: string | null): number {
  return readInstant(time)?.epochMs ?? -Infinity;
}
