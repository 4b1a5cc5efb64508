import * as z from 'zod/mini';
import { degrees, text, textOrNull } from './fields.ts';
import { many, resource } from './resource.ts';

/** A port, as it is on the wire. */
export const port = z.lazy(() =>
  resource(
    'port',
    {
      name: text,
      code: text,
      state_abbr: textOrNull,
      city: textOrNull,
      country_code: text,
      latitude: degrees,
      longitude: degrees,
      time_zone: text,
    },
    { terminals: many('terminal') },
  ),
);
