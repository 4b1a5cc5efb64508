import type { Backend } from '../state/backend.ts';
import type { Shipment } from '../state/store.ts';
import { type ShipmentFacts, shipmentFacts } from './facts.ts';
import { columnsOf, inOrder, type SortValue } from './order.ts';

/** What each token of `sort` sorts by. Both forms of `created_at` give the newest first, as no token does. */
const VALUES = new Map<string, (facts: ShipmentFacts) => SortValue>([
  ['pod_arrival', ({ ship }) => ship.pod_ata_at ?? ship.pod_eta_at],
  ['tracking_stopped_at', ({ ship }) => ship.line_tracking_stopped_at],
]);

/** The shipments in the order of `sort`. It is one token; an unknown one gives the newest first. */
export function shipmentsInOrder(backend: Backend, newestFirst: Shipment[], sort: string | null): Shipment[] {
  const columns = sort?.includes(',') ? [] : columnsOf(sort, VALUES, 1);
  return columns.length === 0 ? newestFirst : inOrder(newestFirst, columns, shipmentFacts(backend));
}
