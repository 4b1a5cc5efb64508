import type { Account, AccountAttributes } from './account.ts';
import type { Container, ContainerAttributes, ContainerRelationships } from './container.ts';
import type {
  ContainerCreatedEvent,
  ContainerCreatedEventAttributes,
  ContainerCreatedEventRelationships,
  ContainerPodTerminalChangedEvent,
  ContainerPodTerminalChangedEventAttributes,
  ContainerPodTerminalChangedEventRelationships,
  ContainerUpdatedEvent,
  ContainerUpdatedEventAttributes,
  ContainerUpdatedEventRelationships,
} from './container-events.ts';
import type {
  CustomField,
  CustomFieldAttributes,
  CustomFieldDefinition,
  CustomFieldDefinitionAttributes,
  CustomFieldDefinitionRelationships,
  CustomFieldOption,
  CustomFieldOptionAttributes,
  CustomFieldRelationships,
} from './custom-field.ts';
import type {
  Document,
  DocumentAttributes,
  DocumentRelationships,
  DocumentRepresentation,
  DocumentRepresentationAttributes,
  DocumentSchema,
  DocumentSchemaAttributes,
} from './document.ts';
import type { EmailSubmission, EmailSubmissionAttributes, EmailSubmissionRelationships } from './email-submission.ts';
import type { EstimatedEvent, EstimatedEventAttributes, EstimatedEventRelationships } from './estimated-event.ts';
import type { InferNumberResultsAttributes } from './infer-number-results.ts';
import type { MetroArea, MetroAreaAttributes } from './metro-area.ts';
import type { Party, PartyAttributes } from './party.ts';
import type { Port, PortAttributes, PortRelationships } from './port.ts';
import type { RailTerminal, RailTerminalAttributes, RailTerminalRelationships } from './rail-terminal.ts';
import type { RawEvent, RawEventAttributes, RawEventRelationships } from './raw-event.ts';
import type { IncludeList, NotIncluded } from './relationship.ts';
import type {
  Route,
  RouteAttributes,
  RouteLocation,
  RouteLocationAttributes,
  RouteLocationRelationships,
  RouteRelationships,
} from './route.ts';
import type { Ref } from './scalars.ts';
import type { SearchResultAttributes } from './search-result.ts';
import type { Shipment, ShipmentAttributes, ShipmentRelationships } from './shipment.ts';
import type { ShippingLine, ShippingLineAttributes } from './shipping-line.ts';
import type { Terminal, TerminalAttributes, TerminalRelationships } from './terminal.ts';
import type { TrackingRequest, TrackingRequestAttributes, TrackingRequestRelationships } from './tracking-request.ts';
import type { TransportEvent, TransportEventAttributes, TransportEventRelationships } from './transport-event.ts';
import type { User, UserAttributes } from './user.ts';
import type { Vessel, VesselAttributes } from './vessel.ts';
import type { Webhook, WebhookAttributes } from './webhook.ts';
import type { WebhookEventCategory, WebhookEventCategoryAttributes } from './webhook-event-category.ts';
import type {
  WebhookNotification,
  WebhookNotificationAttributes,
  WebhookNotificationRelationships,
} from './webhook-notification.ts';

export type * from './scalars.ts';

/** Every record that a relationship can lead to, by its type, with what `I` includes. */
export interface RecordTypes<I extends IncludeList> {
  shipment: Shipment<I>;
  container: Container<I>;
  tracking_request: TrackingRequest<I>;
  transport_event: TransportEvent<I>;
  raw_event: RawEvent<I>;
  estimated_event: EstimatedEvent<I>;
  container_updated_event: ContainerUpdatedEvent<I>;
  container_created_event: ContainerCreatedEvent<I>;
  container_pod_terminal_changed_event: ContainerPodTerminalChangedEvent<I>;
  port: Port<I>;
  metro_area: MetroArea;
  terminal: Terminal<I>;
  rail_terminal: RailTerminal<I>;
  vessel: Vessel;
  shipping_line: ShippingLine;
  party: Party;
  account: Account;
  user: User;
  route: Route<I>;
  route_location: RouteLocation<I>;
  webhook: Webhook;
  webhook_notification: WebhookNotification<I>;
  webhook_event_category: WebhookEventCategory;
  custom_field_definition: CustomFieldDefinition<I>;
  custom_field_option: CustomFieldOption;
  custom_field: CustomField<I>;
  document: Document<I>;
  document_representation: DocumentRepresentation;
  document_schema: DocumentSchema;
  email_submission: EmailSubmission<I>;
}

/** The types of record that a relationship can lead to. */
export type LinkableType = keyof RecordTypes<[]>;

/** Every resource type of the service as it is on the wire: its attributes and its relationships. */
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

/** The relationships of each resource type. */
export interface RelationshipTypes {
  shipment: ShipmentRelationships;
  container: ContainerRelationships;
  tracking_request: TrackingRequestRelationships;
  infer_number_results: object;
  transport_event: TransportEventRelationships;
  raw_event: RawEventRelationships;
  estimated_event: EstimatedEventRelationships;
  container_updated_event: ContainerUpdatedEventRelationships;
  container_created_event: ContainerCreatedEventRelationships;
  container_pod_terminal_changed_event: ContainerPodTerminalChangedEventRelationships;
  port: PortRelationships;
  metro_area: object;
  terminal: TerminalRelationships;
  rail_terminal: RailTerminalRelationships;
  vessel: object;
  shipping_line: object;
  party: object;
  account: object;
  user: object;
  search_result: object;
  route: RouteRelationships;
  route_location: RouteLocationRelationships;
  webhook: object;
  webhook_notification: WebhookNotificationRelationships;
  webhook_event_category: object;
  custom_field_definition: CustomFieldDefinitionRelationships;
  custom_field_option: object;
  custom_field: CustomFieldRelationships;
  document: DocumentRelationships;
  document_representation: object;
  document_schema: object;
  email_submission: EmailSubmissionRelationships;
}

/** Name of a resource type. */
export type ResourceType = keyof Resources;

/** A resource type on the wire. */
export interface Model<Attributes extends object, Relationships extends object = object> {
  /** Its attributes. */
  attributes: Attributes;
  /** Its relationships. */
  relationships: Linkages<Relationships>;
}

/** Relationships as a document has them: references only, and absent where the service may leave them out. */
type Linkages<R> = { [K in keyof R as undefined extends R[K] ? never : K]: Linkage<R[K]> } & {
  [K in keyof R as undefined extends R[K] ? K : never]?: Linkage<Exclude<R[K], undefined>>;
};

/** What stands for a relationship in a document. */
type Linkage<Value> = Value extends readonly (infer Item)[]
  ? Linkage<Item>[]
  : Value extends NotIncluded<infer T>
    ? Ref<T>
    : Value;
