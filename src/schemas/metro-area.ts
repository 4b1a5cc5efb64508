import * as z from 'zod/mini';
import { degrees, text, textOrNull } from './fields.ts';
import { resource } from './resource.ts';

/** A metro area, as it is on the wire. */
export const metroArea = z.lazy(() =>
  resource(
    'metro_area',
    {
      name: text,
      code: text,
      state_abbr: textOrNull,
      country_code: text,
      latitude: degrees,
      longitude: degrees,
      time_zone: text,
    },
    {},
  ),
);
