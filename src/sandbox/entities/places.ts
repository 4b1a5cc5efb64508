import type { Entity } from '../state/entity.ts';
import type { MetroArea, Place, Port, Terminal } from '../world/places.ts';

/** The service sends the coordinates of ports and metro areas as strings. */
export function port(place: Port): Entity<'port'> {
  return {
    type: 'port',
    id: place.id,
    render: () => ({
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
    }),
  };
}

export function metroArea(place: MetroArea): Entity<'metro_area'> {
  return {
    type: 'metro_area',
    id: place.id,
    render: () => ({
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
    }),
  };
}

export function location(place: Place): Entity<'port'> | Entity<'metro_area'> {
  return place.type === 'port' ? port(place) : metroArea(place);
}

/** Rail facilities are terminals, too. Most parts of their addresses are missing. */
export function terminal(facility: Terminal): Entity<'terminal'> {
  const isRail = facility.facilityType === 'rail';
  return {
    type: 'terminal',
    id: facility.id,
    render: () => ({
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
    }),
  };
}

/** A facility in a metro area is a `rail_terminal`, a facility at a port is a `terminal`. */
export function facilityAt(place: Place, facility: Terminal): Entity<'terminal'> | Entity<'rail_terminal'> {
  return place.type === 'port' ? terminal(facility) : railTerminal(place, facility);
}

function railTerminal(place: MetroArea, { id, name, nickname, firmsCode }: Terminal): Entity<'rail_terminal'> {
  return {
    type: 'rail_terminal',
    id,
    render: () => ({
      attributes: { id, name, nickname, firms_code: firmsCode, city: place.name },
      relationships: { port: null, metro_area: metroArea(place) },
    }),
  };
}
