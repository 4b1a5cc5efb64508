import type { Change, Feed, FieldOf, Shipment, TrackingError } from 'container-tracking-sdk';

/** A shipment as the feed reads it. */
export type BoardShipment = Shipment<['containers']>;
export type BoardContainer = BoardShipment['containers'][number];
export type ShipmentField = FieldOf<BoardShipment>;

/**
 * Keeps a map of shipments up to date with the service. The feed reports each shipment that appears, changes or
 * disappears.
 */
export async function followShipments(
  feed: Feed<BoardShipment, ShipmentField>,
  shipments: Map<string, BoardShipment>,
  listen: { changed: (change: Change<BoardShipment, ShipmentField>) => void; unread: (error: TrackingError) => void },
): Promise<void> {
  for await (const change of feed) {
    if (change.kind === 'unread') {
      if (change.error) listen.unread(change.error);
      continue;
    }
    if (change.kind === 'gone') shipments.delete(change.id);
    else shipments.set(change.id, change.record);
    listen.changed(change);
  }
}
