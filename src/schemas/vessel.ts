import * as z from 'zod/mini';
import { dateTime, dateTimeOrNull, flag, number, numberOrNull, text, textOrNull } from './fields.ts';
import { resource } from './resource.ts';

/** A vessel, as it is on the wire. */
export const vessel = z.lazy(() =>
  resource(
    'vessel',
    {
      name: text,
      imo: textOrNull,
      mmsi: textOrNull,
      latitude: numberOrNull,
      longitude: numberOrNull,
      nautical_speed_knots: numberOrNull,
      navigational_heading_degrees: numberOrNull,
      position_timestamp: dateTimeOrNull,
      positions: z.nullable(
        z.array(
          z.looseObject({
            latitude: number,
            longitude: number,
            heading: numberOrNull,
            timestamp: dateTime,
            estimated: flag,
          }),
        ),
      ),
    },
    {},
  ),
);
