import type {
  MapCurrentVessel,
  MapEstimatedFullLeg,
  MapEstimatedPartialLeg,
  MapPastVesselLocations,
  MapPort,
} from './generated/records.ts';

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
  /** Its position. */
  geometry: Geometry;
  /** Its facts. Narrow them by `feature_type`. */
  properties: Properties;
}
