import type {
  ContainerChangeset,
  CustomFieldDataType,
  CustomFieldValue,
  DeliveryStatus,
  EventName,
  Resources,
  ResourceType,
  TrackingRequestType,
} from '../../model/index.ts';
import type { Carrier } from '../world/carriers.ts';
import type { Phase, ScenarioName } from '../world/scripts.ts';

/**
 * A record as the service sends it. Type and id are always known. The other members are rendered only when the record
 * is sent.
 */
export interface Entity<T extends ResourceType = ResourceType> {
  type: T;
  id: string;
  render(): Rendered<T>;
}

export function entity<T extends ResourceType>(type: T, id: string, render: () => Rendered<T>): Entity<T> {
  return { type, id, render };
}

export interface Rendered<T extends ResourceType = ResourceType> {
  /** Records of some types repeat their id among the attributes. */
  attributes: Resources[T]['attributes'] & { id?: string };
  relationships?: Related<Resources[T]['relationships']>;
  links?: Record<string, string>;
}

type Related<R> = { [K in keyof R]: RelatedTo<R[K]> };
type RelatedTo<V> =
  | (null extends V ? null : never)
  | (NonNullable<V> extends readonly (infer Item)[] ? EntityOf<Item>[] : EntityOf<NonNullable<V>>);
type EntityOf<Ref> = Ref extends { type: infer T extends ResourceType } ? Entity<T> : Entity;

/** The include paths of a request, as a tree. */
export type IncludeTree = Map<string, IncludeTree>;

/**
 * The records of the account. Times are in ms since 1970, on the service's clock. The values that depend on a voyage
 * are not stored, but derived from its plan: see `view.ts`.
 */
export interface Store {
  shipments: Collection<Shipment>;
  containers: Collection<Container>;
  /** All invented container numbers, so that no number is used twice. */
  containerNumbers: Set<string>;
  trackingRequests: Collection<TrackingRequest>;
  /** The numbers that were returned for scenarios. */
  announced: Collection<Announced>;
  parties: Collection<Party>;
  partyRoles: Collection<PartyRole>;
  webhooks: Collection<Webhook>;
  notifications: Collection<Notification>;
  customFieldDefinitions: Collection<CustomFieldDefinition>;
  customFields: Collection<CustomField>;
  uploads: Collection<Upload>;
  documents: Collection<Document>;
  emailSubmissions: Collection<EmailSubmission>;
}

/** The names of the collections. */
export type Collections = Exclude<keyof Store, 'containerNumbers'>;
/** The collections whose records can have custom fields and roles of parties. */
export type TrackedCollection = 'shipments' | 'containers' | 'trackingRequests';
export type RecordOf<C extends Collections> = ReturnType<Store[C]['newestFirst']>[number];

/** A number of a scenario, with the time at which its voyage begins. */
export interface Announced {
  /** The number. */
  id: string;
  inPhaseAt: number;
}

export interface Shipment {
  id: string;
  createdAt: number;
  /**
   * Time at which the first container is in the phase. The default is the time of the creation. The time differs for
   * scenarios, and for shipments that existed at the start.
   */
  inPhaseAt: number;
  /** The bill of lading or booking number. */
  number: string;
  carrier: Carrier;
  refNumbers: string[] | null;
  tags: string[];
  customer: Party | null;
  containers: Container[];
  phase: Phase;
  /** The scenario that decides about the voyage, in place of the seed. */
  scenario: ScenarioName | null;
  /** True if the shipment never changes, like the shipments of the service's test numbers. */
  frozen: boolean;
  stoppedAt: number | null;
  /** Periods in which tracking was stopped. Events that were reported in such a period stay unknown. */
  gaps: { from: number; to: number }[];
  /** True if the events of the shipment are on the agenda. */
  isWatched: boolean;
}

export interface Container {
  id: string;
  createdAt: number;
  number: string;
  shipment: Shipment;
  /** Position in the list of the shipment's containers. */
  index: number;
  refNumbers: string[];
  /** Time of the last refresh of the container on demand. */
  refreshedAt: number | null;
  /** Time of the last edit of the references. */
  editedAt?: number;
  /** The sequence number of the latest refresh or edit of the container. The latest change has the highest number. */
  touch?: number;
}

export interface TrackingRequest {
  id: string;
  createdAt: number;
  updatedAt: number;
  number: string;
  type: TrackingRequestType;
  /** `null` until the carrier is detected. */
  carrier: Carrier | null;
  refNumbers: string[];
  tags: string[];
  customer: Party | null;
  /** The custom fields that the records get when they are created. */
  initialFields: { shipment: CheckedField[]; containers: (CheckedField & { number: string })[] };
  status: 'pending' | 'awaiting_manifest' | 'created' | 'failed';
  failedReason: string | null;
  isRetrying: boolean;
  retryCount: number | null;
  shipment: Shipment | null;
}

export interface Party {
  id: string;
  companyName: string;
}

/** The role that a party has in the record with the id `owner`. */
export interface PartyRole {
  id: string;
  createdAt: number;
  role: string;
  party: Party;
  owner: string;
  ownerType: 'Shipment' | 'Cargo' | 'TrackingRequest';
}

