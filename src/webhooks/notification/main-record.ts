import { isIdentifier, isRecord, type ResourceIdentifier } from '../../jsonapi/document.ts';

/**
 * What a notification concerns: the tracking request it is about, else the container, else the shipment. `undefined` where
 * it names none of them.
 */
export function concernOf(notification: object): ResourceIdentifier | undefined {
  const { container, shipment, reference_object } = notification as Record<string, unknown>;
  const subject: Record<string, unknown> = isRecord(reference_object) ? reference_object : {};
  const request = subject.type === 'tracking_request' && subject;
  return [request, container, subject.container, shipment, subject.shipment].find(isIdentifier);
}
