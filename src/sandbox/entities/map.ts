import type {
  MapCurrentVessel,
  MapEstimatedFullLeg,
  MapEstimatedPartialLeg,
  MapFeature,
  MapFeatureCollection,
  MapPastVesselLocations,
  MapPort,
} from '../../model/index.ts';
import { defined } from '../base/defined.ts';
import { iso, isoOrNull } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import { type PortStop, portStops } from '../state/stops.ts';
import type { Container } from '../state/store.ts';
import { viewContainer } from '../state/view.ts';
import type { Leg } from '../world/plan.ts';
import { type Point, positionOn } from '../world/sea-route.ts';
import { lastReport } from './vessel.ts';

/** The number of points of each line. */
const POINTS = 24;

/** The map of a container's journey at sea, as GeoJSON. Empty until the carrier reports the route. */
export function mapOf(backend: Backend, box: Container): MapFeatureCollection {
  const view = viewContainer(backend, box);
  const stops = portStops(view);
  const features = stops.flatMap((_, index) => [
    portFeature(stops, index, iso(view.at)),
    ...legFeatures(backend, stops, index, view.at),
  ]);
  return { type: 'FeatureCollection', features };
}

function labelOf(stops: PortStop[], index: number): string {
  if (index === 0) return 'POL';
  return index === stops.length - 1 ? 'POD' : `TS${index}`;
}

function portFeature(stops: PortStop[], index: number, updatedAt: string): MapFeature {
  const { place, inbound, outbound } = defined(stops[index]);
  const properties: MapPort = {
    feature_type: 'port',
    ports_sequence: index + 1,
    ports_total: stops.length,
    location_id: place.id,
    location_type: 'Port',
    name: place.name,
    state_abbr: place.stateAbbr,
    state: place.state,
    country_code: place.countryCode,
    country: place.country,
    time_zone: place.timeZone,
    inbound_eta_at: isoOrNull(inbound?.expectedAt),
    inbound_ata_at: isoOrNull(inbound?.happenedAt),
    outbound_etd_at: isoOrNull(outbound?.expectedAt),
    outbound_atd_at: isoOrNull(outbound?.happenedAt),
    label: labelOf(stops, index),
    updated_at: updatedAt,
  };
  return { type: 'Feature', geometry: { type: 'Point', coordinates: coordinates(place) }, properties };
}

/** The features of the leg that begins at a port. They depend on whether it is completed, under way or in the future. */
function legFeatures(backend: Backend, stops: PortStop[], index: number, at: number): MapFeature[] {
  const leg = defined(stops[index]).outbound?.by;
  const next = stops[index + 1];
  if (leg === undefined || typeof leg === 'string' || next === undefined) return [];
  if (at < leg.departsAt) return [fullLeg(leg, index + 1)];
  const isRunning = at < leg.arrivesAt;
  const past = pastLocations(leg, index + 1, at, next);
  return isRunning ? [currentVessel(backend, leg, stops, index), past, partialLeg(leg, index + 1, at)] : [past];
}

function fullLeg(leg: Leg, sequence: number): MapFeature {
  const properties: MapEstimatedFullLeg = {
    feature_type: 'estimated_full_legs',
    ports_sequence: sequence,
    previous_port_id: leg.from.id,
    next_port_id: leg.to.id,
    point_count: POINTS,
  };
  return line(leg, 0, 1, properties);
}

function pastLocations(leg: Leg, sequence: number, at: number, next: PortStop): MapFeature {
  const end = Math.min(at, leg.arrivesAt);
  const properties: MapPastVesselLocations = {
    feature_type: 'past_vessel_locations',
    ports_sequence: sequence,
    vessel_id: leg.vessel.id,
    start_time: iso(leg.departsAt),
    end_time: iso(end),
    point_count: POINTS,
    outbound_atd_at: iso(leg.departsAt),
    inbound_ata_at: isoOrNull(next.inbound?.happenedAt),
    inbound_eta_at: isoOrNull(next.inbound?.expectedAt),
  };
  return line(leg, 0, shareOf(leg, end), properties);
}

function partialLeg(leg: Leg, sequence: number, at: number): MapFeature {
  const properties: MapEstimatedPartialLeg = {
    feature_type: 'estimated_partial_leg',
    ports_sequence: sequence,
    current_port_id: leg.from.id,
    next_port_id: leg.to.id,
    point_count: POINTS,
  };
  return line(leg, shareOf(leg, at), 1, properties);
}

function currentVessel(backend: Backend, leg: Leg, stops: PortStop[], index: number): MapFeature {
  const { vessel, voyageNumber, from, to } = leg;
  const report = lastReport(backend, leg);
  const properties: MapCurrentVessel = {
    feature_type: 'current_vessel',
    ports_sequence: index + 1,
    vessel_id: vessel.id,
    vessel_name: vessel.name,
    vessel_imo: vessel.imo,
    voyage_number: voyageNumber,
    vessel_location_timestamp: iso(report.at),
    vessel_location_heading: report.heading,
    vessel_location_speed: report.knots,
    departure_port_id: from.id,
    departure_port_name: from.name,
    departure_port_state_abbr: from.stateAbbr,
    departure_port_state: from.state,
    departure_port_country_code: from.countryCode,
    departure_port_country: from.country,
    departure_port_label: labelOf(stops, index),
    departure_port_atd: iso(leg.departsAt),
    departure_port_time_zone: from.timeZone,
    arrival_port_id: to.id,
    arrival_port_name: to.name,
    arrival_port_state_abbr: to.stateAbbr,
    arrival_port_state: to.state,
    arrival_port_country_code: to.countryCode,
    arrival_port_country: to.country,
    arrival_port_label: labelOf(stops, index + 1),
    arrival_port_eta: isoOrNull(stops[index + 1]?.inbound?.expectedAt),
    arrival_port_time_zone: to.timeZone,
  };
  return { type: 'Feature', geometry: { type: 'Point', coordinates: coordinates(report) }, properties };
}

const shareOf = ({ departsAt, arrivesAt }: Leg, at: number) => (at - departsAt) / (arrivesAt - departsAt);
const coordinates = ({ longitude, latitude }: Point): [number, number] => [longitude, latitude];

type LineProperties = MapPastVesselLocations | MapEstimatedFullLeg | MapEstimatedPartialLeg;

/** A part of a leg's path, from one share to another. */
function line(leg: Leg, from: number, to: number, properties: LineProperties): MapFeature {
  const points = Array.from({ length: POINTS }, (_, index) =>
    coordinates(positionOn(leg.path, from + ((to - from) * index) / (POINTS - 1))),
  );
  return { type: 'Feature', geometry: { type: 'LineString', coordinates: points }, properties } as MapFeature;
}
