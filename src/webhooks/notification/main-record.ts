import { isIdentifier, isRecord, type ResourceIdentifier } from '../../jsonapi/document.ts';

/**
 * The record that a notification is mainly about: the tracking request if the subject is a tracking request, else the
 * container, else the shipment. `undefined` if the notification names none of these records.
 */
export function mainRecordOf(notification: object): ResourceIdentifier | undefined {
  const { container, shipment, reference_object } = notification as Record<string, unknown>;
  const subject: Record<string, unknown> = isRecord(reference_object) ? reference_object : {};
  const request = subject.type === 'tracking_request' && subject;
  return [request, container, subject.container, shipment, subject.shipment].find(isIdentifier);
}
