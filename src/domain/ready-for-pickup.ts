import { containerState, type StateFacts } from './container-state.ts';

/**
 * True if a container can be picked up: the terminal reports that it is available, no hold is active
 * (docs/service/records.md#readiness), and it is not known to have left or to be on a ship or a train. It is
 * `containerState(container).pickup === 'yes'`. The state also has the reason, and distinguishes “no” from “not known”.
 *
 * If `availability_known` is `false`, the result is `false`: the service has no data from the terminal, so
 * `available_for_pickup` is meaningless. If a webhook payload lacks `availability_known`, it counts as `true`.
 * A hold that is only expected (`pending`) does not count, and fees do not count. Without a container, the result is `false`.
 */
export function isReadyForPickup(
  // Shipments have time zones too. Without these fields, the compiler refuses a shipment.
  container: Omit<StateFacts, 'pod_timezone' | 'final_destination_timezone' | 'empty_terminated_timezone'>,
): boolean {
  return containerState(container).pickup === 'yes';
}
