import type { IncludeList, OptionalToOne, ToMany, ToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { DateTime, Open } from './scalars.ts';

/** The journey of a container from place to place. A paid feature. */
export interface Route<I extends IncludeList = []>
  extends ResourceRecord<'route', I>,
    RouteAttributes,
    RouteRelationships<I> {}

/** A place on a route, with how the container comes and goes. `inbound_*` is `null` at the first place, `outbound_*` at the last. */
export interface RouteLocation<I extends IncludeList = []>
  extends ResourceRecord<'route_location', I>,
    RouteLocationAttributes,
    RouteLocationRelationships<I> {}

/** The fields of a route. */
export interface RouteAttributes {
  /** When the service made the route. */
  created_at: DateTime;
  /** When the service last changed the route. */
  updated_at: DateTime;
}

/** What a route is related to. */
export interface RouteRelationships<I extends IncludeList = []> {
  /** The container that travels. */
  cargo: ToOne<I, 'cargo', 'container'>;
  /** The shipment of the container. */
  shipment: ToOne<I, 'shipment', 'shipment'>;
  /** The places on the way, in the order of travel. */
  route_locations: ToMany<I, 'route_locations', 'route_location'>;
}

/** How a container travels on a leg. */
export type TransportMode = Open<'vessel' | 'rail'>;

/** The fields of a route location. */
export interface RouteLocationAttributes {
  /** SCAC of the carrier that brings the container. */
  inbound_scac: string | null;
  /** How the container arrives. */
  inbound_mode: TransportMode | null;
  /** Voyage that the container arrives with. */
  inbound_voyage_number: string | null;
  /** Estimated arrival, in the time zone of the place. */
  inbound_eta_at: DateTime | null;
  /** Actual arrival, in the time zone of the place. */
  inbound_ata_at: DateTime | null;
  /** SCAC of the carrier that takes the container on. */
  outbound_scac: string | null;
  /** How the container leaves. */
  outbound_mode: TransportMode | null;
  /** Voyage that the container leaves with. */
  outbound_voyage_number: string | null;
  /** Estimated departure, in the time zone of the place. */
  outbound_etd_at: DateTime | null;
  /** Actual departure, in the time zone of the place. */
  outbound_atd_at: DateTime | null;
  /** When the service added the place to the route. */
  created_at: DateTime;
  /** When the service last changed the place. */
  updated_at: DateTime;
}

/** What a route location is related to. */
export interface RouteLocationRelationships<I extends IncludeList = []> {
  /** The route that the place is on. */
  route: ToOne<I, 'route', 'route'>;
  /** The place itself. */
  location: ToOne<I, 'location', 'port' | 'terminal'>;
  /** The facility at the place, where it is known. */
  facility: OptionalToOne<I, 'facility', 'terminal' | 'port'>;
  /** The ship that the container arrives with; `null` for rail and at the first place. */
  inbound_vessel: ToOne<I, 'inbound_vessel', 'vessel'> | null;
  /** The ship that the container leaves with; `null` for rail and at the last place. */
  outbound_vessel: ToOne<I, 'outbound_vessel', 'vessel'> | null;
}
