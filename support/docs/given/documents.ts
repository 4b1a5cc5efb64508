import { TrackingClient } from 'container-tracking-sdk';
import { sandbox } from '../surroundings.ts';

/**
 * It requests the state again after 10 ms, not after 2 s. The service reads a document within minutes: here each
 * response takes a part of one, so that a reading is over soon, and no address of the storage expires on a slow
 * machine.
 */
export const client: TrackingClient = new TrackingClient({
  rateLimit: { windowMs: 300 },
  hooks: { onResponse: () => sandbox.advance({ seconds: 20 }) },
});

const email = { attachments: [{ filename: 'arrival-notice.pdf' }] };
export const documentId: string = sandbox.receiveEmail(email).documentIds[0] ?? '';
