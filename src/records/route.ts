import type { LinkedRecord } from '../jsonapi/include.ts';
import type { DateTime, Open, Ref } from './model.ts';

/** The journey of a container from place to place (api/resources.md, route). A paid feature. */
export type Route<I = []> = LinkedRecord<'route', I>;

/** A place on a route, with how the container comes and goes (api/resources.md, route_location). */
export type RouteLocation<I = []> = LinkedRecord<'route_location', I>;

export interface RouteAttributes {
  created_at: DateTime;
  updated_at: DateTime;
}

export interface RouteRelationships {
  cargo: Ref<'container'>;
  shipment: Ref<'shipment'>;
  /** In the order of travel. */
  route_locations: Ref<'route_location'>[];
}

export type TransportMode = Open<'vessel' | 'rail'>;

/** `inbound_*` is `null` at the first place, `outbound_*` at the last. */
export interface RouteLocationAttributes {
  inbound_scac: string | null;
  inbound_mode: TransportMode | null;
  inbound_voyage_number: string | null;
  inbound_eta_at: DateTime | null;
  inbound_ata_at: DateTime | null;
  outbound_scac: string | null;
  outbound_mode: TransportMode | null;
  outbound_voyage_number: string | null;
  outbound_etd_at: DateTime | null;
  outbound_atd_at: DateTime | null;
  created_at: DateTime;
  updated_at: DateTime;
}

export interface RouteLocationRelationships {
  route: Ref<'route'>;
  location: Ref<'port' | 'terminal'>;
  facility?: Ref<'terminal' | 'port'>;
  inbound_vessel: Ref<'vessel'> | null;
  outbound_vessel: Ref<'vessel'> | null;
}
