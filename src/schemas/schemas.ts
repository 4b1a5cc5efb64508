import type { ResourceType } from '../records/model.ts';
import { account } from './account.ts';
import { container } from './container.ts';
import { containerCreatedEvent, containerPodTerminalChangedEvent, containerUpdatedEvent } from './container-events.ts';
import { customField, customFieldDefinition, customFieldOption } from './custom-field.ts';
import { document, documentRepresentation, documentSchema } from './document.ts';
import { emailSubmission } from './email-submission.ts';
import { estimatedEvent } from './estimated-event.ts';
import { inferNumberResults } from './infer-number-results.ts';
import { metroArea } from './metro-area.ts';
import { party } from './party.ts';
import { port } from './port.ts';
import { railTerminal } from './rail-terminal.ts';
import { rawEvent } from './raw-event.ts';
import { route, routeLocation } from './route.ts';
import { searchResult } from './search-result.ts';
import { shipment } from './shipment.ts';
import { shippingLine } from './shipping-line.ts';
import { terminal } from './terminal.ts';
import { trackingRequest } from './tracking-request.ts';
import { transportEvent } from './transport-event.ts';
import { user } from './user.ts';
import { vessel } from './vessel.ts';
import { webhook } from './webhook.ts';
import { webhookEventCategory } from './webhook-event-category.ts';
import { webhookNotification } from './webhook-notification.ts';

/** The schema of every resource type, by its name on the wire. */
export const schemas = {
  shipment,
  container,
  tracking_request: trackingRequest,
  infer_number_results: inferNumberResults,
  transport_event: transportEvent,
  raw_event: rawEvent,
  estimated_event: estimatedEvent,
  container_updated_event: containerUpdatedEvent,
  container_created_event: containerCreatedEvent,
  container_pod_terminal_changed_event: containerPodTerminalChangedEvent,
  port,
  metro_area: metroArea,
  terminal,
  rail_terminal: railTerminal,
  vessel,
  shipping_line: shippingLine,
  party,
  account,
  user,
  search_result: searchResult,
  route,
  route_location: routeLocation,
  webhook,
  webhook_notification: webhookNotification,
  webhook_event_category: webhookEventCategory,
  custom_field_definition: customFieldDefinition,
  custom_field_option: customFieldOption,
  custom_field: customField,
  document,
  document_representation: documentRepresentation,
  document_schema: documentSchema,
  email_submission: emailSubmission,
} satisfies Record<ResourceType, unknown>;

/** The schema of a type; `undefined` for an unknown type. */
export function schemaOf(type: string): (typeof schemas)[ResourceType] | undefined {
  return Object.hasOwn(schemas, type) ? schemas[type as ResourceType] : undefined;
}
