// Written by `npm run generate` from description/. Do not edit.

import type { IncludeList, IncludePath, OptionalToMany, OptionalToOne, ToMany, ToOne } from '../include.ts';
import type { Model, ResourceRecord } from '../resource-record.ts';
import type { CalendarDate, Change, DateTime, Open, ProvidedData, Ref } from '../scalars.ts';
import type { EventName, NamedEvent, TransportEventName } from './event-names.ts';

/** One of your customers. A tracking request can name the party for which it is made. */
export interface Party extends ResourceRecord<'party'>, PartyAttributes {}

/** The fields of a party. */
export interface PartyAttributes {
  /** Name of the customer, unique in the account. */
  company_name: string;
}

/** An account of the service. An included account has only its `company_name`; `me` returns more attributes. */
export interface Account extends ResourceRecord<'account'>, AccountAttributes {}

/** The fields of an account. */
export interface AccountAttributes {
  /** Name of the company that the account belongs to. */
  company_name: string;
  /** Upper bound for the custom field values of the account. */
  custom_field_limit?: number;
  /** The business of the company. */
  company_type?: Open<
    | 'trucking_company'
    | 'freight_forwarder'
    | 'customs_broker'
    | 'shipper'
    | 'contractor'
    | 'software_company'
    | 'party_logistic'
    | 'other'
  > | null;
  /** SCAC of the company. */
  scac?: string | null;
  /** Name of the company in four letters. */
  abbr_name?: string | null;
  /** City of the company. */
  city?: string | null;
  /** State of the company, abbreviated. */
  state_abbr?: string | null;
  /** Country of the company. */
  country?: string | null;
  /** The contract with the service. `locked` means that an invoice is not paid. */
  plan?: Open<'free_plan' | 'in_trial' | 'customer' | 'locked' | 'churned'> | null;
  /** Number of shipments that the plan allows. Only free and trial plans have slots. */
  tracking_slots?: {
    /** All slots. */
    limit: number;
    /** Slots with a shipment. */
    used: number;
    /** Free slots. */
    remaining: number;
  } | null;
}

/** A person of the account. Only `me` returns its attributes. */
export interface User<I extends IncludeList = []>
  extends ResourceRecord<'user', I>,
    UserAttributes,
    UserRelationships<I> {}

/** The fields of a user. */
export interface UserAttributes {
  /** Email address. */
  email?: string;
  /** Name. */
  name?: string | null;
  /** Role in the account. */
  role?: Open<'member' | 'account_manager'>;
  /** Kind of work. */
  job_role?: Open<'other' | 'dispatcher' | 'driver' | 'broker' | 'shipper' | 'forwarder'> | null;
  /** Title of the position. */
  job_title?: string | null;
  /** `true` if this is a member of the service's own staff. */
  admin?: boolean;
}

/** The relationships of a user. */
export interface UserRelationships<I extends IncludeList = []> {
  /** The accounts that the user has access to. The option `accountId` of the client selects one. */
  accounts: OptionalToMany<I, 'accounts', 'account'>;
}

/** The credential of a call. Its id is the id of the API key, or of the user. */
export interface Credential<I extends IncludeList = []>
  extends ResourceRecord<'credential', I>,
    CredentialAttributes,
    CredentialRelationships<I> {}

/** The fields of a credential. */
export interface CredentialAttributes {
  /** An API key belongs to an account, and a token belongs to a user. */
  kind: Open<'api_key' | 'user'>;
  /** The way in which the credential reached the service. */
  channel: Open<'api' | 'dashboard' | 'mcp'>;
  /** Label of the API key; `null` for users. */
  name: string | null;
  /**
   * The features that the credential can use, such as `data_out_api`, `custom_fields`, `routing_data`, `rail_data`,
   * `stop_tracking`.
   */
  features: Record<
    string,
    {
      /** `requires_user_credential` means that an API key cannot use it. */
      status: Open<'available' | 'requires_paid_plan' | 'requires_user_credential' | 'not_enabled'>;
    }
  >;
}

/** The relationships of a credential. */
export interface CredentialRelationships<I extends IncludeList = []> {
  /** The account in which the credential works. */
  account: ToOne<I, 'account', 'account'>;
  /** The user; `null` for an API key. */
  user: ToOne<I, 'user', 'user'> | null;
}

/**
 * A verified milestone, estimate or change of a deadline of one container. `milestones()` puts them in order. The
 * shortest notifications lack all relationships.
 */
export interface TransportEvent<I extends IncludeList = []>
  extends ResourceRecord<'transport_event', I>,
    TransportEventAttributes,
    TransportEventRelationships<I> {}

/** The include paths of the transport event endpoints, and the relationships below them. */
export type TransportEventInclude = IncludePath<
  'transport_event',
  'location' | 'terminal' | 'vessel' | 'shipment' | 'container'
>;

/** The fields of a transport event. */
export interface TransportEventAttributes {
  /** Name of the milestone, the estimate or the change. */
  event: Open<TransportEventName>;
  /**
   * Time of the event; for `container.transport.estimated.*`, the expected time, in `timezone`. For `*.changed` it is
   * the time of detection or the new value: read `value`.
   */
  timestamp: DateTime | null;
  /** IANA time zone of the place. */
  timezone: string | null;
  /** UN/LOCODE of the place; `null` if it is not known. It may stay unknown. */
  location_locode?: string | null;
  /** Voyage of the vessel. */
  voyage_number?: string | null;
  /**
   * Source of the report: the carrier, the terminal, the position of the vessel (`ais`) or the railway. Last free days
   * may be computed by the service, with a separate source name, and events may be entered by a person.
   */
  data_source?: Open<'shipping_line' | 'terminal' | 'ais' | 'rail'>;
  /** When the service recorded the event. */
  created_at: DateTime;
  /** When the event was found to be wrong; `null` while it is valid. */
  invalidated_at?: DateTime | null;
  /** The new deadline or appointment of `container.pickup_*.changed`, in `timezone`; `null` on other events. */
  value?: string | null;
  /** The same value as a time. */
  value_timestamp?: DateTime | null;
}

/** The relationships of a transport event. */
export interface TransportEventRelationships<I extends IncludeList = []> {
  /** The shipment of the container. */
  shipment: OptionalToOne<I, 'shipment', 'shipment'>;
  /** The container concerned. */
  container: OptionalToOne<I, 'container', 'container'>;
  /** The vessel of the event; `null` if the event has no vessel. */
  vessel: OptionalToOne<I, 'vessel', 'vessel'> | null;
  /** The place of the event; `null` if it is not known. */
  location: OptionalToOne<I, 'location', 'port' | 'metro_area'> | null;
  /** The facility of the event; `null` if it is not known. */
  terminal: OptionalToOne<I, 'terminal', 'terminal' | 'rail_terminal'> | null;
  /** The entry of the carrier's feed from which the event was made. */
  source_event: OptionalToOne<I, 'source_event', 'raw_event'> | null;
  /** The event that this event replaces. No source shows a value. */
  previous_version: OptionalToOne<I, 'previous_version', 'transport_event'> | null;
}

/** An entry of the carrier's own feed, as the carrier sent it. Verified events have the type `TransportEvent`. */
export interface RawEvent<I extends IncludeList = []>
  extends ResourceRecord<'raw_event', I>,
    RawEventAttributes,
    RawEventRelationships<I> {}

/** The fields of a raw event. */
export interface RawEventAttributes {
  /** Name of the event in the service's words; `null` if the service has no name for the carrier's wording. */
  event: RawEventName | null;
  /** Name of the event in the carrier's words. */
  original_event: string | null;
  /** Time of the event; if `estimated` is true, the expected time, in `timezone`. */
  timestamp: DateTime;
  /** `true` if the event is expected, `false` if it has happened. */
  estimated: boolean;
  /** @deprecated Read `timestamp` and `estimated`. */
  actual_at: DateTime | null;
  /** @deprecated Read `timestamp` and `estimated`. */
  estimated_at: DateTime | null;
  /** @deprecated Read `timestamp` and `estimated`. */
  actual_on: CalendarDate | null;
  /** @deprecated Read `timestamp` and `estimated`. */
  estimated_on?: CalendarDate | null;
  /** When the event will occur. No source shows a value. */
  will_occur_at?: DateTime | null;
  /** When the entry was found to be wrong. No source shows a value. */
  invalidated_at?: DateTime | null;
  /** Position in the feed, from 0. */
  index: number;
  /** When the service read the entry. */
  created_at: DateTime;
  /** Source of the report. */
  data_source?: Open<'shipping_line'>;
  /** Name of the carrier. */
  data_provider_name?: string;
  /** SCAC of the carrier. */
  data_provider_code?: string;
  /** Voyage of the vessel. May be empty. */
  voyage_number: string | null;
  /** Name of the place. */
  location_name: string | null;
  /** UN/LOCODE of the place. */
  location_locode: string | null;
  /** Name of the vessel. */
  vessel_name: string | null;
  /** IMO number of the vessel, seven digits. */
  vessel_imo: string | null;
  /** IANA time zone of the place. If it is `null`, the times are local times that are labelled UTC. */
  timezone: string | null;
}

/** The relationships of a raw event. */
export interface RawEventRelationships<I extends IncludeList = []> {
  /** The place of the event; `null` if it is not known. */
  location: ToOne<I, 'location', 'port' | 'metro_area'> | null;
  /** The vessel concerned. */
  vessel: ToOne<I, 'vessel', 'vessel'> | null;
  /** The container concerned. */
  container: OptionalToOne<I, 'container', 'container'>;
  /** The terminal of the event. */
  terminal: OptionalToOne<I, 'terminal', 'terminal'> | null;
}

/** A new estimate of the arrival of a shipment. Only notifications contain it. */
export interface EstimatedEvent<I extends IncludeList = []>
  extends ResourceRecord<'estimated_event', I>,
    EstimatedEventAttributes,
    EstimatedEventRelationships<I> {}

/** The fields of an estimated event. */
export interface EstimatedEventAttributes {
  /** Name of the event. */
  event: Open<'shipment.estimated.arrival'>;
  /** The new estimate, in `timezone`. */
  estimated_timestamp: DateTime;
  /** When the service recorded the estimate. */
  created_at: DateTime;
  /** UN/LOCODE of the port of arrival. */
  location_locode?: string | null;
  /** IANA time zone of the port of arrival. */
  timezone?: string | null;
  /** Voyage with which the shipment arrives. */
  voyage_number?: string | null;
  /** Source of the estimate. */
  data_source?: Open<'shipping_line' | 'terminal'>;
}

/** The relationships of an estimated event. */
export interface EstimatedEventRelationships<I extends IncludeList = []> {
  /** The shipment that the estimate is about. */
  shipment: ToOne<I, 'shipment', 'shipment'>;
  /** The port of arrival. */
  port: ToOne<I, 'port', 'port'> | null;
  /** The vessel with which the shipment arrives. */
  vessel: ToOne<I, 'vessel', 'vessel'> | null;
}

/** The terminal reported changes of a container. */
export interface ContainerUpdatedEvent<I extends IncludeList = []>
  extends ResourceRecord<'container_updated_event', I>,
    ContainerUpdatedEventAttributes,
    ContainerUpdatedEventRelationships<I> {}

