import type { Alert, Feed, TrackingClient } from 'container-tracking-sdk';
import type { BoardShipment, ShipmentField } from '../data/shipments.ts';

/** The source of the board's data: the sandbox in this page, or the service behind your server. */
export interface Service {
  client: TrackingClient;
  /** The changes of all shipments and their containers. */
  feed: Feed<BoardShipment, ShipmentField>;
  /** The notifications, the oldest first. A feed that takes them reads only the records that they are about. */
  notifications: AsyncIterable<Arrived>;
  /** The time of the service. */
  now(): Date;
  /** Moves the time forward. Only the sandbox can. */
  advance?: (hours: number) => Promise<void>;
  /** Interval in ms at which positions on the map are read again. */
  refreshMs: number;
}

/** A notification, as far as the board shows it. */
export interface Arrived {
  event: string;
  /** The change that it is shown for; `undefined` if the event says it. */
  alert: Alert | undefined;
  /** Time at which it happened. */
  at: string;
  /** The number of the container, of the shipment or of the document. */
  about: string | undefined;
  shipmentId: string | undefined;
  /** More about it, such as the fields that have changed. */
  note: string | undefined;
}
