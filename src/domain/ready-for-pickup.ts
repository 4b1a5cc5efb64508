import { containerState, type StateFacts } from './container-state.ts';
import type { NotAShipment } from './record-argument.ts';

/**
 * True if a container can be picked up: the terminal reports that it is available, no hold is active
 * (docs/service/records.md#readiness), and it is not known to have left or to be on a ship or a train. It is
 * `containerState(container).pickup === 'yes'`. The state also has the reason, and distinguishes “no” from “not known”.
 *
 * If `availability_known` is `false`, the result is `false`: the service has no data from the terminal, so
 * `available_for_pickup` is meaningless. If a webhook payload lacks `availability_known`, it counts as `true`.
 * A hold that is only expected (`pending`) does not count, and fees do not count.
 *
 * @throws {ConfigurationError} for another record, for a reference to a container that was not included, and without a container.
 */
export function isReadyForPickup(container: StateFacts & NotAShipment): boolean {
  return containerState(container).pickup === 'yes';
}