/** The fields of a container updated event. */
export interface ContainerUpdatedEventAttributes {
  /** The attributes that changed. */
  changeset: ContainerChangeset;
  /** When the service saw the change, in `timezone`. */
  timestamp: DateTime;
  /** IANA time zone. */
  timezone?: string;
  /** Source of the report. */
  data_source?: Open<'terminal'>;
}

/** The relationships of a container updated event. */
export interface ContainerUpdatedEventRelationships<I extends IncludeList = []> {
  /** The container that changed. */
  container: ToOne<I, 'container', 'container'>;
  /** The facility that reported the change. Today it is always the terminal of discharge. */
  terminal: ToOne<I, 'terminal', 'terminal'>;
  /** The shipment of the container. */
  shipment: OptionalToOne<I, 'shipment', 'shipment'>;
}

/** A container was added to a shipment. */
export interface ContainerCreatedEvent<I extends IncludeList = []>
  extends ResourceRecord<'container_created_event', I>,
    ContainerCreatedEventAttributes,
    ContainerCreatedEventRelationships<I> {}

/** The fields of a container created event. */
export interface ContainerCreatedEventAttributes {
  /** When the container was added, in `timezone`. */
  timestamp: DateTime;
  /** IANA time zone, often `Etc/UTC`. */
  timezone: string;
}

/** The relationships of a container created event. */
export interface ContainerCreatedEventRelationships<I extends IncludeList = []> {
  /** The new container. */
  container: ToOne<I, 'container', 'container'>;
  /** The shipment to which the container was added. */
  shipment: ToOne<I, 'shipment', 'shipment'>;
}

/**
 * The terminal of discharge was changed. While the container is on board, this is a forecast; a container that was at
 * the terminal has been moved to another yard.
 */
export interface ContainerPodTerminalChangedEvent<I extends IncludeList = []>
  extends ResourceRecord<'container_pod_terminal_changed_event', I>,
    ContainerPodTerminalChangedEventAttributes,
    ContainerPodTerminalChangedEventRelationships<I> {}

/** The fields of a container pod terminal changed event. */
export interface ContainerPodTerminalChangedEventAttributes {
  /** When the service saw the change. */
  timestamp: DateTime;
  /** Source of the report. */
  data_source: Open<'shipping_line' | 'terminal' | 'pierpass'>;
}

/** The relationships of a container pod terminal changed event. */
export interface ContainerPodTerminalChangedEventRelationships<I extends IncludeList = []> {
  /** The container concerned. */
  container: ToOne<I, 'container', 'container'>;
  /** The shipment of the container. */
  shipment: ToOne<I, 'shipment', 'shipment'>;
  /** The new terminal. */
  terminal: ToOne<I, 'terminal', 'terminal'>;
}

/**
 * One container on one journey. On its next journey, the same number belongs to a different record.
 *
 * Arrival estimates, the bill of lading number and the names of ports and carrier are on the shipment: include
 * `shipment`.
 */
export interface Container<I extends IncludeList = []>
  extends ResourceRecord<'container', I>,
    ContainerAttributes,
    ContainerRelationships<I> {}

/** The include paths of the container endpoints, and the relationships below them. */
export type ContainerInclude = IncludePath<
  'container',
  'shipment' | 'pod_terminal' | 'pickup_facility' | 'transport_events'
>;

/** The fields of a container. */
export interface ContainerAttributes {
  /** Number of the container (ISO 6346): four letters and seven digits. `parseContainerNumber()` checks it. */
  number: string;
  /** Your own references. */
  ref_numbers?: string[] | null;
  /** Kind of container. */
  equipment_type: EquipmentType | null;
  /** Length in feet: 10, 20, 40, 45 or 50. */
  equipment_length: number | null;
  /** Height of the container. */
  equipment_height: EquipmentHeight | null;
  /** Weight in pounds. `0` may mean that the weight is not known. */
  weight_in_lbs: number | null;
  /** When the record was created. */
  created_at: DateTime;
  /** Number of the seal on the doors. May be empty. */
  seal_number: string | null;
  /** The current step of the journey. */
  current_status?: ContainerStatus | null;
  /** `true` if the terminal reports the availability of containers. */
  availability_known: boolean | null;
  /**
   * `true` if the container can be picked up. Only valid if `availability_known` is `true`: see `isReadyForPickup()`.
   */
  available_for_pickup: boolean | null;
  /**
   * Last free day of the line, otherwise of the terminal, otherwise of the railway. It need not be the earliest, and may
   * become `null` if the container has left the port. In `pod_timezone` or, on inland moves,
   * `final_destination_timezone`: see `lastFreeDay()`.
   */
  pickup_lfd: DateTime | null;
  /** Appointment to pick up the container, in `pod_timezone`. */
  pickup_appointment_at?: DateTime | null;
  /** Arrival of the vessel at the port of discharge, in `pod_timezone`. */
  pod_arrived_at: DateTime | null;
  /** Discharge from the vessel, in `pod_timezone`. */
  pod_discharged_at: DateTime | null;
  /** Gate-out at the port of discharge, in `pod_timezone`. Also set if the journey continues inland. */
  pod_full_out_at: DateTime | null;
  /** Number of the chassis on which the container left the port. */
  pod_full_out_chassis_number?: string | null;
  /** Place in the terminal, in the terminal's own words. May contain HTML. */
  location_at_pod_terminal?: string | null;
  /** Gate-out at the inland destination, in `final_destination_timezone`. */
  final_destination_full_out_at: DateTime | null;
  /** Return of the empty container, in `empty_terminated_timezone`. */
  empty_terminated_at: DateTime | null;
  /** When the terminal last responded to the service. */
  terminal_checked_at?: DateTime | null;
  /** The holds that keep the container at the terminal or the inland facility; empty if there are none. */
  holds_at_pod_terminal: TerminalHold[] | null;
  /** The fees to pay at the terminal or the inland facility; empty if there are none. */
  fees_at_pod_terminal: TerminalFee[] | null;
  /** IANA time zone of the port of discharge. */
  pod_timezone: string | null;
  /** IANA time zone of the inland destination. */
  final_destination_timezone: string | null;
  /** IANA time zone of the place of the empty return. */
  empty_terminated_timezone: string | null;
  /** SCAC of the railway that takes the container from the port. */
  pod_rail_carrier_scac?: string | null;
  /** SCAC of the railway that delivers the container inland. */
  ind_rail_carrier_scac?: string | null;
  /** Loading on a train at the port, in `pod_timezone`. */
  pod_rail_loaded_at?: DateTime | null;
  /** Departure of the train from the port, in `pod_timezone`. */
  pod_rail_departed_at?: DateTime | null;
  /** The railway's estimate for the inland destination, in `final_destination_timezone`. */
  ind_eta_at?: DateTime | null;
  /** Actual arrival at the inland destination, in `final_destination_timezone`. */
  ind_ata_at?: DateTime | null;
  /** Unloading from the train inland, in `final_destination_timezone`. */
  ind_rail_unloaded_at?: DateTime | null;
  /** @deprecated Read `import_deadlines.pickup_lfd_rail`. */
  ind_facility_lfd_on?: DateTime | CalendarDate | null;
  /** The last free day of each source. */
  import_deadlines?: ImportDeadlines | null;
  /** When the service last sent a request to the terminal. */
  pod_last_tracking_request_at?: DateTime | null;
  /** When the service last sent a request to the shipping line. */
  shipment_last_tracking_request_at?: DateTime | null;
  /** When the service last sent a request to the railway. */
  rail_last_tracking_request_at?: DateTime | null;
  /** When a person marked the container as delivered. */
  delivered_at?: DateTime | null;
  /** Release of the empty container at the origin, which may be far from the port. No field has the time zone. */
  empty_out_at?: DateTime | null;
  /** Gate-in of the full container at the port of lading, in `pol_timezone` of the shipment. */
  pol_full_in_at?: DateTime | null;
  /** Loading on the vessel at the port of lading, in `pol_timezone` of the shipment. */
  pol_vessel_loaded_at?: DateTime | null;
  /** Departure of the vessel from the port of lading, in `pol_timezone` of the shipment. */
  pol_vessel_departed_at?: DateTime | null;
  /** Holds at the inland facility. No source shows a value. */
  ind_facility_holds?: unknown;
  /** Fees at the inland facility. No source shows a value. */
  ind_facility_fees?: unknown;
  /** The carrier's last free day, as the name suggests. No source shows a value. */
  ssl_lfd?: unknown;
  /** Steps of the release, as the carrier reports them. No source shows the format. */
  release_statuses?: unknown;
  /** The source of the inland estimate, such as the carrier or a prediction. No source shows the format. */
  inland_destination_eta_source_summary?: unknown;
}

/** The relationships of a container. */
export interface ContainerRelationships<I extends IncludeList = []> {
  /** The roles of parties, if the service sends them. */
  party_roles: OptionalToMany<I, 'party_roles', 'party_role'>;
  /** The shipment that the container belongs to. */
  shipment: OptionalToOne<I, 'shipment', 'shipment'> | null;
  /** The terminal at the port of discharge; `null` until it is known. */
  pod_terminal: OptionalToOne<I, 'pod_terminal', 'terminal'> | null;
  /** The terminal of the pickup. On inland moves, it is the rail facility. `null` until it is known. */
  pickup_facility: OptionalToOne<I, 'pickup_facility', 'terminal'> | null;
  /** Milestones, estimates and changes of deadlines. `milestones()` sorts them. */
  transport_events: OptionalToMany<I, 'transport_events', 'transport_event'>;
  /** The carrier's own events. See `containers.rawEvents`, which may return fewer events. */
  raw_events: OptionalToMany<I, 'raw_events', 'raw_event'>;
}

/** One of your own fields on shipments or containers. */
export interface CustomFieldDefinition<I extends IncludeList = []>
  extends ResourceRecord<'custom_field_definition', I>,
    CustomFieldDefinitionAttributes,
    CustomFieldDefinitionRelationships<I> {}

/** The include paths of the custom field definition endpoints, and the relationships below them. */
export type CustomFieldDefinitionInclude = IncludePath<'custom_field_definition', 'options'>;

/** The fields of a custom field definition. */
export interface CustomFieldDefinitionAttributes {
  /** Kind of record that has the field. `Cargo` is a container. */
  entity_type: Open<'Shipment' | 'Container' | 'TrackingRequest' | 'Cargo'>;
  /** Name of the field for programs: unique in the account, fixed after creation. */
  api_slug: string;
  /** Name of the field for people. */
  display_name: string;
  /** Purpose of the field, for people. */
  description: string | null;
  /** Kind of value. Fixed after creation. */
  data_type: Open<CustomFieldDataType>;
  /** The type of record that a `reference` names; `null` for other data types. */
  reference_type: string | null;
  /** Rules for values, free form. Known keys: `required`, `pattern`, `max_length`. */
  validation: Record<string, unknown> | null;
  /** Format of `display_value`, for numbers and dates. */
  default_format: string | null;
  /** The value for records without a value. */
  default_value: CustomFieldValue;
  /** The template of the service from which the definition was made. */
  template_id?: string | null;
  /** `true` if values count as references, so that the search finds them. */
  reference_number?: boolean;
  /** `true` if only authorized users see the values. */
  sensitive?: boolean;
  /** When the definition was archived; `null` while it can be used. */
  discarded_at?: DateTime | null;
  /** When the definition was made. */
  created_at?: DateTime;
  /** When the definition was last changed. */
  updated_at?: DateTime;
}

