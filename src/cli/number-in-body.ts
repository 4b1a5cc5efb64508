import { parseNotification } from '../webhooks/notification/parse.ts';

/** The number of the container, the shipment or the tracking request; `null` if the body does not have it. */
export function numberIn(body: Uint8Array): string | null {
  try {
    const { container, shipment, tracking_request } = parseNotification(body);
    return container?.number ?? shipment?.bill_of_lading_number ?? tracking_request?.request_number ?? null;
  } catch {
    return null;
  }
}
