import { TrackingClient } from 'container-tracking-sdk';
import { sandbox } from '../surroundings.ts';

/** It asks again after 10 ms, and not after 2 s. */
export const client: TrackingClient = new TrackingClient({ rateLimit: { windowMs: 300 } });

// The service reads a document within minutes. Here a minute is over at once.
setInterval(() => sandbox.advance({ seconds: 20 }), 10).unref();

const email = { attachments: [{ filename: 'arrival-notice.pdf' }] };
export const documentId: string = sandbox.receiveEmail(email).documentIds[0] ?? '';