/** The relationships of a custom field definition. */
export interface CustomFieldDefinitionRelationships<I extends IncludeList = []> {
  /** The account that has the field. May be `null`. */
  account: OptionalToOne<I, 'account', 'account'> | null;
  /** The values of the field on all records. */
  fields: OptionalToMany<I, 'fields', 'custom_field'>;
  /** The options, if `data_type` is `enum` or `enum_multi`. */
  options: OptionalToMany<I, 'options', 'custom_field_option'>;
}

/** An option of a definition of type `enum` or `enum_multi`. */
export interface CustomFieldOption extends ResourceRecord<'custom_field_option'>, CustomFieldOptionAttributes {}

/** The fields of a custom field option. */
export interface CustomFieldOptionAttributes {
  /** Label for people. */
  label: string;
  /** The stored value. Unique in the definition, fixed after creation. */
  value: string;
  /** Position among the options. The smallest comes first. */
  position: number | null;
}

/** The value of a definition on one record. */
export interface CustomField<I extends IncludeList = []>
  extends ResourceRecord<'custom_field', I>,
    CustomFieldAttributes,
    CustomFieldRelationships<I> {}

/** The include paths of the custom field endpoints, and the relationships below them. */
export type CustomFieldInclude = IncludePath<'custom_field', 'definition'>;

/** The fields of a custom field. */
export interface CustomFieldAttributes {
  /** Name of the definition for programs. */
  api_slug: string;
  /** The stored value. An `enum_multi` may be sent as an array or as text with commas. */
  value: CustomFieldValue;
  /** The value, formatted for people. */
  display_value: string | null;
  /** Time of the last change. */
  updated_at?: DateTime;
}

/** The relationships of a custom field. */
export interface CustomFieldRelationships<I extends IncludeList = []> {
  /** The record that has the value. */
  entity: ToOne<I, 'entity', 'shipment' | 'container' | 'tracking_request'>;
  /** The definition of the value; `null` if the account does not have it. */
  definition: ToOne<I, 'definition', 'custom_field_definition'> | null;
}

/**
 * A shipping document that the service classifies and reads. Beta. Below an email submission or a notification it
 * lacks the attributes of its file, and some relationships.
 */
export interface Document<I extends IncludeList = []>
  extends ResourceRecord<'document', I>,
    DocumentAttributes,
    DocumentRelationships<I> {}

/** The include paths of the document endpoints, and the relationships below them. */
export type DocumentInclude = IncludePath<
  'document',
  | 'shipments'
  | 'cargos'
  | 'account'
  | 'user'
  | 'last_document_representation'
  | 'email_submission'
  | 'current_extraction'
>;

/** The fields of a document. */
export interface DocumentAttributes {
  /** Name of the document, for people. */
  name: string;
  /** The type that the service has found, as a code of `documents.types`; `null` until the document is classified. */
  document_type: string | null;
  /** The type that a person has set. It takes precedence over `document_type`. */
  document_type_manual?: string | null;
  /** Notes of the classification, for people. */
  classification_notes?: string | null;
  /** The way in which the document reached the account. */
  source?: Open<'upload' | 'api' | 'email' | 'split_document'>;
  /** Name of the file. */
  file_name?: string;
  /** MIME type of the file. */
  file_content_type?: string | null;
  /** Size of the file in bytes. */
  file_size_bytes?: number | null;
  /** The part of a packet from which the document was cut out. */
  parsed?: DocumentParts | null;
  /** Address of the file for one hour, only in early notifications. Use `documents.downloadUrl`. */
  file_url?: string;
  /** When the document was created. */
  created_at: DateTime;
  /** When the document was last changed. */
  updated_at: DateTime;
}

/** The relationships of a document. */
export interface DocumentRelationships<I extends IncludeList = []> {
  /** The account that the document belongs to. */
  account: OptionalToOne<I, 'account', 'account'>;
  /** The person who added the document, if known. */
  user: OptionalToOne<I, 'user', 'user'> | null;
  /** The email that contained the document; `null` if it came another way. */
  email_submission: OptionalToOne<I, 'email_submission', 'email_submission'> | null;
  /** The data that the service extracted last; `null` before the first extraction. */
  last_document_representation: OptionalToOne<I, 'last_document_representation', 'document_representation'> | null;
  /** The same value as `last_document_representation`. Present only if it was included. */
  current_extraction: OptionalToOne<I, 'current_extraction', 'document_representation'> | null;
  /** The packet from which the document was cut out. Present only on documents that were cut out of a packet. */
  parent_document: OptionalToOne<I, 'parent_document', 'document'> | null;
  /** The shipments of the document. */
  shipments: OptionalToMany<I, 'shipments', 'shipment'>;
  /** The containers of the document. */
  cargos: OptionalToMany<I, 'cargos', 'container'>;
}

/** The data that the service has extracted from a document. Beta. It can only be included, not read separately. */
export interface DocumentRepresentation
  extends ResourceRecord<'document_representation'>,
    DocumentRepresentationAttributes {}

/** The fields of a document representation. */
export interface DocumentRepresentationAttributes {
  /** Version of the schema that `payload` follows. */
  schema_version: string;
  /** Keys and values as the document schema of this type and version describes them. */
  payload: Record<string, unknown>;
  /** When the data was extracted. */
  created_at: DateTime;
  /** When the representation was last changed. */
  updated_at: DateTime;
}

/** The schema of the data that is extracted from one type of document. Beta. Its `id` is its `full_version`. */
export interface DocumentSchema extends ResourceRecord<'document_schema'>, DocumentSchemaAttributes {}

/** The fields of a document schema. */
export interface DocumentSchemaAttributes {
  /** Code of the type, as in `documents.types`. */
  document_type: string;
  /** Name of the type, for people. */
  label: string;
  /** Date of the version. */
  schema_version: string;
  /** `<document_type>@<schema_version>`. */
  full_version: string;
  /** `true` if the service uses this version for new documents. */
  current: boolean;
  /** `true` if the version is not finished. */
  draft: boolean;
  /** When the service began to use the version. */
  active_at: DateTime | null;
  /** The language of `schema_payload`. */
  schema_format: Open<'json_schema'>;
  /** Description of the type, for people. */
  description: string | null;
  /** A JSON Schema. */
  schema_payload: Record<string, unknown>;
  /** When the version was created. */
  created_at: DateTime;
  /** When the version was last changed. */
  updated_at: DateTime;
}

/**
 * An email with documents that reached the account. If a document includes it, it is shorter: it has `body_preview` in
 * place of `body`, and no relationships.
 */
export interface EmailSubmission<I extends IncludeList = []>
  extends ResourceRecord<'email_submission', I>,
    EmailSubmissionAttributes,
    EmailSubmissionRelationships<I> {}

/** The include paths of the email submission endpoints, and the relationships below them. */
export type EmailSubmissionInclude = IncludePath<'email_submission', 'documents' | 'account' | 'user'>;

/** The fields of an email submission. */
export interface EmailSubmissionAttributes {
  /** The subject line. */
  subject: string | null;
  /** The text of the email. Absent if a document includes the email. */
  body?: string | null;
  /** The start of the text. Present only if a document includes the email. */
  body_preview?: string | null;
  /** Addresses of the senders. */
  from: string[];
  /** Addresses of the recipients. */
  to: string[];
  /** Addresses of the recipients of a copy. */
  cc: string[];
  /** When the email was sent. */
  sent_at: DateTime | null;
  /** `Message-ID` of the email. */
  message_id: string | null;
  /** `Message-ID` of the email to which it is a reply. */
  in_reply_to?: string | null;
  /** MIME type of the email. */
  content_type?: string | null;
  /** `Message-ID` of each email that it refers to. */
  references?: string[];
  /** Number of documents, without discarded documents. */
  documents_count?: number;
  /** When the service received the email. */
  created_at: DateTime;
  /** When the service last changed the record. */
  updated_at: DateTime;
}

/** The relationships of an email submission. */
export interface EmailSubmissionRelationships<I extends IncludeList = []> {
  /** The account to which the email was sent. */
  account: OptionalToOne<I, 'account', 'account'>;
  /** The person of the account to whom the email belongs, if known. */
  user: OptionalToOne<I, 'user', 'user'> | null;
  /** The documents that were attached. */
  documents: OptionalToMany<I, 'documents', 'document'>;
}

/** The role of a party in a shipment, a container or a tracking request. */
export interface PartyRole<I extends IncludeList = []>
  extends ResourceRecord<'party_role', I>,
    PartyRoleAttributes,
    PartyRoleRelationships<I> {}

/** The include paths of the party role endpoints, and the relationships below them. */
export type PartyRoleInclude = IncludePath<'party_role', 'party'>;

/** The fields of a party role. */
export interface PartyRoleAttributes {
  /** The role of the party. */
  role: PartyRoleName;
  /** The kind of record. `Cargo` is a container. */
  roleable_type: Open<'Shipment' | 'Cargo' | 'TrackingRequest'>;
  /** Id of the record. */
  roleable_id: string;
  /** When the role was created. */
  created_at: DateTime;
  /** When the role was last changed. */
  updated_at: DateTime;
}

/** The relationships of a party role. */
export interface PartyRoleRelationships<I extends IncludeList = []> {
  /** The party that has the role. */
  party: ToOne<I, 'party', 'party'>;
}

/** A sea port. */
export interface Port<I extends IncludeList = []>
  extends ResourceRecord<'port', I>,
    PortAttributes,
    PortRelationships<I> {}

/** The fields of a port. */
export interface PortAttributes {
  /** Name of the port. */
  name: string;
  /** UN/LOCODE. Some codes are not part of the standard. */
  code: string;
  /** State or province. May be digits. */
  state_abbr: string | null;
  /** Name of the city. */
  city: string | null;
  /** ISO 3166 code of two letters. */
  country_code: string;
  /** North is positive. Mostly a decimal string, which `coordinates()` converts to a number. */
  latitude?: WireDegrees;
  /** East is positive. Mostly a decimal string, which `coordinates()` converts to a number. */
  longitude?: WireDegrees;
  /** IANA time zone, such as `America/Los_Angeles`. */
  time_zone: string;
}

/** The relationships of a port. */
export interface PortRelationships<I extends IncludeList = []> {
  /** The terminals of the port. Absent in some notifications. */
  terminals: OptionalToMany<I, 'terminals', 'terminal'>;
}

/** An inland place to which a shipment can go. */
export interface MetroArea extends ResourceRecord<'metro_area'>, MetroAreaAttributes {}

