import { containerState, type StateFacts } from './container-state.ts';
import type { NotAShipment } from './record-argument.ts';

/**
 * True if a container can be picked up: the terminal reports that it is available, no hold is active
 * (docs/service/records.md#readiness), and no known fact shows that the container has left, or is on a ship or a train.
 * The result is the same as `containerState(container).pickup === 'yes'`. `containerState()` also returns the reasons,
 * and distinguishes “no” from “not known”.
 *
 * If `availability_known` is `false`, the result is `false`: the service has no data from the terminal, so
 * `available_for_pickup` is meaningless. If `availability_known` is missing in a webhook payload, it counts as `true`.
 * A hold that is only expected (`pending`) does not count, and fees do not count.
 *
 * @throws {ConfigurationError} if `container` is missing, is a record of another type, or is a reference to a container
 * that was not included.
 */
export function isReadyForPickup(container: StateFacts & NotAShipment): boolean {
  return containerState(container).pickup === 'yes';
}
