export { createOrFind, trackOne } from './track.ts';
export { trackMany } from './track-many.ts';
export { requestWaiter } from './wait-for-request.ts';