export interface Webhook {
  id: string;
  createdAt: number;
  url: string;
  active: boolean;
  events: EventName[];
  secret: string;
  headers: { name: string; value: string }[];
  /** Number of notifications that have failed in a row. */
  failedInRow: number;
}

export interface Notification {
  id: string;
  createdAt: number;
  event: EventName;
  deliveryStatus: DeliveryStatus;
  /** The number of attempts to deliver the notification, and the result of the last attempt. */
  attempts: number;
  lastAttemptAt: number | null;
  lastStatus: number | null;
  lastError: string | null;
  /** The time of the next attempt, and the number of retries so far. */
  dueAt: number;
  retries: number;
  /** The body of each attempt; `null` when nothing more will be sent. */
  body: string | null;
  webhook: Webhook;
  about: About;
}

/** The subject of a notification. */
export type About =
  | { kind: 'tracking request'; request: TrackingRequest }
  /** Position among the events of the container's plan. */
  | { kind: 'transport event'; box: Container; index: number }
  /** Position among the estimates of the voyage. */
  | { kind: 'arrival estimate'; shipment: Shipment; index: number }
  | { kind: 'container created'; box: Container }
  | { kind: 'container updated'; box: Container; changeset: ContainerChangeset; at: number }
  | { kind: 'terminal changed'; box: Container; at: number }
  | { kind: 'document'; document: Document };

export type Reference = EntityOfType<
  | 'tracking_request'
  | 'transport_event'
  | 'estimated_event'
  | 'container_updated_event'
  | 'container_created_event'
  | 'container_pod_terminal_changed_event'
>;

type EntityOfType<T extends ResourceType> = T extends ResourceType ? Entity<T> : never;

/** The record that a notification is about, and the content of `included` in its payload. */
export interface Subject {
  reference: Reference | Entity<'document'>;
  /** The records that are sent with the notification. `null` if the payload has no `included`. */
  included: Entity[] | null;
}

export interface CustomFieldDefinition {
  id: string;
  createdAt: number;
  updatedAt: number;
  entityType: 'Shipment' | 'Cargo' | 'TrackingRequest';
  slug: string;
  displayName: string;
  description: string | null;
  dataType: CustomFieldDataType;
  referenceType: string | null;
  validation: Record<string, unknown> | null;
  defaultFormat: string | null;
  defaultValue: CustomFieldValue;
  options: CustomFieldOption[];
  isReference?: boolean;
  isSensitive?: boolean;
  /** True for a template of the service, which every account can use and cannot change. */
  isTemplate?: boolean;
}

export interface CustomFieldOption {
  id: string;
  label: string;
  value: string;
  position: number | null;
}

export interface CustomField {
  id: string;
  definition: CustomFieldDefinition;
  entity: CustomFieldEntity;
  value: CustomFieldValue;
  updatedAt?: number;
}

/** A value that fits the definition of its custom field. */
export interface CheckedField {
  definition: CustomFieldDefinition;
  value: CustomFieldValue;
}

/** The record that has the custom field. */
export interface CustomFieldEntity {
  type: 'shipment' | 'container' | 'tracking_request';
  id: string;
}

/** A file in the storage, or a file that was announced but not uploaded yet. */
export interface Upload {
  id: string;
  createdAt: number;
  filename: string;
  contentType: string;
  byteSize: number;
  /** The announced MD5, in Base64. */
  checksum: string;
  signedId: string;
  /** `null` until the file has been uploaded. */
  bytes: Uint8Array<ArrayBuffer> | null;
}

export interface Document {
  id: string;
  createdAt: number;
  updatedAt: number;
  name: string;
  upload: Upload;
  source: 'api' | 'email';
  mail: EmailSubmission | null;
  type: string | null;
  manualType: string | null;
  notes: string | null;
  representation: DocumentRepresentation | null;
  manualData: Record<string, unknown> | null;
  shipments: Shipment[];
  containers: Container[];
}

export interface DocumentRepresentation {
  id: string;
  createdAt: number;
  payload: Record<string, unknown>;
}

export interface EmailSubmission {
  id: string;
  createdAt: number;
  subject: string;
  body: string;
  from: string[];
  to: string[];
  cc: string[];
  messageId: string;
}

/** Records of one type, in the order of their creation. */
export interface Collection<T extends { id: string }> {
  readonly size: number;
  add(record: T): T;
  get(id: string): T | undefined;
  remove(id: string): void;
  /** The newest record first, as in every list of the service. */
  newestFirst(): T[];
}

function createCollection<T extends { id: string }>(): Collection<T> {
  const records = new Map<string, T>();
  return {
    get size() {
      return records.size;
    },
    add(record) {
      records.set(record.id, record);
      return record;
    },
    get: id => records.get(id),
    remove(id) {
      records.delete(id);
    },
    newestFirst: () => [...records.values()].reverse(),
  };
}

export function createStore(): Store {
  return {
    shipments: createCollection(),
    containers: createCollection(),
    containerNumbers: new Set(),
    trackingRequests: createCollection(),
    announced: createCollection(),
    parties: createCollection(),
    partyRoles: createCollection(),
    webhooks: createCollection(),
    notifications: createCollection(),
    customFieldDefinitions: createCollection(),
    customFields: createCollection(),
    uploads: createCollection(),
    documents: createCollection(),
    emailSubmissions: createCollection(),
  };
}
