import type { ContainerStatus, TrackingRequestStatus } from '../model/index.ts';

/** For each status, the statuses that usually come next (docs/service/records.md#status-of-a-container). */
type Graph = Readonly<Record<string, readonly string[]>>;

const AT_TERMINAL = ['grounded', 'available', 'not_available', 'off_dock', 'awaiting_inland_transfer'];

export const NEXT: { readonly container: Graph; readonly tracking_request: Graph } = {
  container: {
    new: ['on_ship'],
    on_ship: AT_TERMINAL,
    grounded: ['available', 'not_available', 'off_dock', 'awaiting_inland_transfer', 'on_rail', 'picked_up'],
    available: ['not_available', 'off_dock', 'on_rail', 'picked_up'],
    not_available: ['available', 'off_dock', 'on_rail', 'picked_up'],
    off_dock: ['grounded', 'available', 'not_available', 'on_rail', 'picked_up'],
    awaiting_inland_transfer: ['off_dock', 'on_rail'],
    on_rail: ['grounded', 'available', 'not_available', 'off_dock'],
    picked_up: ['delivered', 'empty_returned'],
    delivered: ['empty_returned'],
    empty_returned: [],
  },
  tracking_request: {
    pending: ['awaiting_manifest', 'created', 'failed'],
    awaiting_manifest: ['pending', 'created', 'failed'],
    created: ['tracking_stopped'],
    failed: [],
    tracking_stopped: ['created'],
  },
};

/**
 * The statuses that an event proves. A discharge or an unloading proves only that the status is one of several
 * statuses. `delivered` is not listed, because only a person sets it.
 */
export const STATUSES_OF_EVENT: Readonly<Record<string, readonly (ContainerStatus | TrackingRequestStatus)[]>> = {
  'container.transport.vessel_loaded': ['on_ship'],
  'container.transport.vessel_departed': ['on_ship'],
  'container.transport.transshipment_arrived': ['on_ship'],
  'container.transport.transshipment_discharged': ['on_ship'],
  'container.transport.transshipment_loaded': ['on_ship'],
  'container.transport.transshipment_departed': ['on_ship'],
  'container.transport.vessel_arrived': ['on_ship'],
  'container.transport.vessel_berthed': ['on_ship'],
  'container.transport.vessel_discharged': AT_TERMINAL,
  'container.transport.available': ['available'],
  'container.transport.not_available': ['not_available'],
  'container.transport.rail_loaded': ['on_rail'],
  'container.transport.rail_departed': ['on_rail'],
  'container.transport.rail_unloaded': ['grounded', 'available', 'not_available', 'off_dock'],
  'container.transport.full_out': ['picked_up'],
  'container.transport.empty_in': ['empty_returned'],
  'tracking_request.awaiting_manifest': ['awaiting_manifest'],
  'tracking_request.succeeded': ['created'],
  'tracking_request.failed': ['failed'],
  'tracking_request.tracking_stopped': ['tracking_stopped'],
};

/** The events that mark a change of the status. Other events only show that the status is still the same. */
export const CHANGES: ReadonlySet<string> = new Set([
  'container.transport.vessel_loaded',
  'container.transport.vessel_discharged',
  'container.transport.available',
  'container.transport.not_available',
  'container.transport.rail_loaded',
  'container.transport.rail_unloaded',
  'container.transport.full_out',
  'container.transport.empty_in',
  'tracking_request.awaiting_manifest',
  'tracking_request.succeeded',
  'tracking_request.failed',
  'tracking_request.tracking_stopped',
]);

/** True if a path leads from one status to another, and does not contain the status `without`. */
function reaches(graph: Graph, from: string, to: string, without?: string): boolean {
  const seen = new Set([from]);
  for (const status of seen) {
    if (status === without) continue;
    for (const next of graph[status] ?? []) {
      if (next === to) return true;
      seen.add(next);
    }
  }
  return false;
}

/**
 * Compares a change of status with the usual order. Returns `null` if the step is usual, or if the status has not
 * changed.
 */
export function jumpBetween(
  graph: Graph,
  from: string,
  to: string,
): { kind: 'skipped' | 'reversed' | 'unknown'; unseen: string[] } | null {
  if (from === to) return null;
  const next = graph[from];
  if (next === undefined || graph[to] === undefined) return { kind: 'unknown', unseen: [] };
  if (next.includes(to)) return null;
  if (!reaches(graph, from, to)) return { kind: 'reversed', unseen: [] };
  const others = Object.keys(graph).filter(status => status !== from && status !== to);
  return { kind: 'skipped', unseen: others.filter(status => !reaches(graph, from, to, status)) };
}
