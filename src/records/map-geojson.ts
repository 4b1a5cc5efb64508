import type { DateTime } from './model.ts';

/** Map data of a container's journey (api/resources.md, Map GeoJSON). `features` is empty while nothing is known. */
export interface MapFeatureCollection {
  type: 'FeatureCollection';
  features: MapFeature[];
}

/**
 * Told apart by `properties.feature_type`.
 *
 * @example
 * if (feature.properties.feature_type === 'port') console.log(feature.properties.name);
 */
export type MapFeature =
  | Feature<Point, MapPort>
  | Feature<Point, MapCurrentVessel>
  | Feature<LineString, MapPastVesselLocations>
  | Feature<LineString, MapEstimatedFullLeg>
  | Feature<LineString, MapEstimatedPartialLeg>;

/** WGS84. */
type Position = [longitude: number, latitude: number];

interface Point {
  type: 'Point';
  coordinates: Position;
}

interface LineString {
  type: 'LineString';
  coordinates: Position[];
}

interface Feature<Geometry, Properties> {
  type: 'Feature';
  geometry: Geometry;
  properties: Properties;
}

/** A port on the route. */
export interface MapPort {
  feature_type: 'port';
  /** Position on the route, from 1. */
  ports_sequence: number;
  ports_total: number;
  /** Id of the port. */
  location_id: string;
  location_type: string;
  name: string;
  state_abbr: string | null;
  state: string | null;
  country_code: string;
  country: string;
  /** IANA time zone. */
  time_zone: string;
  /** `POL`, `POD`, or `TS1`, `TS2` and so on for transshipments. */
  label: string;
  inbound_eta_at: DateTime | null;
  inbound_ata_at: DateTime | null;
  outbound_etd_at: DateTime | null;
  outbound_atd_at: DateTime | null;
  updated_at: DateTime | null;
}

/** The vessel that carries the container now. Only at sea and where a position is known. */
export interface MapCurrentVessel {
  feature_type: 'current_vessel';
  /** Position of the port of departure on the route. */
  ports_sequence: number;
  vessel_id: string;
  vessel_name: string;
  vessel_imo: string;
  voyage_number: string | null;
  vessel_location_timestamp: DateTime;
  /** Degrees. */
  vessel_location_heading: number | null;
  /** Knots. */
  vessel_location_speed: number | null;
  departure_port_id: string;
  departure_port_name: string;
  departure_port_state_abbr: string | null;
  departure_port_state: string | null;
  departure_port_country_code: string;
  departure_port_country: string;
  departure_port_label: string;
  /** IANA time zone. */
  departure_port_time_zone: string;
  departure_port_atd: DateTime | null;
  arrival_port_id: string | null;
  arrival_port_name: string | null;
  arrival_port_state_abbr: string | null;
  arrival_port_state: string | null;
  arrival_port_country_code: string | null;
  arrival_port_country: string | null;
  arrival_port_label: string | null;
  /** IANA time zone. */
  arrival_port_time_zone: string | null;
  arrival_port_eta: DateTime | null;
}

/** A leg that is finished or running. */
export interface MapPastVesselLocations {
  feature_type: 'past_vessel_locations';
  ports_sequence: number;
  vessel_id: string;
  start_time: DateTime;
  end_time: DateTime;
  /** May exceed the number of coordinates: lines are simplified. */
  point_count: number;
  outbound_atd_at: DateTime | null;
  inbound_ata_at: DateTime | null;
  inbound_eta_at: DateTime | null;
}

/** A leg that has not started. */
export interface MapEstimatedFullLeg {
  feature_type: 'estimated_full_legs';
  ports_sequence: number;
  previous_port_id: string;
  next_port_id: string;
  /** May exceed the number of coordinates: lines are simplified. */
  point_count: number;
}

/** From the current vessel to its next port. */
export interface MapEstimatedPartialLeg {
  feature_type: 'estimated_partial_leg';
  ports_sequence: number;
  current_port_id: string;
  next_port_id: string;
  /** May exceed the number of coordinates: lines are simplified. */
  point_count: number;
}
