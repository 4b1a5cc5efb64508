import type { DateTime } from './scalars.ts';

/** Map data of a container's journey. `features` is empty while nothing is known. */
export interface MapFeatureCollection {
  type: 'FeatureCollection';
  /** Places, vessels and legs. Empty while nothing is known. */
  features: MapFeature[];
}

/**
 * Narrow it by `properties.feature_type`.
 *
 * @example
 * if (feature.properties.feature_type === 'port') console.log(feature.properties.name);
 */
export type MapFeature =
  | MapFeatureOf<MapPoint, MapPort>
  | MapFeatureOf<MapPoint, MapCurrentVessel>
  | MapFeatureOf<MapLineString, MapPastVesselLocations>
  | MapFeatureOf<MapLineString, MapEstimatedFullLeg>
  | MapFeatureOf<MapLineString, MapEstimatedPartialLeg>;

/** A point of the map (WGS 84), in decimal degrees. */
export type MapPosition = [longitude: number, latitude: number];

/** A point of GeoJSON. */
export interface MapPoint {
  type: 'Point';
  /** The point. */
  coordinates: MapPosition;
}

/** A line of GeoJSON. */
export interface MapLineString {
  type: 'LineString';
  /** The points of the line, in order. */
  coordinates: MapPosition[];
}

/** A feature of GeoJSON. */
export interface MapFeatureOf<Geometry, Properties> {
  type: 'Feature';
  /** Where it is. */
  geometry: Geometry;
  /** What it is. Narrow it by `feature_type`. */
  properties: Properties;
}

/** A port on the route. */
export interface MapPort {
  /** Tells the features apart. */
  feature_type: 'port';
  /** Position on the route, from 1. */
  ports_sequence: number;
  /** Number of ports on the route. */
  ports_total: number;
  /** Id of the port. */
  location_id: string;
  /** What the place is: `Port`. */
  location_type: string;
  /** Name of the port. */
  name: string;
  /** Abbreviation of the state or province. */
  state_abbr: string | null;
  /** Full name of the state or province. */
  state: string | null;
  /** ISO 3166 code of two letters. */
  country_code: string;
  /** Name of the country. */
  country: string;
  /** IANA time zone of the port. */
  time_zone: string;
  /** `POL`, `POD`, or `TS1`, `TS2` and so on for transshipments. */
  label: string;
  /** Estimated arrival, in the time zone of the port. */
  inbound_eta_at: DateTime | null;
  /** Actual arrival, in the time zone of the port. */
  inbound_ata_at: DateTime | null;
  /** Estimated departure, in the time zone of the port. */
  outbound_etd_at: DateTime | null;
  /** Actual departure, in the time zone of the port. */
  outbound_atd_at: DateTime | null;
  /** When the service last changed this. */
  updated_at: DateTime | null;
}

/** The vessel that carries the container now. Only at sea and where a position is known. */
export interface MapCurrentVessel {
  /** Tells the features apart. */
  feature_type: 'current_vessel';
  /** Position of the port of departure on the route. */
  ports_sequence: number;
  /** Id of the vessel, for `vessels.get`. */
  vessel_id: string;
  /** Name of the vessel. */
  vessel_name: string;
  /** IMO number of the vessel, seven digits. */
  vessel_imo: string;
  /** Voyage of the vessel. */
  voyage_number: string | null;
  /** When the position was reported. */
  vessel_location_timestamp: DateTime;
  /** Heading in degrees: 0 is north, 90 is east. */
  vessel_location_heading: number | null;
  /** Speed in knots. */
  vessel_location_speed: number | null;
  /** Id of the port that the vessel left. */
  departure_port_id: string;
  /** Name of that port. */
  departure_port_name: string;
  /** Abbreviation of the state or province. */
  departure_port_state_abbr: string | null;
  /** Full name of the state or province. */
  departure_port_state: string | null;
  /** ISO 3166 code of two letters. */
  departure_port_country_code: string;
  /** Name of the country. */
  departure_port_country: string;
  /** `POL`, or `TS1`, `TS2` and so on for a transshipment. */
  departure_port_label: string;
  /** IANA time zone of the port. */
  departure_port_time_zone: string;
  /** Actual departure, in `departure_port_time_zone`. */
  departure_port_atd: DateTime | null;
  /** Id of the port that the vessel goes to. */
  arrival_port_id: string | null;
  /** Name of that port. */
  arrival_port_name: string | null;
  /** Abbreviation of the state or province. */
  arrival_port_state_abbr: string | null;
  /** Full name of the state or province. */
  arrival_port_state: string | null;
  /** ISO 3166 code of two letters. */
  arrival_port_country_code: string | null;
  /** Name of the country. */
  arrival_port_country: string | null;
  /** `POD`, or `TS1`, `TS2` and so on for a transshipment. */
  arrival_port_label: string | null;
  /** IANA time zone of the port. */
  arrival_port_time_zone: string | null;
  /** Estimated arrival, in `arrival_port_time_zone`. */
  arrival_port_eta: DateTime | null;
}

/** A leg that is finished or running. */
export interface MapPastVesselLocations {
  /** Tells the features apart. */
  feature_type: 'past_vessel_locations';
  /** Position of the leg on the route: that of the port where it begins, from 1. */
  ports_sequence: number;
  /** Id of the vessel, for `vessels.get`. */
  vessel_id: string;
  /** Time of the first point. */
  start_time: DateTime;
  /** Time of the last point. */
  end_time: DateTime;
  /** May exceed the number of coordinates: lines are simplified. */
  point_count: number;
  /** Actual departure, in the time zone of the port. */
  outbound_atd_at: DateTime | null;
  /** Actual arrival, in the time zone of the port. */
  inbound_ata_at: DateTime | null;
  /** Estimated arrival, in the time zone of the port. */
  inbound_eta_at: DateTime | null;
}

/** A leg that has not started. */
export interface MapEstimatedFullLeg {
  /** Tells the features apart. */
  feature_type: 'estimated_full_legs';
  /** Position of the leg on the route: that of the port where it begins, from 1. */
  ports_sequence: number;
  /** Id of the port where the leg begins. */
  previous_port_id: string;
  /** Id of the port where the leg ends. */
  next_port_id: string;
  /** May exceed the number of coordinates: lines are simplified. */
  point_count: number;
}

/** From the current vessel to its next port. */
export interface MapEstimatedPartialLeg {
  /** Tells the features apart. */
  feature_type: 'estimated_partial_leg';
  /** Position of the leg on the route: that of the port where it begins, from 1. */
  ports_sequence: number;
  /** Id of the port that the vessel left. */
  current_port_id: string;
  /** Id of the port where the leg ends. */
  next_port_id: string;
  /** May exceed the number of coordinates: lines are simplified. */
  point_count: number;
}
