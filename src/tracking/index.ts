export { createOrFind } from './create-or-find.ts';
export { Poller } from './poller.ts';
export { splitOptions, track } from './track.ts';
export { trackMany } from './track-many.ts';