/** The fields of a metro area. */
export interface MetroAreaAttributes {
  /** Name of the place. */
  name: string;
  /** UN/LOCODE. */
  code: string;
  /** State or province: its abbreviation, sometimes its full name. */
  state_abbr: string | null;
  /** ISO 3166 code of two letters. */
  country_code: string;
  /** North is positive. Mostly a decimal string, which `coordinates()` converts to a number. */
  latitude: WireDegrees;
  /** East is positive. Mostly a decimal string, which `coordinates()` converts to a number. */
  longitude: WireDegrees;
  /** IANA time zone, such as `America/Chicago`. */
  time_zone: string;
}

/** A facility at a port. A rail facility may also be sent as a terminal, with the `facility_type` `rail`. */
export interface Terminal<I extends IncludeList = []>
  extends ResourceRecord<'terminal', I>,
    TerminalAttributes,
    TerminalRelationships<I> {}

/** The fields of a terminal. */
export interface TerminalAttributes {
  /** Full name. */
  name: string;
  /** Short name that people use. */
  nickname: string;
  /** Facility code of US customs, or an equivalent of another country. */
  firms_code: string;
  /** Terminal code of the Ship Message Design Group. */
  smdg_code?: string | null;
  /** Facility code of the Bureau International des Containers. */
  bic_facility_code?: string | null;
  /** Street and house number. */
  street?: string | null;
  /** Name of the city. */
  city?: string;
  /** Full name of the state or province. */
  state?: string | null;
  /** Abbreviation of the state or province. */
  state_abbr?: string | null;
  /** Postal code. */
  zip?: string;
  /** Name of the country. */
  country?: string | null;
  /** Kind of facility. */
  facility_type?: Open<'ocean_terminal' | 'rail'>;
  /** The container attributes that the terminal reports. */
  provided_data?: TerminalProvidedData;
}

/** The relationships of a terminal. */
export interface TerminalRelationships<I extends IncludeList = []> {
  /** The port that the terminal belongs to. */
  port: ToOne<I, 'port', 'port'>;
}

/**
 * An inland rail facility. The service sends some rail facilities as a {@link Terminal}. It can only be included, not
 * read separately.
 */
export interface RailTerminal<I extends IncludeList = []>
  extends ResourceRecord<'rail_terminal', I>,
    RailTerminalAttributes,
    RailTerminalRelationships<I> {}

/** The fields of a rail terminal. */
export interface RailTerminalAttributes {
  /** Full name. */
  name: string;
  /** Short name that people use. */
  nickname?: string;
  /** Facility code of US customs, or an equivalent of another country. */
  firms_code?: string;
  /** Name of the city. */
  city?: string;
}

/** The relationships of a rail terminal. */
export interface RailTerminalRelationships<I extends IncludeList = []> {
  /** The port that the facility belongs to; `null` if it is inland only. */
  port: ToOne<I, 'port', 'port'> | null;
  /** The inland place where the facility is. */
  metro_area: ToOne<I, 'metro_area', 'metro_area'>;
}

/** The journey of a container from place to place. A paid feature. */
export interface Route<I extends IncludeList = []>
  extends ResourceRecord<'route', I>,
    RouteAttributes,
    RouteRelationships<I> {}

/** The fields of a route. */
export interface RouteAttributes {
  /** When the service created the route. */
  created_at: DateTime;
  /** When the service last changed the route. */
  updated_at: DateTime;
}

/** The relationships of a route. */
export interface RouteRelationships<I extends IncludeList = []> {
  /** The container of the route. */
  cargo: ToOne<I, 'cargo', 'container'>;
  /** The shipment of the container. */
  shipment: ToOne<I, 'shipment', 'shipment'>;
  /** The places on the way, in the order of travel. */
  route_locations: ToMany<I, 'route_locations', 'route_location'>;
}

/**
 * A place on a route, with the arrival and the departure of the container. `inbound_*` is `null` at the first place,
 * `outbound_*` at the last.
 */
export interface RouteLocation<I extends IncludeList = []>
  extends ResourceRecord<'route_location', I>,
    RouteLocationAttributes,
    RouteLocationRelationships<I> {}

/** The fields of a route location. */
export interface RouteLocationAttributes {
  /** SCAC of the carrier that brings the container. */
  inbound_scac: string | null;
  /** Means of transport to the place. */
  inbound_mode: TransportMode | null;
  /** Voyage with which the container arrives. */
  inbound_voyage_number: string | null;
  /** Estimated arrival, in the time zone of the place. */
  inbound_eta_at: DateTime | null;
  /** Actual arrival, in the time zone of the place. */
  inbound_ata_at: DateTime | null;
  /** SCAC of the carrier that takes the container from the place. */
  outbound_scac: string | null;
  /** Means of transport from the place. */
  outbound_mode: TransportMode | null;
  /** Voyage with which the container leaves. */
  outbound_voyage_number: string | null;
  /** Estimated departure, in the time zone of the place. */
  outbound_etd_at: DateTime | null;
  /** Actual departure, in the time zone of the place. */
  outbound_atd_at: DateTime | null;
  /** When the service added the place to the route. */
  created_at: DateTime;
  /** When the service last changed the place. */
  updated_at: DateTime;
}

/** The relationships of a route location. */
export interface RouteLocationRelationships<I extends IncludeList = []> {
  /** The route of the place. */
  route: ToOne<I, 'route', 'route'>;
  /** The place itself. */
  location: ToOne<I, 'location', 'port' | 'terminal'>;
  /** The facility at the place, if it is known. */
  facility: OptionalToOne<I, 'facility', 'terminal' | 'port'>;
  /** The vessel with which the container arrives; `null` for rail and at the first place. */
  inbound_vessel: ToOne<I, 'inbound_vessel', 'vessel'> | null;
  /** The vessel with which the container leaves; `null` for rail and at the last place. */
  outbound_vessel: ToOne<I, 'outbound_vessel', 'vessel'> | null;
}

/** A search hit. Read `entity_type` instead of `type`, which may be `search_result` or the entity type. */
export interface SearchResult extends SearchResultAttributes {
  /** Id of the record that was found, for `shipments.get`, `containers.get` or `trackingRequests.get`. */
  id: string;
  /** The value depends on the version of the service. Use `entity_type` instead. */
  type: string;
}

/** The fields of a search result. */
export interface SearchResultAttributes {
  /** The kind of record that was found. `cargo` is a container. */
  entity_type: SearchEntityType;
  /** Bill of lading, booking or container number of the record. */
  number: string;
  /** Id of the shipment, on containers and tracking requests. */
  shipment_id: string | null;
  /** SCAC of the carrier. */
  scac: string | null;
  /** Name of the port, on shipments. */
  port_of_lading_name: string | null;
  /** Name of the port, on shipments. */
  port_of_discharge_name: string | null;
  /** Number of containers, on shipments. */
  containers_count: number | null;
  /** On shipments: `true` if the service has stopped the tracking. */
  tracking_stopped: boolean | null;
  /** On shipments: the reason why the tracking was stopped. See `LineTrackingStoppedReason`. */
  tracking_stopped_reason: string | null;
  /** Status of a tracking request. See `TrackingRequestStatus`. */
  status: string | null;
  /** Reason for the failure of a tracking request. See `TrackingRequestFailedReason`. */
  failed_reason: string | null;
  /** Your own references. */
  ref_numbers: string[];
  /** When the record was created. */
  created_at: DateTime;
  /** When the record was last changed. */
  updated_at: DateTime;
}

/**
 * One booking or bill of lading of a carrier, and its containers. It does not have a status: the containers do.
 *
 * @example
 * type WithContainers = Shipment<['containers', 'port_of_lading']>;
 */
export interface Shipment<I extends IncludeList = []>
  extends ResourceRecord<'shipment', I>,
    ShipmentAttributes,
    ShipmentRelationships<I> {}

/** The include paths of the shipment endpoints, and the relationships below them. */
export type ShipmentInclude = IncludePath<
  'shipment',
  | 'containers'
  | 'pod_terminal'
  | 'port_of_lading'
  | 'port_of_discharge'
  | 'destination'
  | 'destination_terminal'
  | 'party_roles'
>;

/** The fields of a shipment. */
export interface ShipmentAttributes {
  /** When the record was created. */
  created_at: DateTime;
  /** Your own references. */
  ref_numbers: (string | null)[] | null;
  /** Your own labels. */
  tags?: string[];
  /** The tracked number: the number of the bill of lading or of the booking. */
  bill_of_lading_number: string;
  /** The number that the service sends to the carrier, often without the SCAC at its beginning. */
  normalized_number?: string;
  /** SCAC of the carrier, four letters. */
  shipping_line_scac: string;
  /** Full name of the carrier. */
  shipping_line_name?: string;
  /** Short name of the carrier. */
  shipping_line_short_name?: string;
  /** Name of the party that the shipment is tracked for. */
  customer_name?: string | null;
  /** UN/LOCODE of the port of lading. */
  port_of_lading_locode?: string | null;
  /** Name of the port of lading. */
  port_of_lading_name?: string | null;
  /** UN/LOCODE of the port of discharge. */
  port_of_discharge_locode?: string | null;
  /** Name of the port of discharge. */
  port_of_discharge_name?: string | null;
  /** UN/LOCODE of the destination; `null` if there is no inland leg. */
  destination_locode?: string | null;
  /** Name of the destination. May be set while `destination_locode` is `null`. */
  destination_name?: string | null;
  /** Name of the vessel that arrives at the port of discharge. */
  pod_vessel_name?: string | null;
  /** Seven-digit IMO number of the vessel that arrives at the port of discharge. */
  pod_vessel_imo?: string | null;
  /** Voyage of the vessel that arrives at the port of discharge. */
  pod_voyage_number?: string | null;
  /** Estimated departure from the port of lading, in `pol_timezone`. Depends on the carrier. */
  pol_etd_at?: DateTime | null;
  /** Actual departure from the port of lading, in `pol_timezone`. */
  pol_atd_at?: DateTime | null;
  /** First reported estimate of the departure, in `pol_timezone`. */
  pol_original_etd_at?: DateTime | null;
  /** Current estimated arrival at the port of discharge, in `pod_timezone`. Often `null` once `pod_ata_at` is set. */
  pod_eta_at?: DateTime | null;
  /** First estimated arrival at the port of discharge, in `pod_timezone`. */
  pod_original_eta_at?: DateTime | null;
  /** Actual arrival at the port of discharge, in `pod_timezone`. */
  pod_ata_at?: DateTime | null;
  /**
   * The carrier's estimate for the destination, in `destination_timezone`. For transport by rail, see `ind_eta_at` of
   * the container.
   */
  destination_eta_at?: DateTime | null;
  /** The carrier's first estimate for the destination, in `destination_timezone`. */
  destination_original_eta_at?: DateTime | null;
  /**
   * Actual arrival at the destination, in `destination_timezone`. For transport by rail, see `ind_ata_at` of the
   * container.
   */
  destination_ata_at?: DateTime | null;
  /** IANA time zone of the port of lading. */
  pol_timezone?: string | null;
  /** IANA time zone of the port of discharge. */
  pod_timezone?: string | null;
  /** IANA time zone of the destination. */
  destination_timezone?: string | null;
  /** When the service last sent a request to the shipping line. */
  line_tracking_last_attempted_at?: DateTime | null;
  /** When the shipping line last responded. */
  line_tracking_last_succeeded_at?: DateTime | null;
  /** When the service stopped reading from the shipping line; `null` while it still reads. */
  line_tracking_stopped_at?: DateTime | null;
  /** Reason why the service stopped reading from the shipping line; `null` while it still reads. */
  line_tracking_stopped_reason?: LineTrackingStoppedReason | null;
}

