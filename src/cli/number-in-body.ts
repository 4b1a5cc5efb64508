import { parseNotification } from '../webhooks/notification/parse.ts';

/** The number of the record that the event is about; `null` if the body does not have a number. */
export function numberIn(body: Uint8Array): string | null {
  try {
    const { event, container, shipment, tracking_request } = parseNotification(body);
    const request = tracking_request?.request_number;
    const bill = shipment?.bill_of_lading_number;
    const [subject] = event.split('.');
    const own = { tracking_request: request, shipment: bill }[subject ?? ''];
    return own ?? container?.number ?? bill ?? request ?? null;
  } catch {
    return null;
  }
}
