export { createOrFind } from './create-or-find.ts';
export { splitOptions, track } from './track.ts';
export { trackMany } from './track-many.ts';
export { requestWaiter } from './wait-for-request.ts';
