import { unknownName } from '../../internal/near-name.ts';
import type { WireDocument, WireRelationship, WireResource } from '../../jsonapi/document.ts';
import { EVENTS, type IncludedType, SAMPLE_ATTRIBUTES } from '../../model/generated/events.ts';
import type { EventName } from '../../model/index.ts';
import type { NotificationOf } from '../notification/notification.ts';
import { parseNotification } from '../notification/parse.ts';
import { type FakeDelivery, override } from './override.ts';

const NOW = '2026-03-09T03:05:00Z';

/** Any part of a value, at any depth. A list can be replaced only as a whole. */
export type Over<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]?: Over<T[K]> } : T;

/**
 * A notification for your own tests: the argument of a handler, with all records that the service sends with this event. Each
 * notification has a new `id`; the other values are always the same.
 *
 * @param over values to replace. A record that appears in several places is changed in all of them. A `container`, `shipment`
 * or `tracking_request` that the service does not send with this event is added. {@link refreshSubject} reads a record
 * of the sandbox if the notification has the `id` of this record.
 * @throws {ConfigurationError} for an event that this version does not know, and for a misspelt name in `over`.
 * @example
 * await router.handle(fakeNotification('container.updated', { container: { number: 'MSCU1234565' } }));
 */
export function fakeNotification<E extends EventName>(event: E, over?: Over<NotificationOf<E>>): NotificationOf<E> {
  return parseNotification(JSON.stringify(fakeDelivery(event, over))) as NotificationOf<E>;
}

/**
 * The body of a delivery, as the service sends it, for tests of a receiver. Sign it with {@link signWebhook}.
 *
 * @param over values to replace, as in {@link fakeNotification}.
 * @throws {ConfigurationError} for an event that this version does not know.
 * @example
 * const body = JSON.stringify(fakeDelivery('container.updated', { container: { number: 'MSCU1234565' } }));
 */
export function fakeDelivery<E extends EventName>(
  event: E,
  over?: Over<NotificationOf<E>>,
): WireDocument<WireResource> & { data: WireResource } {
  if (!Object.hasOwn(EVENTS, event)) throw unknownName('This version', event, Object.keys(EVENTS), 'event ');
  const id = crypto.randomUUID();
  const { about, includes } = EVENTS[event];
  const isDocument = event.startsWith('document.');
  const attributes = { event, delivery_status: 'pending', created_at: NOW };
  const delivery: FakeDelivery = {
    data: {
      id,
      type: 'webhook_notification',
      attributes: isDocument ? { ...attributes, version: '2026-03-10' } : { id, ...attributes },
      relationships: { [isDocument ? 'document' : 'reference_object']: reference(about) },
    },
    ...(includes.length > 0 && { included: includes.map(type => resource(type, event, includes)) }),
  };
  if (over) override(delivery, over, type => reference(type).data);
  return delivery;
}

function resource(type: IncludedType, event: EventName, present: readonly IncludedType[]): WireResource {
  const fake: WireResource = {
    ...reference(type).data,
    attributes: { ...SAMPLE_ATTRIBUTES[type], ...fitting(type, event) },
  };
  const relationships = relationshipsOf(type, present);
  return relationships ? { ...fake, relationships } : fake;
}

/** The attributes that match the event. */
function fitting(type: IncludedType, event: EventName): object {
  switch (type) {
    case 'transport_event':
      return { event, ...(event.endsWith('.changed') && { value: '2026-03-12T04:00:00Z' }) };
    case 'tracking_request':
      return {
        status: REQUEST_STATUS[event] ?? 'created',
        failed_reason: event === 'tracking_request.failed' ? 'not_found' : null,
      };
    case 'document':
      if (event === 'document_representation.failed') return { document_type: 'unknown' };
      return event === 'document.extraction_failed' ? { document_type: null } : {};
    default:
      return {};
  }
}

const REQUEST_STATUS: Record<string, string> = {
  'tracking_request.failed': 'failed',
  'tracking_request.awaiting_manifest': 'awaiting_manifest',
  'tracking_request.tracking_stopped': 'tracking_stopped',
};

/** The relationships of the event. Empty for an event that the service sends without other records. */
function relationshipsOf(
  type: IncludedType,
  present: readonly IncludedType[],
): Record<string, WireRelationship> | undefined {
  const ifPresent = (...types: IncludedType[]) => {
    const found = types.find(one => present.includes(one));
    return found ? reference(found) : { data: null };
  };
  switch (type) {
    case 'shipment':
      return {
        port_of_lading: { data: null },
        port_of_discharge: ifPresent('port'),
        pod_terminal: ifPresent('terminal'),
        destination: { data: null },
        containers: { data: [reference('container').data] },
      };
    case 'container':
      return { shipment: reference('shipment'), pod_terminal: ifPresent('terminal') };
    case 'tracking_request':
      return { tracked_object: ifPresent('shipment'), customer: { data: null }, user: { data: null } };
    case 'transport_event':
      if (present.length === 1) return undefined;
      return {
        shipment: reference('shipment'),
        container: reference('container'),
        vessel: ifPresent('vessel'),
        location: ifPresent('port', 'metro_area'),
        terminal: ifPresent('terminal', 'rail_terminal'),
      };
    case 'estimated_event':
      return { shipment: reference('shipment'), port: ifPresent('port'), vessel: { data: null } };
    case 'container_created_event':
      return { container: reference('container'), shipment: reference('shipment') };
    case 'container_updated_event':
    case 'container_pod_terminal_changed_event':
      return { container: reference('container'), terminal: reference('terminal'), shipment: reference('shipment') };
    case 'document':
      return {
        email_submission: ifPresent('email_submission'),
        last_document_representation: ifPresent('document_representation'),
      };
    case 'terminal':
      return { port: reference('port') };
    case 'rail_terminal':
      return { port: { data: null }, metro_area: reference('metro_area') };
    default:
      return undefined;
  }
}

/** A reference to the one record of a type; always the same `id`. */
function reference(type: string): { data: { id: string; type: string } } {
  const digits = Array.from(type, character => character.charCodeAt(0).toString(16))
    .join('')
    .padEnd(12, '0');
  return { data: { id: `00000000-0000-4000-8000-${digits.slice(-12)}`, type } };
}