/** The relationships of a shipment. */
export interface ShipmentRelationships<I extends IncludeList = []> {
  /** The port where the containers are loaded on the first vessel. */
  port_of_lading: ToOne<I, 'port_of_lading', 'port'> | null;
  /** The port where the containers leave the last vessel. */
  port_of_discharge: ToOne<I, 'port_of_discharge', 'port'> | null;
  /** The terminal at the port of discharge; `null` until it is known. */
  pod_terminal: ToOne<I, 'pod_terminal', 'terminal'> | null;
  /**
   * The place to which the carrier takes the containers after the port of discharge; `null` if there is no inland leg.
   */
  destination: ToOne<I, 'destination', 'port' | 'metro_area'> | null;
  /** The facility at the destination. */
  destination_terminal: OptionalToOne<I, 'destination_terminal', 'terminal' | 'rail_terminal'> | null;
  /** The person who stopped the tracking; `null` if nobody stopped it. */
  line_tracking_stopped_by_user: OptionalToOne<I, 'line_tracking_stopped_by_user', 'user'> | null;
  /** The containers; empty until the carrier has named them. */
  containers: ToMany<I, 'containers', 'container'>;
  /** The roles of parties. Only with `flag[parties]`. */
  party_roles: OptionalToMany<I, 'party_roles', 'party_role'>;
}

/** A carrier that can be tracked. */
export interface ShippingLine extends ResourceRecord<'shipping_line'>, ShippingLineAttributes {}

/** The fields of a shipping line. */
export interface ShippingLineAttributes {
  /** Standard Carrier Alpha Code, four letters. */
  scac: string;
  /** Full name. */
  name: string;
  /** Short name that people use. */
  short_name: string;
  /** Other codes of the carrier. A tracking request accepts them too. */
  alternative_scacs: string[];
  /** `true` if bill of lading numbers of this carrier can be tracked. */
  bill_of_lading_tracking_support: boolean;
  /** `true` if booking numbers of this carrier can be tracked. */
  booking_number_tracking_support: boolean;
  /** `true` if a container number alone can be tracked with this carrier. */
  container_number_tracking_support: boolean;
  /** The container attributes that the carrier reports. */
  provided_data?: ShippingLineProvidedData;
  /** The carrier's own tracking page. May contain the placeholder `${BLNUM}` for the number. */
  tracking_url?: string | null;
  /** The carrier's contact page. */
  contact_url?: string | null;
  /** The four letters that the carrier's bill of lading numbers start with. Mostly the SCAC. */
  bol_prefix?: string;
}

/** A request to track a number. */
export interface TrackingRequest<I extends IncludeList = []>
  extends ResourceRecord<'tracking_request', I>,
    TrackingRequestAttributes,
    TrackingRequestRelationships<I> {}

/** The include paths of the tracking request endpoints, and the relationships below them. */
export type TrackingRequestInclude = IncludePath<'tracking_request', 'tracked_object' | 'customer' | 'user'>;

/** The fields of a tracking request. */
export interface TrackingRequestAttributes {
  /** The number to track, as it was entered. */
  request_number: string;
  /** The kind of number. */
  request_type: Open<TrackingRequestType>;
  /** Code of the carrier; `null` while it is being detected. */
  scac: string | null;
  /** Your own references. */
  ref_numbers: string[] | null;
  /** Your own labels. The shipment receives them as its `tags`. */
  shipment_tags?: string[];
  /** Another name of `shipment_tags`, in some responses. */
  tags?: string[];
  /** Current step of the processing. */
  status: TrackingRequestStatus;
  /** Reason why the last attempt failed; `null` without a failure. May be set while the status is still `pending`. */
  failed_reason: TrackingRequestFailedReason | null;
  /** `true` after a temporary failure, with more attempts to come. */
  is_retrying?: boolean;
  /** Number of attempts; `null` if none was needed. */
  retry_count?: number | null;
  /** When the request was created. */
  created_at: DateTime;
  /** When the request was last changed. */
  updated_at: DateTime;
}

/** The relationships of a tracking request. */
export interface TrackingRequestRelationships<I extends IncludeList = []> {
  /** The shipment; `null` until it is found, and `null` if tracking has failed. */
  tracked_object: ToOne<I, 'tracked_object', 'shipment'> | null;
  /** The party that the number is tracked for. Some responses name an account instead. */
  customer: OptionalToOne<I, 'customer', 'party' | 'account'> | null;
  /** The person who created the request. */
  user: OptionalToOne<I, 'user', 'user'> | null;
}

/** The kind and the carrier of a number, as the service infers them. Beta. The record may lack `id` and `type`. */
export interface InferNumberResults extends InferNumberResultsAttributes {
  /** Id of the response. It cannot be read again. */
  id?: string;
  /** Name of the resource type. */
  type?: 'infer_number_results';
}

/** The fields of an infer number results. */
export interface InferNumberResultsAttributes {
  /** The kind of number. `booking` has the name `booking_number` in a tracking request. */
  number_type: Open<'container' | 'bill_of_lading' | 'booking'>;
  /** The check of the number against the rules of its kind. */
  validation: {
    /** `true` if the number is valid; `null` if this is not known. */
    is_valid: boolean | null;
    /** Kind of check. */
    type: Open<'container' | 'shipment'>;
    /** `true` if the check digit of a container number is right (ISO 6346). */
    check_digit_passed?: boolean | null;
    /** The number as the service reads it. */
    parsed_number?: string | null;
    /** Reason why the number is not valid, as text for people. */
    reason?: string | null;
  };
  /** The carrier that the number belongs to. */
  shipping_line: {
    /**
     * The recommended use of the prediction: `auto_select` from a confidence of 0.95, `needs_confirmation` from 0.70,
     * `no_prediction` below or if the carrier is unknown.
     */
    decision: Open<'auto_select' | 'needs_confirmation' | 'no_prediction'>;
    /** The carrier that the service predicts; `null` without a prediction. */
    selected: InferredShippingLine | null;
    /** All possible carriers, the most likely first. */
    candidates: InferredShippingLine[];
  };
}

/** A vessel, with its last known position. */
export interface Vessel extends ResourceRecord<'vessel'>, VesselAttributes {}

/** The fields of a vessel. */
export interface VesselAttributes {
  /** Name of the vessel. */
  name: string;
  /** IMO number, seven digits. It stays the same for the life of the vessel. */
  imo: string | null;
  /** Maritime radio identity, nine digits. It changes with the flag. */
  mmsi?: string | null;
  /** Last known latitude in decimal degrees; north is positive. Always a number, unlike the coordinates of ports. */
  latitude?: number | null;
  /** Last known longitude in decimal degrees; east is positive. Always a number, unlike the coordinates of ports. */
  longitude?: number | null;
  /** Last known speed in knots. */
  nautical_speed_knots?: number | null;
  /** Last known heading in degrees: 0 is north, 90 is east. */
  navigational_heading_degrees?: number | null;
  /** Time of the last known position. */
  position_timestamp?: DateTime | null;
  /** The track. Present only in responses to `show_positions` or `futurePositions`. */
  positions?: VesselPosition[] | null;
}

/** An address that the service notifies of events. */
export interface Webhook extends ResourceRecord<'webhook'>, WebhookAttributes {}

/** The fields of a webhook. */
export interface WebhookAttributes {
  /** Address that receives the deliveries. */
  url: string;
  /** `true` if the service delivers notifications. The service may set it to `false` after repeated failures. */
  active: boolean;
  /** The events for which the service sends notifications. */
  events: Open<EventName>[];
  /** The key for the signatures of deliveries. */
  secret?: string;
  /** Headers of each delivery. The service changes the case of the names. */
  headers?: WebhookHeader[] | null;
  /** When the webhook was created. Not in every response. */
  created_at?: DateTime;
}

/** One notification to one webhook about one event. */
export interface WebhookNotification<I extends IncludeList = []>
  extends ResourceRecord<'webhook_notification', I>,
    WebhookNotificationAttributes,
    WebhookNotificationRelationships<I> {}

/** The include paths of the webhook notification endpoints, and the relationships below them. */
export type WebhookNotificationInclude = IncludePath<'webhook_notification', 'reference_object' | 'webhook'>;

/** The fields of a webhook notification. */
export interface WebhookNotificationAttributes {
  /** Name of the event. */
  event: Open<EventName>;
  /** Status of the delivery to the webhook. */
  delivery_status: DeliveryStatus;
  /** When the service created the notification. */
  created_at: DateTime;
  /** Version of the payload. Only on document events. */
  version?: CalendarDate;
}

/** The relationships of a webhook notification. */
export interface WebhookNotificationRelationships<I extends IncludeList = []> {
  /** The record of the event. Most document events have `document` instead. */
  reference_object: OptionalToOne<
    I,
    'reference_object',
    | 'tracking_request'
    | 'transport_event'
    | 'estimated_event'
    | 'container_updated_event'
    | 'container_created_event'
    | 'container_pod_terminal_changed_event'
    | 'document'
  >;
  /** The webhook of the notification. */
  webhook: OptionalToOne<I, 'webhook', 'webhook'>;
  /** The delivery attempts. They cannot be included or read. */
  webhook_notification_logs?: {
    /** Name of the resource type. */
    type: string;
    /** Id of the record. */
    id: string;
  }[];
  /** The document of a document event. Absent on other events. */
  document: OptionalToOne<I, 'document', 'document'>;
}

/** A group of the events that the account may subscribe to. Its `id` is a short name, not a UUID. */
export interface WebhookEventCategory
  extends ResourceRecord<'webhook_event_category'>,
    WebhookEventCategoryAttributes {}

/** The fields of a webhook event category. */
export interface WebhookEventCategoryAttributes {
  /** Name of the group, as text for people. */
  name: string;
  /** The events of the group, each with a description for people. */
  events: {
    /** Name of the event. */
    name: Open<EventName>;
    /** Meaning of the event, in the service's words. */
    description: string;
  }[];
}

/** The attributes that changed, each as `[before, after]`. The service also sends other keys than these. */
export interface ContainerChangeset {
  /** `true` if the container can be picked up. */
  available_for_pickup?: Change<boolean | null>;
  /** Last free day, in the container's `pod_timezone` or, inland, its `final_destination_timezone`. */
  pickup_lfd?: Change<DateTime | null>;
  /** Last free day according to the shipping line. */
  pickup_lfd_line?: Change<DateTime | null>;
  /** Last free day according to the railway. */
  pickup_lfd_rail?: Change<DateTime | null>;
  /** All fees before and after the change, not only those that changed. */
  fees_at_pod_terminal?: Change<TerminalFee[] | null>;
  /** All holds before and after the change, not only those that changed. */
  holds_at_pod_terminal?: Change<TerminalHold[] | null>;
  /** Appointment to pick up the container, in its `pod_timezone`. */
  pickup_appointment_at?: Change<DateTime | null>;
  /** Ids of terminals. */
  pod_terminal?: Change<string | null>;
  [name: string]: Change<unknown> | undefined;
}

