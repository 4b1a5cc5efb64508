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
 * A feature of the map. Narrow it by `properties.feature_type`.
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

/** A GeoJSON point. */
export interface MapPoint {
  type: 'Point';
  /** Position of the point. */
  coordinates: MapPosition;
}

/** A GeoJSON line. */
export interface MapLineString {
  type: 'LineString';
  /** The points of the line, in order. */
  coordinates: MapPosition[];
}

/** A GeoJSON feature. */
export interface MapFeatureOf<Geometry, Properties> {
  type: 'Feature';
  /** Position of the feature. */
  geometry: Geometry;
  /** Facts about the feature. Narrow them by `feature_type`. */
  properties: Properties;
}
