import type { VesselPosition } from '../../model/index.ts';
import { iso, lastPoll, MINUTE } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Entity } from '../state/store.ts';
import { entity } from '../state/store.ts';
import type { Carrier } from '../world/carriers.ts';
import type { MetroArea, Place, Port, Terminal } from '../world/places.ts';
import type { Leg } from '../world/plan.ts';
import { distance, type Position, positionOn } from '../world/sea-route.ts';

/** The service sends the coordinates of ports and metro areas as strings. */
export function port(place: Port): Entity<'port'> {
  return entity('port', place.id, () => ({
    attributes: {
      id: place.id,
      name: place.name,
      code: place.code,
      state_abbr: place.stateAbbr,
      city: place.name,
      country_code: place.countryCode,
      latitude: String(place.latitude),
      longitude: String(place.longitude),
      time_zone: place.timeZone,
    },
    relationships: { terminals: place.terminals.map(terminal) },
  }));
}

export function metroArea(place: MetroArea): Entity<'metro_area'> {
  return entity('metro_area', place.id, () => ({
    attributes: {
      id: place.id,
      name: place.name,
      state_abbr: place.stateAbbr,
      code: place.code,
      latitude: String(place.latitude),
      longitude: String(place.longitude),
      country_code: place.countryCode,
      time_zone: place.timeZone,
    },
  }));
}

export function location(place: Place): Entity<'port'> | Entity<'metro_area'> {
  return place.type === 'port' ? port(place) : metroArea(place);
}

/** Rail facilities are terminals, too. Most parts of their addresses are missing. */
export function terminal(facility: Terminal): Entity<'terminal'> {
  const isRail = facility.facilityType === 'rail';
  return entity('terminal', facility.id, () => ({
    attributes: {
      id: facility.id,
      nickname: facility.nickname,
      name: facility.name,
      firms_code: facility.firmsCode,
      smdg_code: isRail ? null : facility.nickname.toUpperCase(),
      bic_facility_code: null,
      provided_data: {
        pickup_lfd: facility.reports,
        pod_full_out_at: facility.reports,
        pickup_lfd_notes: '',
        available_for_pickup: facility.reports,
        fees_at_pod_terminal: facility.reports,
        holds_at_pod_terminal: facility.reports,
        pickup_appointment_at: facility.reports,
        location_at_pod_terminal: facility.reports,
        available_for_pickup_notes: '',
        fees_at_pod_terminal_notes: '',
        holds_at_pod_terminal_notes: '',
        pickup_appointment_at_notes: '',
        pod_full_out_chassis_number: facility.reports,
        location_at_pod_terminal_notes: '',
        pod_full_out_chassis_number_notes: '',
      },
      street: facility.street,
      city: facility.city,
      state: isRail ? null : facility.port.state,
      state_abbr: isRail ? null : facility.port.stateAbbr,
      zip: facility.zip,
      country: isRail ? null : facility.port.country,
      facility_type: facility.facilityType,
    },
    relationships: { port: port(facility.port) },
  }));
}

/** A facility in a metro area is a `rail_terminal`, a facility at a port is a `terminal`. */
export function facilityAt(place: Place, facility: Terminal): Entity<'terminal'> | Entity<'rail_terminal'> {
  return place.type === 'port' ? terminal(facility) : railTerminal(place, facility);
}

function railTerminal(place: MetroArea, { id, name, nickname, firmsCode }: Terminal): Entity<'rail_terminal'> {
  return entity('rail_terminal', id, () => ({
    attributes: { id, name, nickname, firms_code: firmsCode, city: place.name },
    relationships: { port: null, metro_area: metroArea(place) },
  }));
}

export function shippingLine(carrier: Carrier): Entity<'shipping_line'> {
  return entity('shipping_line', carrier.id, () => ({
    attributes: {
      scac: carrier.scac,
      name: carrier.name,
      provided_data: {
        ssl_lfd: false,
        seal_number: true,
        weight_in_lbs: true,
        equipment_type: true,
        pod_arrived_at: true,
        pod_full_out_at: true,
        equipment_height: true,
        equipment_length: true,
        pod_discharged_at: true,
        seal_number_notes: '',
        empty_terminated_at: true,
        weight_in_lbs_notes: '',
        equipment_type_notes: '',
        pod_arrived_at_notes: '',
        pod_full_out_at_notes: '',
        equipment_height_notes: '',
        equipment_length_notes: '',
        pod_discharged_at_notes: '',
        empty_terminated_at_notes: '',
        final_destination_full_out_at: true,
        final_destination_full_out_at_notes: '',
      },
      tracking_url: null,
      contact_url: null,
      alternative_scacs: carrier.alternatives,
      short_name: carrier.shortName,
      bill_of_lading_tracking_support: carrier.tracks.bill_of_lading,
      booking_number_tracking_support: carrier.tracks.booking_number,
      container_number_tracking_support: carrier.tracks.container,
      bol_prefix: carrier.bolPrefix,
    },
  }));
}

/** Vessels report their positions every ten minutes. */
const REPORT_EVERY = 10 * MINUTE;

export interface PositionReport extends Position {
  at: number;
  knots: number;
}

/**
 * The position of a leg's vessel at a time. Before the leg, the vessel is in the first port. After the leg, it is in
 * the second port.
 */
export function positionAt({ path, departsAt, arrivesAt }: Leg, at: number): PositionReport {
  const share = (at - departsAt) / (arrivesAt - departsAt);
  const isSailing = share > 0 && share < 1;
  const knots = isSailing ? Math.round(distance(path) / ((arrivesAt - departsAt) / (60 * MINUTE))) : 0;
  return { ...positionOn(path, share), at, knots };
}

export function lastReport(backend: Backend, leg: Leg): PositionReport {
  return positionAt(leg, lastPoll(0, REPORT_EVERY, backend.now) ?? backend.now);
}

export function vessel(backend: Backend, leg: Leg, positions?: VesselPosition[]): Entity<'vessel'> {
  const { id, name, imo, mmsi } = leg.vessel;
  return {
    type: 'vessel',
    id,
    render() {
      const report = lastReport(backend, leg);
      return {
        attributes: {
          name,
          imo,
          mmsi,
          latitude: report.latitude,
          longitude: report.longitude,
          nautical_speed_knots: report.knots,
          navigational_heading_degrees: report.heading,
          position_timestamp: iso(report.at),
          ...(positions && { positions }),
        },
      };
    },
  };
}