/** Names that the service has for the entries of carriers. */
export type RawEventName = Open<
  | 'empty_out'
  | 'full_in'
  | 'positioned_in'
  | 'positioned_out'
  | 'vessel_loaded'
  | 'vessel_departed'
  | 'transshipment_arrived'
  | 'transshipment_discharged'
  | 'transshipment_loaded'
  | 'transshipment_departed'
  | 'feeder_arrived'
  | 'feeder_discharged'
  | 'feeder_loaded'
  | 'feeder_departed'
  | 'rail_loaded'
  | 'rail_departed'
  | 'rail_arrived'
  | 'rail_unloaded'
  | 'vessel_arrived'
  | 'vessel_discharged'
  | 'arrived_at_destination'
  | 'delivered'
  | 'full_out'
  | 'empty_in'
  | 'vgm_received'
  | 'carrier_release'
  | 'customs_release'
  | 'available'
>;

/**
 * Step of a container's journey. Steps can be skipped or reversed.
 *
 * - `new`: tracked, no milestone yet.
 * - `on_ship`: from loading on the first vessel to discharge, transshipments included.
 * - `grounded`: discharged or unloaded from the train; it is not known whether it can be picked up.
 * - `available`: can be picked up.
 * - `not_available`: held or not released by the terminal.
 * - `awaiting_inland_transfer`: discharged at the port, the inland leg is still to come.
 * - `on_rail`: on a train.
 * - `off_dock`: moved to another yard.
 * - `picked_up`: has left the terminal or the inland facility.
 * - `delivered`: marked so by a person.
 * - `empty_returned`: the empty container is back, tracking has ended.
 */
export type ContainerStatus = Open<
  | 'new'
  | 'on_ship'
  | 'grounded'
  | 'available'
  | 'not_available'
  | 'awaiting_inland_transfer'
  | 'on_rail'
  | 'off_dock'
  | 'picked_up'
  | 'delivered'
  | 'empty_returned'
  | 'dropped'
  | 'loaded'
>;

/** Height of a container. `high_cube` is a foot higher. */
export type EquipmentHeight = Open<'standard' | 'high_cube'>;

/** Kind of container. */
export type EquipmentType = Open<'dry' | 'reefer' | 'open top' | 'flat rack' | 'bulk' | 'tank'>;

/** The last free days that the sources report. Storage is charged from the following day on. */
export interface ImportDeadlines {
  /**
   * The day of the shipping line, in `final_destination_timezone` or `pod_timezone`. `lastFreeDays()` finds the place.
   */
  pickup_lfd_line: DateTime | null;
  /** The day of the terminal, in `pod_timezone`. */
  pickup_lfd_terminal: DateTime | null;
  /** The day of the railway, in `final_destination_timezone`. It has a value only for accounts with the rail plan. */
  pickup_lfd_rail: DateTime | null;
  /** The days at the port of discharge, with their history and the choice of the service. */
  pod?: {
    /** The day of the shipping line. */
    line?: {
      /** The first reported day. */
      original: DateTime | null;
      /** The last reported day. */
      current: DateTime | null;
      /**
       * The day that was calculated from a tariff, for accounts that have chosen this. A day without a time is a whole day
       * at the port.
       */
      calculated: DateTime | CalendarDate | null;
      /** `true` if a person has entered the day. */
      manual: boolean;
    } | null;
    /** The day of the terminal. */
    facility?: {
      /** The first reported day. */
      original: DateTime | null;
      /** The last reported day. */
      current: DateTime | null;
      /**
       * The day that was calculated from a tariff, for accounts that have chosen this. A day without a time is a whole day
       * at the port.
       */
      calculated: DateTime | CalendarDate | null;
      /** `true` if a person has entered the day. */
      manual: boolean;
    } | null;
    /** The day that the service has chosen among the days that the account can see. */
    unified?: {
      /** The first chosen day. */
      original_value: DateTime | CalendarDate | null;
      /** The source of the first choice. */
      original_selection: Open<'line' | 'facility' | 'line_calculated' | 'facility_manual'> | null;
      /** The currently chosen day. */
      current_value: DateTime | CalendarDate | null;
      /** The source of the current choice. */
      current_selection: Open<'line' | 'facility' | 'line_calculated' | 'facility_manual'> | null;
    } | null;
  };
}

/** The vessel that carries the container now. Present only at sea, if a position is known. */
export interface MapCurrentVessel {
  /** Kind of feature. */
  feature_type: 'current_vessel';
  /** Position of the port of departure on the route. */
  ports_sequence: number;
  /** Id of the vessel, for `vessels.get`. */
  vessel_id: string;
  /** Name of the vessel. */
  vessel_name: string;
  /** IMO number of the vessel, seven digits. */
  vessel_imo: string;
  /** Voyage of the vessel. */
  voyage_number: string | null;
  /** When the position was reported. */
  vessel_location_timestamp: DateTime;
  /** Heading in degrees: 0 is north, 90 is east. */
  vessel_location_heading: number | null;
  /** Speed in knots. */
  vessel_location_speed: number | null;
  /** Id of the port that the vessel left. */
  departure_port_id: string;
  /** Name of that port. */
  departure_port_name: string;
  /** Abbreviation of the state or province. */
  departure_port_state_abbr: string | null;
  /** Full name of the state or province. */
  departure_port_state: string | null;
  /** ISO 3166 code of two letters. */
  departure_port_country_code: string;
  /** Name of the country. */
  departure_port_country: string;
  /** `POL`, or `TS1`, `TS2` and so on for a transshipment. */
  departure_port_label: string;
  /** IANA time zone of the port. */
  departure_port_time_zone: string;
  /** Actual departure, in `departure_port_time_zone`. */
  departure_port_atd: DateTime | null;
  /** Id of the port that the vessel goes to. */
  arrival_port_id: string | null;
  /** Name of that port. */
  arrival_port_name: string | null;
  /** Abbreviation of the state or province. */
  arrival_port_state_abbr: string | null;
  /** Full name of the state or province. */
  arrival_port_state: string | null;
  /** ISO 3166 code of two letters. */
  arrival_port_country_code: string | null;
  /** Name of the country. */
  arrival_port_country: string | null;
  /** `POD`, or `TS1`, `TS2` and so on for a transshipment. */
  arrival_port_label: string | null;
  /** IANA time zone of the port. */
  arrival_port_time_zone: string | null;
  /** Estimated arrival, in `arrival_port_time_zone`. */
  arrival_port_eta: DateTime | null;
}

/** A leg that has not started. */
export interface MapEstimatedFullLeg {
  /** Kind of feature. */
  feature_type: 'estimated_full_legs';
  /** Position of the leg on the route, from 1. It is the position of the port where the leg begins. */
  ports_sequence: number;
  /** Id of the port where the leg begins. */
  previous_port_id: string;
  /** Id of the port where the leg ends. */
  next_port_id: string;
  /** Number of points of the full line. The number of coordinates may be smaller, because lines are simplified. */
  point_count: number;
}

/** The leg from the current vessel to its next port. */
export interface MapEstimatedPartialLeg {
  /** Kind of feature. */
  feature_type: 'estimated_partial_leg';
  /** Position of the leg on the route, from 1. It is the position of the port where the leg begins. */
  ports_sequence: number;
  /** Id of the port that the vessel left. */
  current_port_id: string;
  /** Id of the port where the leg ends. */
  next_port_id: string;
  /** Number of points of the full line. The number of coordinates may be smaller, because lines are simplified. */
  point_count: number;
}

/** A leg that is finished or running. */
export interface MapPastVesselLocations {
  /** Kind of feature. */
  feature_type: 'past_vessel_locations';
  /** Position of the leg on the route, from 1. It is the position of the port where the leg begins. */
  ports_sequence: number;
  /** Id of the vessel, for `vessels.get`. */
  vessel_id: string;
  /** Time of the first point. */
  start_time: DateTime;
  /** Time of the last point. */
  end_time: DateTime;
  /** Number of points of the full line. The number of coordinates may be smaller, because lines are simplified. */
  point_count: number;
  /** Actual departure, in the time zone of the port. */
  outbound_atd_at: DateTime | null;
  /** Actual arrival, in the time zone of the port. */
  inbound_ata_at: DateTime | null;
  /** Estimated arrival, in the time zone of the port. */
  inbound_eta_at: DateTime | null;
}

/** A port on the route. */
export interface MapPort {
  /** Kind of feature. */
  feature_type: 'port';
  /** Position on the route, from 1. */
  ports_sequence: number;
  /** Number of ports on the route. */
  ports_total: number;
  /** Id of the port. */
  location_id: string;
  /** Kind of place: `Port`. */
  location_type: string;
  /** Name of the port. */
  name: string;
  /** Abbreviation of the state or province. */
  state_abbr: string | null;
  /** Full name of the state or province. */
  state: string | null;
  /** ISO 3166 code of two letters. */
  country_code: string;
  /** Name of the country. */
  country: string;
  /** IANA time zone of the port. */
  time_zone: string;
  /** `POL`, `POD`, or `TS1`, `TS2` and so on for transshipments. */
  label: string;
  /** Estimated arrival, in the time zone of the port. */
  inbound_eta_at: DateTime | null;
  /** Actual arrival, in the time zone of the port. */
  inbound_ata_at: DateTime | null;
  /** Estimated departure, in the time zone of the port. */
  outbound_etd_at: DateTime | null;
  /** Actual departure, in the time zone of the port. */
  outbound_atd_at: DateTime | null;
  /** When the service last changed this. */
  updated_at: DateTime | null;
}

/** The number of containers for each value of one column. */
export interface ContainerCounts {
  /** The values, sorted by number of containers, highest first. At most 200. */
  data: {
    /** The value of the column; an id for places and carriers, `null` for containers without a value. */
    key: string | null;
    /** Name for people. */
    label: string | null;
    /** Number of containers. */
    count: number;
  }[];
  /** The column and the total of the counts. */
  meta: {
    /** Total number of containers. */
    total: number;
    /** The column. */
    group_by: string;
    /** `true` if there are more values than `data` has. If `false`, the counts add up to `total`. */
    truncated: boolean;
  };
}

/** Result of a request to refresh a container. */
export interface RefreshResult {
  /** A text with the sources that the service reads: shipping line, terminal, rail. */
  message: string;
}

/** An amount to pay before a container leaves its terminal. */
export interface TerminalFee {
  /** Reason for the fee. `total` is the sum of the other fees, so do not add it to them. */
  type: Open<'demurrage' | 'exam' | 'extended_dwell_time' | 'other' | 'total'>;
  /** In units of `currency_code`. `0` means that the price is not known yet. */
  amount: number;
  /** ISO 4217 code. Without this field, the amount is in the local currency. */
  currency_code?: string;
}

