import type {
  MapCurrentVessel,
  MapEstimatedFullLeg,
  MapEstimatedPartialLeg,
  MapFeature,
  MapFeatureCollection,
  MapPastVesselLocations,
  MapPort,
} from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { HOUR, iso, isoOrNull } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Container, Entity } from '../state/store.ts';
import { entity } from '../state/store.ts';
import { type ContainerView, currentEstimate, viewContainer } from '../state/view.ts';
import type { Port, Terminal } from '../world/places.ts';
import type { Leg } from '../world/plan.ts';
import { type Point, positionOn } from '../world/sea-route.ts';
import { lastReport, port, terminal, vessel } from './place-entities.ts';
import { container, shipment } from './tracking-entities.ts';

/** A stop of a container's route, as it is known at the time of the view. */
export interface Stop {
  place: Port | Terminal;
  /** The terminal or rail facility, once it is known. */
  facility?: Terminal | undefined;
  /** The value is `null` for the first stop. */
  inbound: Passage | null;
  /** The value is `null` for the last stop. */
  outbound: Passage | null;
}

export interface PortStop extends Stop {
  place: Port;
}

/** An arrival or a departure. */
export interface Passage {
  /** The SCAC of a railway, or the leg of a vessel. */
  by: string | Leg;
  /** The expected time; `null` once the arrival or departure has happened. */
  expectedAt: number | null;
  happenedAt: number | null;
}

/** The ports in their order. Empty until the carrier reports the route. */
export function portStops({ voyage, at }: ContainerView): PortStop[] {
  if (at < voyage.knownFrom) return [];
  const { legs, firstLeg, lastLeg, etd, eta } = voyage;
  const departures = legs.map(leg =>
    passage(leg, leg.departsAt, leg === firstLeg ? currentEstimate(etd, at) : null, at),
  );
  const arrivals = legs.map(leg => passage(leg, leg.arrivesAt, leg === lastLeg ? currentEstimate(eta, at) : null, at));
  return [firstLeg.from, ...legs.map(leg => leg.to)].map((place, index) => ({
    place,
    inbound: arrivals[index - 1] ?? null,
    outbound: departures[index] ?? null,
  }));
}

/** @param announced The carrier's estimate. If it is `null`, the planned time is used, rounded to the hour. */
function passage(by: Leg, time: number, announced: number | null, at: number): Passage {
  return time <= at
    ? { by, expectedAt: null, happenedAt: time }
    : { by, expectedAt: announced ?? Math.round(time / HOUR) * HOUR, happenedAt: null };
}

/** The terminal at the port of discharge. It is unknown until the vessel departs. */
function podFacility({ voyage, last }: ContainerView): Terminal | undefined {
  return last('container.transport.vessel_departed') === undefined ? undefined : voyage.podTerminal;
}

/** The ports and, for a transport by rail, the inland destination. */
export function allStops(view: ContainerView): Stop[] {
  const stops: Stop[] = portStops(view);
  const { inland } = view.voyage;
  const pod = stops.at(-1);
  if (pod === undefined) return stops;
  if (inland === null) return [...stops.slice(0, -1), { ...pod, facility: podFacility(view) }];

  const by = inland.railway;
  const departed = view.last('container.transport.rail_departed')?.at ?? null;
  const arrived = view.last('container.transport.arrived_at_inland_destination')?.at ?? null;
  const expected = view.last('container.transport.estimated.arrived_at_inland_destination')?.at ?? null;
  const { destination, terminal } = inland;
  return [
    ...stops.slice(0, -1),
    { ...pod, facility: podFacility(view), outbound: { by, expectedAt: null, happenedAt: departed } },
    {
      place: destination.type === 'port' ? destination : terminal,
      facility: terminal,
      inbound: { by, expectedAt: arrived === null ? expected : null, happenedAt: arrived },
      outbound: null,
    },
  ];
}

export function route(backend: Backend, box: Container): Entity<'route'> {
  const id = backend.ids.of('route', box.id);
  const times = { created_at: iso(box.createdAt), updated_at: iso(viewContainer(backend, box).at) };
  const self = entity('route', id, () => ({
    attributes: { id, ...times },
    relationships: {
      cargo: container(backend, box),
      shipment: shipment(backend, box.shipment),
      route_locations: allStops(viewContainer(backend, box)).map(routeLocation),
    },
  }));

  function routeLocation({ place, facility, inbound, outbound }: Stop, index: number): Entity<'route_location'> {
    const locationId = backend.ids.of('route_location', box.id, index);
    return entity('route_location', locationId, () => ({
      attributes: {
        id: locationId,
        inbound_scac: scacOf(inbound),
        inbound_mode: modeOf(inbound),
        inbound_eta_at: isoOrNull(inbound?.expectedAt),
        inbound_ata_at: isoOrNull(inbound?.happenedAt),
        inbound_voyage_number: voyageOf(inbound),
        outbound_scac: scacOf(outbound),
        outbound_mode: modeOf(outbound),
        outbound_etd_at: isoOrNull(outbound?.expectedAt),
        outbound_atd_at: isoOrNull(outbound?.happenedAt),
        outbound_voyage_number: voyageOf(outbound),
        ...times,
      },
      relationships: {
        route: self,
        location: 'port' in place ? terminal(place) : port(place),
        ...(facility && { facility: terminal(facility) }),
        inbound_vessel: vesselOf(inbound),
        outbound_vessel: vesselOf(outbound),
      },
    }));
  }

  const scacOf = (passage: Passage | null) =>
    passage && (typeof passage.by === 'string' ? passage.by : box.shipment.carrier.scac);
  const vesselOf = (passage: Passage | null) =>
    passage && typeof passage.by !== 'string' ? vessel(backend, passage.by) : null;

  return self;
}

const modeOf = (passage: Passage | null) => passage && (typeof passage.by === 'string' ? 'rail' : 'vessel');
const voyageOf = (passage: Passage | null) =>
  passage && typeof passage.by !== 'string' ? passage.by.voyageNumber : null;

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

/**
 * The features of the leg that begins at a port. They depend on the state of the leg: completed, under way, or in the
 * future.
 */
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

/** The part of a leg's path between two shares of its length, each from 0 to 1. */
function line(leg: Leg, from: number, to: number, properties: LineProperties): MapFeature {
  const points = Array.from({ length: POINTS }, (_, index) =>
    coordinates(positionOn(leg.path, from + ((to - from) * index) / (POINTS - 1))),
  );
  return { type: 'Feature', geometry: { type: 'LineString', coordinates: points }, properties } as MapFeature;
}
