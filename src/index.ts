export { type RawRequest, TrackingClient } from './client.ts';
export type * from './custom-fields/description.ts';
export * from './custom-fields/errors.ts';
export * from './documents/document-errors.ts';
export type {
  DocumentWaitOptions,
  ExtractedDocument,
  ExtractionProgress,
  SchemaIssue,
  SchemaResult,
  StandardSchema,
} from './documents/extraction-options.ts';
export type * from './documents/upload-options.ts';
export * from './domain/index.ts';
export * from './errors.ts';
export type {
  AppearedRecord,
  Change,
  ChangedField,
  FieldChange,
  FieldOf,
  GoneRecord,
  IncompleteReading,
} from './feed/change.ts';
export type { FeedCheckpoint, StoredPass, StoredRecord } from './feed/checkpoint.ts';
export type { Feed, WatchOptions } from './feed/options.ts';
export type {
  Hooks,
  Logger,
  QueuedEvent,
  RateLimitedEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  SchemaMismatchEvent,
  SettledEvent,
} from './hooks.ts';
export type {
  DocumentLinks,
  DocumentMeta,
  ResourceIdentifier,
  WireDocument,
  WireResource,
} from './jsonapi/document.ts';
export { dynamicInclude } from './jsonapi/include.ts';
export type { Query, QueryValue } from './jsonapi/query.ts';
export { unknownValue } from './model/filter-values.ts';
export type * from './model/index.ts';
export type {
  AccessToken,
  AccessTokenOptions,
  ApiKeyOptions,
  ClientOptions,
  CommonOptions,
  Fetch,
  RateLimitOptions,
  RequestOptions,
  RetryOptions,
  Validation,
} from './options.ts';
export type { Checkpoint } from './pagination/checkpoint.ts';
export { List } from './pagination/list.ts';
export type { IncompleteList, ListOptions } from './pagination/options.ts';
export type { Page } from './pagination/pages.ts';
export type {
  BucketName,
  BucketSnapshot,
  Priority,
  RateLimiter,
  Slot,
  SlotOutcome,
  SlotRequest,
} from './rate-limit/limiter.ts';
export { QueueError } from './rate-limit/limiter.ts';
export type {
  MissedNotification,
  PendingSubject,
  PendingSweep,
  RecoveryCheckpoint,
  RecoveryPosition,
} from './recovery/checkpoint.ts';
export type { Recovered, RecoverOptions, RecoverSettings, Recovery } from './recovery/recover-options.ts';
export { Accounts } from './resources/accounts.ts';
export {
  type ContainerListOptions,
  type ContainerSummaryOptions,
  Containers,
  type RawEventDefaults,
  type RouteDefaults,
} from './resources/containers.ts';
export { type CustomFieldDefinitionListOptions, CustomFieldDefinitions } from './resources/custom-field-definitions.ts';
export { CustomFieldOptions } from './resources/custom-field-options.ts';
export { type CustomFieldListOptions, CustomFields } from './resources/custom-fields.ts';
export type { CustomFieldsOf } from './resources/custom-fields-of.ts';
export { DirectUploads } from './resources/direct-uploads.ts';
export { DocumentSchemas } from './resources/document-schemas.ts';
export type { DocumentListOptions } from './resources/documents.ts';
export { Documents } from './resources/documents.ts';
export { type EmailSubmissionDefaults, EmailSubmissions } from './resources/email-submissions.ts';
export { Parties, type PartyListOptions } from './resources/parties.ts';
export type { PartyRolesOf } from './resources/party-roles-of.ts';
export { MetroAreas, Ports, Terminals } from './resources/places.ts';
export type { IncludePaths, PossibleIncludes, WithInclude, WithOptionalInclude } from './resources/resource.ts';
export type { CredentialDefaults } from './resources/root.ts';
export { type ShipmentFlags, type ShipmentListOptions, Shipments } from './resources/shipments.ts';
export { type ShippingLineListOptions, ShippingLines } from './resources/shipping-lines.ts';
export { type TrackingRequestListOptions, TrackingRequests } from './resources/tracking-requests.ts';
export { type FuturePositionsOptions, type PositionSpan, type VesselGetOptions, Vessels } from './resources/vessels.ts';
export { type WebhookNotificationDefaults, WebhookNotifications } from './resources/webhook-notifications.ts';
export { Webhooks } from './resources/webhooks.ts';
export type { SchemaMismatch } from './schemas/mismatch.ts';
export type { Tracked, TrackItem, TrackOptions } from './tracking/track.ts';
export type { TrackManyOptions, TrackResult } from './tracking/track-many.ts';
export * from './tracking/tracking-errors.ts';
export type { TrackingProgress, WaitOptions } from './tracking/wait-options.ts';
export { APIPromise, type WithResponse } from './transport/api-promise.ts';
export { createTransport } from './transport/create.ts';
export type { Transport } from './transport/transport.ts';
export { VERSION } from './version.ts';
export type { WebhookEnsure } from './webhooks/registration/ensure.ts';
export type { RotatedSecrets, SecretRotation } from './webhooks/registration/rotate.ts';
export type { SelfCheck, SelfCheckOptions, SelfCheckProblem } from './webhooks/registration/self-check.ts';
export * from './webhooks/verify/verification-error.ts';
export type { WorklistOptions } from './worklist/options.ts';
export type {
  DemurrageRow,
  HeldRow,
  LastFreeDayRow,
  LateRow,
  ReadyRow,
  SilentRow,
  Worklist,
  WorklistContainer,
  WorklistEstimate,
  WorklistName,
  WorklistRow,
  WorklistRows,
} from './worklist/rows.ts';