/** A reason that keeps a container at its terminal. A hold that is released disappears from the list. */
export interface TerminalHold {
  /** The authority, the program or the company that holds the container. Values can differ in case. */
  name: Open<'freight' | 'customs' | 'USDA' | 'VACIS' | 'TMF' | 'other'>;
  /** `hold` is active, `pending` is expected. */
  status: Open<'hold' | 'pending'>;
  /** Description of the hold, in the words of the terminal or in plain language. May be empty. */
  description: string | null;
  /** The original words of the source, if `description` explains them. */
  detail?: string | null;
}

/** Kind of value of a custom field. */
export type CustomFieldDataType =
  | 'short_text'
  | 'number'
  | 'decimal'
  | 'date'
  | 'datetime'
  | 'boolean'
  | 'enum'
  | 'enum_multi'
  | 'reference';

/** The part of a packet from which a document was cut out. */
export interface DocumentParts {
  /** The pages of the part in the packet. */
  packetSegment?: PacketSegment;
}

/** Pages of a packet, from the first to the last, both included. */
export interface PacketSegment {
  /** Number of the first page. */
  startPage: number;
  /** Number of the last page. */
  endPage: number;
}

/** The service has queued the work. */
export interface Accepted {
  /** The result comes later. */
  status: 'accepted';
}

/** The facts about a file for a direct upload. */
export interface DirectUploadCreate {
  /** Name of the file. */
  filename: string;
  /** MIME type of the file. */
  content_type: string;
  /** Size of the file in bytes. */
  byte_size: number;
  /** Base64 of the binary MD5 of the file. */
  checksum: string;
}

/** The place in the storage to which a file can be sent. */
export interface DirectUpload {
  /** Id of the place. */
  id: string;
  /** Name of the file in the storage. */
  key: string;
  /** Name of the file, as it was announced. */
  filename: string;
  /** MIME type of the file, as it was announced. */
  content_type: string;
  /** Notes of the storage about the file. */
  metadata: Record<string, unknown>;
  /** Name of the storage. */
  service_name: string;
  /** Size of the file in bytes, as it was announced. */
  byte_size: number;
  /** Base64 of the binary MD5 of the file. */
  checksum: string;
  /** When the place was created. */
  created_at: DateTime;
  /** The value of `attached_document` for `documents.create`. */
  signed_id: string;
  /** Address and headers for the file. `directUploads.put` sends it. */
  direct_upload: {
    /** The address to which the file is sent. It is signed, so send no credentials to it. */
    url: string;
    /** Headers to send exactly as they are. */
    headers: Record<string, string>;
  };
}

/** One document type. */
export interface DocumentTypeDetail {
  /** The type, with its structure. */
  document_type: {
    /** The value of `document_type`. */
    code: string;
    /** Name for people. */
    label: string;
    /** Description for people. */
    description?: string;
    /** The structure of the data that is extracted from a document of this type. */
    schema: {
      /** `<code>@<version>`. */
      id: string;
      /** Date of the version. */
      version: string;
      /** The language of `payload`. */
      format: Open<'json_schema'>;
      /** A JSON Schema with the structure only: types, formats, enumerations, properties, items, required names. */
      payload: Record<string, unknown>;
    };
  };
}

/** The types of documents that the account can have. */
export interface DocumentTypes {
  /** The types, each with its code, for `document_type`, and its label, for people. */
  document_types: {
    /** The value of `document_type`. */
    code: string;
    /** Name for people. */
    label: string;
    /** Description for people. Only types with a detail view have this value. */
    description?: string;
    /** The version of the structure. Missing if the type has no detail view. `documents.type` then responds with 404. */
    schema?: {
      /** `<code>@<version>`. */
      id: string;
      /** Date of the version. */
      version: string;
      /** Address of the structure, without the origin. `documents.type` reads it. */
      detail_url: string;
    };
  }[];
}

/** The address of a document's file. */
export interface DownloadUrl {
  /** The address. It is signed, so send no credentials to it. It expires soon. */
  download_url: string;
}

/** A role. A container accepts only `pickup_dray_carrier`. */
export type PartyRoleName = Open<
  'shipper' | 'consignee' | 'notify_party' | 'customs_broker' | 'customer' | 'freight_forwarder' | 'pickup_dray_carrier'
>;

/** Decimal degrees as the service sends them: a number, a decimal string, or `null`. `coordinates()` reads them. */
export type WireDegrees = number | string | null;

/** The container attributes that the terminal reports, each with a note if there is one. */
export type TerminalProvidedData = ProvidedData<
  | 'pickup_lfd'
  | 'pod_full_out_at'
  | 'available_for_pickup'
  | 'fees_at_pod_terminal'
  | 'holds_at_pod_terminal'
  | 'pickup_appointment_at'
  | 'location_at_pod_terminal'
  | 'pod_full_out_chassis_number'
  | 'empty_terminated_at'
>;

/** Means of transport on a leg. */
export type TransportMode = Open<'vessel' | 'rail'>;

/** The kind of record that was found. `cargo` is a container. */
export type SearchEntityType = Open<'shipment' | 'cargo' | 'tracking_request'>;

/**
 * Reason why the service stopped reading from the shipping line; `null` while it still reads.
 *
 * - `all_containers_terminated`: every empty container is back.
 * - `past_arrival_window`: the arrival at the destination is more than 56 days ago.
 * - `past_full_out_window`: the containers left the terminal too long ago.
 * - `no_updates_at_line`: nothing new from the carrier for more than 56 days.
 * - `cancelled_by_user`: by a person, or through `shipments.stopTracking`.
 * - `booking_cancelled`: the carrier has cancelled the booking.
 * - `account_closed`: the account has been closed.
 */
export type LineTrackingStoppedReason = Open<
  | 'all_containers_terminated'
  | 'past_arrival_window'
  | 'past_full_out_window'
  | 'no_updates_at_line'
  | 'cancelled_by_user'
  | 'booking_cancelled'
  | 'account_closed'
>;

/** The container attributes that the carrier reports, each with a note if there is one. */
export type ShippingLineProvidedData = ProvidedData<
  | 'ssl_lfd'
  | 'seal_number'
  | 'weight_in_lbs'
  | 'equipment_type'
  | 'equipment_height'
  | 'equipment_length'
  | 'pod_arrived_at'
  | 'pod_full_out_at'
  | 'pod_discharged_at'
  | 'empty_terminated_at'
  | 'final_destination_full_out_at'
>;

/** A value of a custom field. Its type depends on the `data_type` of the definition. */
export type CustomFieldValue = string | number | boolean | string[] | Record<string, unknown> | null;

/**
 * - `unrecognized_response`, `shipping_line_unreachable`, `internal_processing_error`, `awaiting_manifest`: temporary.
 * They may be set while the status is still `pending`.
 * - `duplicate`: the shipment already existed.
 * - `expired`: no success within the time for which the service waits.
 * - `retries_exhausted`: 14 attempts have failed.
 * - `not_found`: the carrier does not know the number.
 * - `invalid_number`: the carrier does not accept the format.
 * - `booking_cancelled`: the carrier has cancelled the booking.
 * - `data_unavailable`: the number is right, but the carrier sends no data.
 * - `scac_auto_detect_failed`: no supported carrier was found for the number.
 */
export type TrackingRequestFailedReason = Open<
  | 'unrecognized_response'
  | 'shipping_line_unreachable'
  | 'internal_processing_error'
  | 'awaiting_manifest'
  | 'duplicate'
  | 'expired'
  | 'retries_exhausted'
  | 'not_found'
  | 'invalid_number'
  | 'booking_cancelled'
  | 'data_unavailable'
  | 'scac_auto_detect_failed'
>;

/** A carrier that a number may belong to. */
export interface InferredShippingLine {
  /** Code of the carrier, usually four letters. */
  scac: string;
  /** Name of the carrier. */
  name: string;
  /** Confidence of the service, from 0 to 1. */
  confidence: number;
}

/** A value to set on the containers as soon as a tracking request has found them. */
export interface InitialContainerCustomField {
  /** Name of a definition for containers. */
  api_slug: string;
  /** Must match the `data_type` of the definition. */
  value: CustomFieldValue;
  /** Number of the container. Without it, the value is set on every container. */
  number?: string | undefined;
}

/** A value to set on the shipment as soon as a tracking request has found it. */
export interface InitialCustomField {
  /** Name of a definition for shipments. */
  api_slug: string;
  /** Must match the `data_type` of the definition. */
  value: CustomFieldValue;
}

/** Kind of number that is tracked. */
export type TrackingRequestType = 'bill_of_lading' | 'booking_number' | 'container';

/**
 * - `pending`: queued or waiting for another attempt.
 * - `awaiting_manifest`: the carrier has no data yet. The service tries again daily, for 7 days or longer. The number
 * of days depends on the plan of the account.
 * - `created`: the shipment exists.
 * - `failed`: see `failed_reason`.
 * - `tracking_stopped`: the shipment is no longer updated.
 */
export type TrackingRequestStatus = Open<'pending' | 'awaiting_manifest' | 'created' | 'failed' | 'tracking_stopped'>;

/** A position of a vessel at one moment, observed or predicted. */
export interface VesselPosition {
  /** Decimal degrees; north is positive. */
  latitude: number;
  /** Decimal degrees; east is positive. */
  longitude: number;
  /** Degrees: 0 is north, 90 is east. */
  heading: number | null;
  /** Time of the position. */
  timestamp: DateTime;
  /** `true` for a prediction, `false` for a position that was observed. */
  estimated: boolean;
}

/** `succeeded` if the webhook has acknowledged the notification, `failed` after 12 retries, `pending` until then. */
export type DeliveryStatus = Open<'pending' | 'succeeded' | 'failed'>;

/** Result of the delivery of a sample notification. The call succeeds even if the delivery failed. */
export interface TriggerResult {
  /** Address to which the sample was sent. */
  url: string;
  /** `true` if the response was a 200, 201, 202 or 204. */
  succeeded: boolean;
  /** Reason for the failure; `null` without a failure. */
  error: string | null;
  /** HTTP status of the response; `null` without a response. */
  status_code: number | null;
  /** Headers of the delivery, including its signature. */
  request_headers: Record<string, unknown>;
  /** Body of the delivery, as it was signed. */
  request_body: string;
  /** Headers of the response; `null` without a response. */
  response_headers: Record<string, unknown> | null;
  /** Body of the response; `null` without a response. */
  response_body: string | null;
}

/** A header that the service sends with each delivery. */
export interface WebhookHeader {
  /** Name of the header. The service may change its case. */
  name: string;
  /** Value of the header. */
  value: string;
}

/** The addresses from which notifications are sent. Read them regularly, for example daily. */
export interface WebhookIps {
  /** IPv4 addresses. */
  webhook_notification_ips: string[];
  /** When the addresses were last changed. */
  last_updated: DateTime | CalendarDate;
}

/** A party to create. */
export interface PartyCreate {
  /** Name of the customer, unique in the account. */
  company_name: string;
}

/** The attributes that `parties.update` can change. */
export interface PartyUpdate {
  /** New name of the customer, unique in the account. */
  company_name: string;
}

/** The attributes that `containers.update` can change. */
export interface ContainerUpdate {
  /** Your own references. These reference numbers replace the present reference numbers. */
  ref_numbers?: readonly string[] | undefined;
}

