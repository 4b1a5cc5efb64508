export type { ResourceIdentifier } from '../jsonapi/document.ts';
export { account } from './account.ts';
export { answers } from './answers.ts';
export {
  accepted,
  directUpload,
  documentTypes,
  downloadUrl,
  refreshResult,
  triggerResult,
  webhookIps,
} from './bodies.ts';
export { container } from './container.ts';
export { containerCreatedEvent, containerPodTerminalChangedEvent, containerUpdatedEvent } from './container-events.ts';
export { customField, customFieldDefinition, customFieldOption } from './custom-field.ts';
export { document, documentRepresentation, documentSchema } from './document.ts';
export { emailSubmission } from './email-submission.ts';
export { estimatedEvent } from './estimated-event.ts';
export { inferNumberResults } from './infer-number-results.ts';
export { mapFeatureCollection } from './map-geojson.ts';
export { metroArea } from './metro-area.ts';
export type { SchemaMismatch } from './mismatch.ts';
export { notification } from './notification.ts';
export { party } from './party.ts';
export { port } from './port.ts';
export { railTerminal } from './rail-terminal.ts';
export { rawEvent } from './raw-event.ts';
export { route, routeLocation } from './route.ts';
export { schemas } from './schemas.ts';
export { searchResult } from './search-result.ts';
export { shipment } from './shipment.ts';
export { shippingLine } from './shipping-line.ts';
export { terminal } from './terminal.ts';
export { trackingRequest } from './tracking-request.ts';
export { transportEvent } from './transport-event.ts';
export { user } from './user.ts';
export { vessel } from './vessel.ts';
export { webhook } from './webhook.ts';
export { webhookEventCategory } from './webhook-event-category.ts';
export { webhookNotification } from './webhook-notification.ts';
