import { TrackingClient } from 'container-tracking-sdk';
import { sandbox } from '../surroundings.ts';

/**
 * A client that reads the state again after 10 ms, not after 2 s. The service takes minutes to read a document. Here
 * each response moves the clock forward by only 20 s: the reading ends soon, and no address of the storage expires on a
 * slow machine.
 */
export const client: TrackingClient = new TrackingClient({
  rateLimit: { windowMs: 300 },
  hooks: { onResponse: () => sandbox.advance({ seconds: 20 }) },
});

const email = { attachments: [{ filename: 'arrival-notice.pdf' }] };
export const document: { id: string } = { id: sandbox.receiveEmail(email).documentIds[0] ?? '' };
// The service has read it.
sandbox.advance({ minutes: 2 });