/** A value to set on the record of the call. */
export interface CustomFieldSet {
  /** Name of the definition for programs. */
  api_slug: string;
  /** Must match the `data_type` of the definition. */
  value: CustomFieldValue;
}

/** The attributes that the updates of a custom field can change. */
export interface CustomFieldUpdate {
  /** The new value. Must match the `data_type` of the definition. */
  value: CustomFieldValue;
}

/** A definition to create. */
export interface CustomFieldDefinitionCreate {
  /** Kind of record that has the field. */
  entity_type: 'Shipment' | 'Container';
  /** Name of the field for programs: unique in the account, fixed after creation. */
  api_slug: string;
  /** Name of the field for people. */
  display_name: string;
  /** Kind of value. Fixed after creation. */
  data_type: CustomFieldDataType;
  /** Purpose of the field, for people. */
  description?: string | null | undefined;
  /** Required if `data_type` is `reference`. */
  reference_type?: string | null | undefined;
  /** Rules for values, free form. Known keys: `required`, `pattern`, `max_length`. */
  validation?: Record<string, unknown> | null | undefined;
  /** Format of `display_value`, for numbers and dates. */
  default_format?: string | null | undefined;
  /** The value for records without a value. */
  default_value?: CustomFieldValue | undefined;
  /** `true` if values count as references, which the search finds. */
  reference_number?: boolean | undefined;
  /** `true` if only authorized users see the values. */
  sensitive?: boolean | undefined;
}

/** The attributes that `customFieldDefinitions.update` can change. */
export interface CustomFieldDefinitionUpdate {
  /** Name of the field for people. */
  display_name?: string | undefined;
  /** Purpose of the field, for people. */
  description?: string | null | undefined;
  /** Rules for values, free form. Known keys: `required`, `pattern`, `max_length`. */
  validation?: Record<string, unknown> | null | undefined;
  /** Format of `display_value`, for numbers and dates. */
  default_format?: string | null | undefined;
  /** The value for records without a value. */
  default_value?: CustomFieldValue | undefined;
}

/** An option to create. */
export interface CustomFieldOptionCreate {
  /** Label for people. */
  label: string;
  /** The stored value. Unique in the definition, fixed after creation. */
  value: string;
  /** Position among the options. The smallest comes first. */
  position?: number | null | undefined;
}

/** The attributes that `customFieldOptions.update` can change. */
export interface CustomFieldOptionUpdate {
  /** Label for people. */
  label?: string | undefined;
  /** Position among the options. The smallest comes first. */
  position?: number | null | undefined;
}

/** A value to set, and the record that gets the value. */
export interface CustomFieldCreate {
  /** Name of the definition for programs. */
  api_slug: string;
  /** Must match the `data_type` of the definition. */
  value: CustomFieldValue;
  /** The record that gets the value. */
  entity: Ref<'shipment' | 'container'>;
}

/** A document to create from a file that was uploaded. */
export interface DocumentCreate {
  /** Name of the document, for people. */
  name: string;
  /** The `signed_id` of a direct upload, never an address. */
  attached_document: string;
}

/** The rotation of an image. */
export interface DocumentRotate {
  /** Angle of the rotation in degrees. */
  degrees: 90 | 180 | 270;
}

/** The attributes that `documents.update` can change. */
export interface DocumentUpdate {
  /** Code of the type, from `documents.types`. It takes precedence over the type that the service finds. */
  document_type_manual?: string | undefined;
  /** Keys and values. They replace the keys and values that the service has extracted. */
  extracted_data_manual?: Record<string, unknown> | null | undefined;
}

/** A role to give to a party. */
export interface PartyRoleCreate {
  /** The role of the party. */
  role: PartyRoleName;
  /** A party of the account. */
  party: Ref<'party'>;
}

/** The attributes that `shipments.update` can change. */
export interface ShipmentUpdate {
  /** Your own references. They replace the current ones. */
  ref_numbers?: readonly string[] | undefined;
  /** Your own labels, without repetition. They replace the current ones. */
  tags?: readonly string[] | undefined;
}

/** The attributes that `trackingRequests.update` can change. */
export interface TrackingRequestUpdate {
  /** One more of your own references. The name is singular. The value is added to the attribute `ref_numbers`. */
  ref_number?: string | undefined;
}

/** A webhook to create. */
export interface WebhookCreate<E extends string = EventName> {
  /** Address of the deliveries. Must be https. */
  url: string;
  /** `true` if the service should deliver notifications. */
  active: boolean;
  /**
   * The events for which notifications are sent. At least one event, without repetition. The service accepts a webhook
   * without `events` too, and does not document its choice of events: read the `events` of the response.
   */
  events?: readonly NamedEvent<E>[] | undefined;
  /** Headers of each delivery. */
  headers?: readonly WebhookHeader[] | undefined;
}

/** A sample notification to send. A webhook is not required. */
export interface WebhookTrigger<E extends string = EventName> {
  /** Address to which the sample is sent. Must be https. */
  url: string;
  /** The event of the sample. */
  event: NamedEvent<E>;
  /** Secret for the signature. Without it, the delivery is not signed. */
  secret?: string | undefined;
  /** The sample to send. Only for document events. */
  sample?:
    | {
        /** The code of a document type. Without it, the service chooses a type. */
        document_type?: string | undefined;
      }
    | undefined;
}

/** The attributes that `webhooks.update` can change. */
export interface WebhookUpdate<E extends string = EventName> {
  /** Address of the deliveries. Must be https. */
  url?: string | undefined;
  /** `true` activates a webhook that the service has deactivated. */
  active?: boolean | undefined;
  /** The events for which notifications are sent. At least one, without repetition. They replace the current ones. */
  events?: readonly NamedEvent<E>[] | undefined;
  /** Headers of each delivery. */
  headers?: readonly WebhookHeader[] | undefined;
}

/** Every record that a relationship can lead to, by its type, with the related records that `I` includes. */
export interface RecordTypes<I extends IncludeList> {
  party: Party;
  account: Account;
  user: User<I>;
  credential: Credential<I>;
  transport_event: TransportEvent<I>;
  raw_event: RawEvent<I>;
  estimated_event: EstimatedEvent<I>;
  container_updated_event: ContainerUpdatedEvent<I>;
  container_created_event: ContainerCreatedEvent<I>;
  container_pod_terminal_changed_event: ContainerPodTerminalChangedEvent<I>;
  container: Container<I>;
  custom_field_definition: CustomFieldDefinition<I>;
  custom_field_option: CustomFieldOption;
  custom_field: CustomField<I>;
  document: Document<I>;
  document_representation: DocumentRepresentation;
  document_schema: DocumentSchema;
  email_submission: EmailSubmission<I>;
  party_role: PartyRole<I>;
  port: Port<I>;
  metro_area: MetroArea;
  terminal: Terminal<I>;
  rail_terminal: RailTerminal<I>;
  route: Route<I>;
  route_location: RouteLocation<I>;
  shipment: Shipment<I>;
  shipping_line: ShippingLine;
  tracking_request: TrackingRequest<I>;
  vessel: Vessel;
  webhook: Webhook;
  webhook_notification: WebhookNotification<I>;
  webhook_event_category: WebhookEventCategory;
}

/** The types of record that a relationship can lead to. */
export type LinkableType = keyof RecordTypes<[]>;

/** Every resource type of the service as it is on the wire: its attributes and its relationships. */
export interface Resources {
  party: Model<PartyAttributes>;
  account: Model<AccountAttributes>;
  user: Model<UserAttributes, UserRelationships>;
  credential: Model<CredentialAttributes, CredentialRelationships>;
  transport_event: Model<TransportEventAttributes, TransportEventRelationships>;
  raw_event: Model<RawEventAttributes, RawEventRelationships>;
  estimated_event: Model<EstimatedEventAttributes, EstimatedEventRelationships>;
  container_updated_event: Model<ContainerUpdatedEventAttributes, ContainerUpdatedEventRelationships>;
  container_created_event: Model<ContainerCreatedEventAttributes, ContainerCreatedEventRelationships>;
  container_pod_terminal_changed_event: Model<
    ContainerPodTerminalChangedEventAttributes,
    ContainerPodTerminalChangedEventRelationships
  >;
  container: Model<ContainerAttributes, ContainerRelationships>;
  custom_field_definition: Model<CustomFieldDefinitionAttributes, CustomFieldDefinitionRelationships>;
  custom_field_option: Model<CustomFieldOptionAttributes>;
  custom_field: Model<CustomFieldAttributes, CustomFieldRelationships>;
  document: Model<DocumentAttributes, DocumentRelationships>;
  document_representation: Model<DocumentRepresentationAttributes>;
  document_schema: Model<DocumentSchemaAttributes>;
  email_submission: Model<EmailSubmissionAttributes, EmailSubmissionRelationships>;
  party_role: Model<PartyRoleAttributes, PartyRoleRelationships>;
  port: Model<PortAttributes, PortRelationships>;
  metro_area: Model<MetroAreaAttributes>;
  terminal: Model<TerminalAttributes, TerminalRelationships>;
  rail_terminal: Model<RailTerminalAttributes, RailTerminalRelationships>;
  route: Model<RouteAttributes, RouteRelationships>;
  route_location: Model<RouteLocationAttributes, RouteLocationRelationships>;
  search_result: Model<SearchResultAttributes>;
  shipment: Model<ShipmentAttributes, ShipmentRelationships>;
  shipping_line: Model<ShippingLineAttributes>;
  tracking_request: Model<TrackingRequestAttributes, TrackingRequestRelationships>;
  infer_number_results: Model<InferNumberResultsAttributes>;
  vessel: Model<VesselAttributes>;
  webhook: Model<WebhookAttributes>;
  webhook_notification: Model<WebhookNotificationAttributes, WebhookNotificationRelationships>;
  webhook_event_category: Model<WebhookEventCategoryAttributes>;
}

/** The relationships of each resource type. */
export interface RelationshipTypes {
  party: object;
  account: object;
  user: UserRelationships;
  credential: CredentialRelationships;
  transport_event: TransportEventRelationships;
  raw_event: RawEventRelationships;
  estimated_event: EstimatedEventRelationships;
  container_updated_event: ContainerUpdatedEventRelationships;
  container_created_event: ContainerCreatedEventRelationships;
  container_pod_terminal_changed_event: ContainerPodTerminalChangedEventRelationships;
  container: ContainerRelationships;
  custom_field_definition: CustomFieldDefinitionRelationships;
  custom_field_option: object;
  custom_field: CustomFieldRelationships;
  document: DocumentRelationships;
  document_representation: object;
  document_schema: object;
  email_submission: EmailSubmissionRelationships;
  party_role: PartyRoleRelationships;
  port: PortRelationships;
  metro_area: object;
  terminal: TerminalRelationships;
  rail_terminal: RailTerminalRelationships;
  route: RouteRelationships;
  route_location: RouteLocationRelationships;
  search_result: object;
  shipment: ShipmentRelationships;
  shipping_line: object;
  tracking_request: TrackingRequestRelationships;
  infer_number_results: object;
  vessel: object;
  webhook: object;
  webhook_notification: WebhookNotificationRelationships;
  webhook_event_category: object;
}

/** Name of a resource type. */
export type ResourceType = keyof Resources;
