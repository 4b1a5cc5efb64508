import * as z from 'zod/mini';
import { dateTime, dateTimeOrNull, textOrNull } from './fields.ts';
import { many, one, oneOrNull, resource } from './resource.ts';

/** A route, as it is on the wire. */
export const route = z.lazy(() =>
  resource(
    'route',
    { created_at: dateTime, updated_at: dateTime },
    { cargo: one('container'), shipment: one('shipment'), route_locations: many('route_location') },
  ),
);

/** A route location, as it is on the wire. */
export const routeLocation = z.lazy(() =>
  resource(
    'route_location',
    {
      inbound_scac: textOrNull,
      inbound_mode: textOrNull,
      inbound_voyage_number: textOrNull,
      inbound_eta_at: dateTimeOrNull,
      inbound_ata_at: dateTimeOrNull,
      outbound_scac: textOrNull,
      outbound_mode: textOrNull,
      outbound_voyage_number: textOrNull,
      outbound_etd_at: dateTimeOrNull,
      outbound_atd_at: dateTimeOrNull,
      created_at: dateTime,
      updated_at: dateTime,
    },
    {
      route: one('route'),
      location: one('port', 'terminal'),
      facility: one('terminal', 'port'),
      inbound_vessel: oneOrNull('vessel'),
      outbound_vessel: oneOrNull('vessel'),
    },
  ),
);
