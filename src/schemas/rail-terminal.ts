import * as z from 'zod/mini';
import { text } from './fields.ts';
import { one, oneOrNull, resource } from './resource.ts';

/** A rail terminal, as it is on the wire. */
export const railTerminal = z.lazy(() =>
  resource(
    'rail_terminal',
    { name: text, nickname: text, firms_code: text, city: text },
    { port: oneOrNull('port'), metro_area: one('metro_area') },
  ),
);
