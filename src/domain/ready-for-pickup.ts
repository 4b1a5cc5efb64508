import type { ContainerAttributes } from '../records/container.ts';
import type { PartialOrUndefined } from './loose.ts';

/**
 * Whether a truck can be sent: the terminal says that the container is available, and no hold is active
 * (docs/service/records.md#readiness).
 *
 * `availability_known: false` wins over `available_for_pickup: true`: without a feed from the terminal the latter means
 * nothing, so the answer is `false`. A payload that leaves `availability_known` out does not say so, and counts as known.
 * A hold that is only expected (`pending`) does not count, and neither do fees. Without a container it is `false`.
 */
export function isReadyForPickup(
  container: PartialOrUndefined<
    Pick<ContainerAttributes, 'availability_known' | 'available_for_pickup' | 'holds_at_pod_terminal'>
  >,
): boolean {
  return (
    container?.availability_known !== false &&
    container?.available_for_pickup === true &&
    !container.holds_at_pod_terminal?.some(hold => hold.status === 'hold')
  );
}
