import { TrackingClient } from 'container-tracking-sdk';

export const client: TrackingClient = new TrackingClient();

const request = { request_type: 'bill_of_lading', request_number: 'MAEU123456789', scac: 'MAEU' } as const;
export const trackingRequestId: string = (await client.trackingRequests.create(request)).id;
