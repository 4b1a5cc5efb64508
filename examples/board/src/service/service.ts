import type { Alert, Feed, TrackingClient } from 'container-tracking-sdk';
import type { BoardShipment, ShipmentField } from '../data/shipments.ts';

/** The source of the board's data: the sandbox in this page, or the service behind your server. */
export interface Service {
  client: TrackingClient;
  /** The changes of all shipments and their containers. */
  feed: Feed<BoardShipment, ShipmentField>;
  /**
   * The notifications, the oldest first. A feed that receives the notifications reads only the records that these
   * notifications are about.
   */
  notifications: AsyncIterable<Arrived>;
  /** The time of the service. */
  now(): Date;
  /** Moves the time forward. Only the sandbox has this function. */
  advance?: (hours: number) => Promise<void>;
  /** Interval in ms at which positions on the map are read again. */
  refreshMs: number;
}

/** The parts of a notification that the board shows. */
export interface Arrived {
  event: string;
  /** The change to show; `undefined` if the name of the event describes it. */
  alert: Alert | undefined;
  /** Time of the event. */
  at: string;
  /** The number of the container, of the shipment or of the document. */
  about: string | undefined;
  shipmentId: string | undefined;
  /** Details, such as the fields that have changed. */
  note: string | undefined;
}
