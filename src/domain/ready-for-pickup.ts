import type { ContainerAttributes } from '../records/container.ts';
import type { PartialOrUndefined } from './partial-or-undefined.ts';

/**
 * Whether a container can be picked up: the terminal says that it is available, and no hold is active
 * (docs/service/records.md#readiness).
 *
 * If `availability_known` is `false`, the result is `false`: the service has no feed from the terminal, so
 * `available_for_pickup` means nothing. A webhook payload may leave `availability_known` out: then it counts as `true`.
 * A hold that is only expected (`pending`) does not count, and fees do not count. Without a container the result is `false`.
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
