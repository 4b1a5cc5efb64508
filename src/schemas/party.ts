import * as z from 'zod/mini';
import { text } from './fields.ts';
import { resource } from './resource.ts';

/** A party, as it is on the wire. */
export const party = z.lazy(() => resource('party', { company_name: text }, {}));
