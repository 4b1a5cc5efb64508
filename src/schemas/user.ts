import * as z from 'zod/mini';
import { resource } from './resource.ts';

/** A user, as it is on the wire. */
export const user = z.lazy(() => resource('user', {}, {}));
