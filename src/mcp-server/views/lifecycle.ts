import type { ContainerAttributes } from '../../records/container.ts';
import { text } from './read.ts';

/** Where a container is on its journey, read from its times: guidance where the service gives no status. */
export type Lifecycle =
  | 'in_transit'
  | 'arrived'
  | 'delivered'
  | 'on_rail'
  | 'available_for_pickup'
  | 'discharged'
  | 'at_terminal';

export type LifecycleFacts = Pick<
  ContainerAttributes,
  | 'current_status'
  | 'pod_arrived_at'
  | 'pod_discharged_at'
  | 'delivered_at'
  | 'pod_rail_loaded_at'
  | 'final_destination_full_out_at'
  | 'available_for_pickup'
>;

export function lifecycleOf(container: LifecycleFacts): Lifecycle {
  if (container.delivered_at) return 'delivered';
  if (!container.pod_arrived_at) return 'in_transit';
  if (!container.pod_discharged_at) return 'arrived';
  if (container.pod_rail_loaded_at && !container.final_destination_full_out_at) return 'on_rail';
  if (container.available_for_pickup === true) return 'available_for_pickup';
  return container.available_for_pickup === false ? 'discharged' : 'at_terminal';
}

/** The service's own word, else the one that is read from the times. */
export function statusOf(container: LifecycleFacts): { status: string; status_source: 'current_status' | 'derived' } {
  const status = text(container.current_status);
  return status
    ? { status, status_source: 'current_status' }
    : { status: lifecycleOf(container), status_source: 'derived' };
}

/** What matters at each stage. */
export const STAGES: Record<Lifecycle, { fields: string[]; guidance: string; next?: string }> = {
  in_transit: {
    fields: ['status', 'shipment', 'events'],
    guidance: 'Tell where the box is bound for and when the ship is expected. There are no pickup facts yet.',
    next: 'Use get_shipment_details for the estimated arrival.',
  },
  arrived: {
    fields: ['location.pod_arrived_at_local', 'demurrage.pickup_lfd_local'],
    guidance: 'The ship has arrived, and the box is still on board. Tell the time of arrival in local time.',
  },
  at_terminal: {
    fields: ['location', 'demurrage'],
    guidance: 'The box is at the terminal, which does not say whether it can be picked up. Tell that it is not known.',
  },
  discharged: {
    fields: ['demurrage.holds_at_pod_terminal', 'demurrage.fees_at_pod_terminal', 'demurrage.pickup_lfd_local'],
    guidance: 'The box cannot be picked up. Tell what holds it, what is to be paid, and the last free day.',
  },
  available_for_pickup: {
    fields: ['demurrage.pickup_lfd_local', 'demurrage.days_until_lfd', 'location.current_location'],
    guidance: 'The box can be picked up. Begin with the last free day and how many days are left.',
  },
  on_rail: {
    fields: ['rail', 'demurrage.last_free_days.rail'],
    guidance: 'The box travels inland by train. Tell the railway and when it is expected there.',
    next: 'Use get_container_transport_events for the stops of the train.',
  },
  delivered: { fields: ['status'], guidance: 'The journey is over: a person has marked the box as delivered.' },
};
