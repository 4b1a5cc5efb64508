import type { AccountAttributes } from './account.ts';
import type { ContainerAttributes, ContainerRelationships } from './container.ts';
import type {
  ContainerCreatedEventAttributes,
  ContainerCreatedEventRelationships,
  ContainerPodTerminalChangedEventAttributes,
  ContainerPodTerminalChangedEventRelationships,
  ContainerUpdatedEventAttributes,
  ContainerUpdatedEventRelationships,
} from './container-events.ts';
import type {
  CustomFieldAttributes,
  CustomFieldDefinitionAttributes,
  CustomFieldDefinitionRelationships,
  CustomFieldOptionAttributes,
  CustomFieldRelationships,
} from './custom-field.ts';
import type {
  DocumentAttributes,
  DocumentRelationships,
  DocumentRepresentationAttributes,
  DocumentSchemaAttributes,
} from './document.ts';
import type { EmailSubmissionAttributes, EmailSubmissionRelationships } from './email-submission.ts';
import type { EstimatedEventAttributes, EstimatedEventRelationships } from './estimated-event.ts';
import type { InferNumberResultsAttributes } from './infer-number-results.ts';
import type { MetroAreaAttributes } from './metro-area.ts';
import type { PartyAttributes } from './party.ts';
import type { PortAttributes, PortRelationships } from './port.ts';
import type { RailTerminalAttributes, RailTerminalRelationships } from './rail-terminal.ts';
import type { RawEventAttributes, RawEventRelationships } from './raw-event.ts';
import type {
  RouteAttributes,
  RouteLocationAttributes,
  RouteLocationRelationships,
  RouteRelationships,
} from './route.ts';
import type { SearchResultAttributes } from './search-result.ts';
import type { ShipmentAttributes, ShipmentRelationships } from './shipment.ts';
import type { ShippingLineAttributes } from './shipping-line.ts';
import type { TerminalAttributes, TerminalRelationships } from './terminal.ts';
import type { TrackingRequestAttributes, TrackingRequestRelationships } from './tracking-request.ts';
import type { TransportEventAttributes, TransportEventRelationships } from './transport-event.ts';
import type { UserAttributes } from './user.ts';
import type { VesselAttributes } from './vessel.ts';
import type { WebhookAttributes } from './webhook.ts';
import type { WebhookEventCategoryAttributes } from './webhook-event-category.ts';
import type { WebhookNotificationAttributes, WebhookNotificationRelationships } from './webhook-notification.ts';

/** A reference to a record that was not included: its type and its id. */
export type Ref<T extends string> = T extends string ? { type: T; id: string } : never;

/** A set of values that the service may extend: the known ones are completed, others are plain strings. */
export type Open<Known extends string> = Known | (string & {});

/** ISO 8601 instant, such as `2026-03-09T03:04:40Z`. Offsets and fractional seconds may occur. */
export type DateTime = string;

/** Calendar day, `YYYY-MM-DD`. */
export type CalendarDate = string;

/** Decimal degrees as the service sends them: a number, a decimal string, or `null`. See `coordinates()`. */
export type WireDegrees = number | string | null;

/** For each name whether it is provided, and a note about it. */
export type ProvidedData<Name extends string> = { [N in Name]?: boolean } & { [N in Name as `${N}_notes`]?: string };

interface Model<Attributes extends object, Relationships extends object = object> {
  attributes: Attributes;
  relationships: Relationships;
}

/** Every resource type of the service with its attributes and its relationships (api/resources.md). */
export interface Resources {
  shipment: Model<ShipmentAttributes, ShipmentRelationships>;
  container: Model<ContainerAttributes, ContainerRelationships>;
  tracking_request: Model<TrackingRequestAttributes, TrackingRequestRelationships>;
  infer_number_results: Model<InferNumberResultsAttributes>;
  transport_event: Model<TransportEventAttributes, TransportEventRelationships>;
  raw_event: Model<RawEventAttributes, RawEventRelationships>;
  estimated_event: Model<EstimatedEventAttributes, EstimatedEventRelationships>;
  container_updated_event: Model<ContainerUpdatedEventAttributes, ContainerUpdatedEventRelationships>;
  container_created_event: Model<ContainerCreatedEventAttributes, ContainerCreatedEventRelationships>;
  container_pod_terminal_changed_event: Model<
    ContainerPodTerminalChangedEventAttributes,
    ContainerPodTerminalChangedEventRelationships
  >;
  port: Model<PortAttributes, PortRelationships>;
  metro_area: Model<MetroAreaAttributes>;
  terminal: Model<TerminalAttributes, TerminalRelationships>;
  rail_terminal: Model<RailTerminalAttributes, RailTerminalRelationships>;
  vessel: Model<VesselAttributes>;
  shipping_line: Model<ShippingLineAttributes>;
  party: Model<PartyAttributes>;
  account: Model<AccountAttributes>;
  user: Model<UserAttributes>;
  search_result: Model<SearchResultAttributes>;
  route: Model<RouteAttributes, RouteRelationships>;
  route_location: Model<RouteLocationAttributes, RouteLocationRelationships>;
  webhook: Model<WebhookAttributes>;
  webhook_notification: Model<WebhookNotificationAttributes, WebhookNotificationRelationships>;
  webhook_event_category: Model<WebhookEventCategoryAttributes>;
  custom_field_definition: Model<CustomFieldDefinitionAttributes, CustomFieldDefinitionRelationships>;
  custom_field_option: Model<CustomFieldOptionAttributes>;
  custom_field: Model<CustomFieldAttributes, CustomFieldRelationships>;
  document: Model<DocumentAttributes, DocumentRelationships>;
  document_representation: Model<DocumentRepresentationAttributes>;
  document_schema: Model<DocumentSchemaAttributes>;
  email_submission: Model<EmailSubmissionAttributes, EmailSubmissionRelationships>;
}

export type ResourceType = keyof Resources;
