/**
 * The methods that need several requests. They are in one chunk, which is loaded with the first call of one of these
 * methods.
 */

export { TypedFields } from './custom-fields/index.ts';
export { documentWaiter } from './documents/wait-for-document.ts';
export { recover } from './recovery/recover.ts';
export { createOrFind, trackOne } from './tracking/track.ts';
export { trackMany } from './tracking/track-many.ts';
export { requestWaiter } from './tracking/wait-for-request.ts';
export { ensureInTurn } from './webhooks/registration/ensure.ts';
export { rotateSecret } from './webhooks/registration/rotate.ts';
export { selfCheck } from './webhooks/registration/self-check.ts';
export { Reading } from './worklist/reading.ts';
