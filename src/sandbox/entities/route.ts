import { iso, isoOrNull } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Entity } from '../state/entity.ts';
import { allStops, type Passage, type Stop } from '../state/stops.ts';
import type { Container } from '../state/store.ts';
import { viewContainer } from '../state/view.ts';
import { port, terminal } from './places.ts';
import { container, shipment } from './tracked.ts';
import { vessel } from './vessel.ts';

export function route(backend: Backend, box: Container): Entity<'route'> {
  const id = backend.ids.of('route', box.id);
  const times = { created_at: iso(box.createdAt), updated_at: iso(viewContainer(backend, box).at) };
  const self: Entity<'route'> = {
    type: 'route',
    id,
    render: () => ({
      attributes: { id, ...times },
      relationships: {
        cargo: container(backend, box),
        shipment: shipment(backend, box.shipment),
        route_locations: allStops(viewContainer(backend, box)).map(routeLocation),
      },
    }),
  };

  function routeLocation({ place, facility, inbound, outbound }: Stop, index: number): Entity<'route_location'> {
    const locationId = backend.ids.of('route_location', box.id, index);
    return {
      type: 'route_location',
      id: locationId,
      render: () => ({
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
      }),
    };
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
