import { DAY, iso } from '../base/time.ts';
import type { ContainerFacts } from './facts.ts';

/** A container is near its last free day from two days before it. */
const NEAR = 2 * DAY;

/** Whether a container that can still be picked up is near its last free day, or past it. */
export function needsAttention({ backend, box }: ContainerFacts): boolean {
  if (!box.pickup_lfd || box.pod_full_out_at || box.final_destination_full_out_at) return false;
  return box.pickup_lfd.slice(0, 10) <= iso(backend.now + NEAR).slice(0, 10);
}

/** Those that need attention come first, the earliest last free day before the others. */
export function attentionRank(facts: ContainerFacts): string | null {
  const day = facts.box.pickup_lfd;
  return day ? `${needsAttention(facts) ? 0 : 1} ${day}` : null;
}
