export { createOrFind } from './create-or-find.ts';
export { trackOne } from './track.ts';
export { trackMany } from './track-many.ts';
export { requestWaiter } from './wait-for-request.ts';
