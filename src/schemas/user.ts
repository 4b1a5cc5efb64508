import * as z from 'zod/mini';
import { resource } from './resource.ts';

export const user = z.lazy(() => resource('user', {}, {}));
