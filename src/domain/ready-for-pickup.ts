import { containerState, type StateFacts } from './container-state.ts';

/**
 * True if a container can be picked up: the terminal says that it is available, no hold is active
 * (docs/service/records.md#readiness), and it is known neither to be gone nor to be on a ship or a train. It is
 * `containerState(container).pickup === 'yes'`: the state also has the reason, and separates “no” from “not known”.
 *
 * If `availability_known` is `false`, the result is `false`: the service has no feed from the terminal, so
 * `available_for_pickup` means nothing. A webhook payload may leave `availability_known` out: then it counts as `true`.
 * A hold that is only expected (`pending`) does not count, and fees do not count. Without a container the result is `false`.
 */
export function isReadyForPickup(
  // Shipments have time zones too: without them, the compiler refuses a shipment.
  container: Omit<StateFacts, 'pod_timezone' | 'final_destination_timezone' | 'empty_terminated_timezone'>,
): boolean {
  return containerState(container).pickup === 'yes';
}
