import * as z from 'zod/mini';
import { text } from './fields.ts';
import { resource } from './resource.ts';

/** An account, as it is on the wire. */
export const account = z.lazy(() => resource('account', { company_name: text }, {}));
