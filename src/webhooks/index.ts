export { type Alert, onlyNew, type SeenKeys } from '../domain/alerts.ts';
export { type ChangedItem, type ChangeNotification, changesOf } from '../domain/changes-of.ts';
export { EVENT_NAMES } from '../model/generated/event-names.ts';
export type { OrderBy } from './inbox/create-entry.ts';
export { fromQueue } from './inbox/from-queue.ts';
export type {
  Claim,
  ClaimOptions,
  DeadLetter,
  FailOptions,
  Inbox,
  InboxEntry,
  InboxStats,
  RetentionOptions,
} from './inbox/inbox.ts';
export { type MemoryInboxOptions, memoryInbox } from './inbox/memory-inbox.ts';
export type { WebhookLogger } from './log.ts';
export { isEventName } from './notification/is-event-name.ts';
export type {
  DocumentNotification,
  EventPattern,
  IncludedRecord,
  LinkNotification,
  MatchingEvent,
  Notification,
  NotificationOf,
  Subject,
  SubjectNotification,
  UnknownNotification,
  UnknownRecord,
} from './notification/notification.ts';
export { type DocumentSchema, type ParseOptions, parseNotification } from './notification/parse.ts';
export type { RawBody } from './notification/raw-body.ts';
export {
  type FreshSubject,
  type RefreshSubjectOptions,
  refreshSubject,
  type SubjectClient,
} from './notification/refresh-subject.ts';
export type { Outcome } from './receive/answer.ts';
export type { FastifyOptions, FastifyScope } from './receive/fastify.ts';
export type { LambdaEvent, LambdaResult } from './receive/lambda.ts';
export type { NodeRequest, NodeResponse } from './receive/node.ts';
export { createReceiver, type Receiver } from './receive/receiver.ts';
export type { ReceiverOptions, Rejection } from './receive/receiver-options.ts';
export { fakeDelivery, fakeNotification, type Over } from './testing/fake-notification.ts';
export { type SignOptions, signWebhook } from './testing/sign.ts';
export { type IpAllowlist, type IpAllowlistOptions, ipAllowlist } from './verify/ip-allowlist.ts';
export type { SecretList, Secrets } from './verify/secrets.ts';
export type { SignatureOptions } from './verify/signature.ts';
export { WebhookVerificationError, type WebhookVerificationReason } from './verify/verification-error.ts';
export { type VerifyOptions, verifyWebhook } from './verify/verify.ts';
export type { DeadNotification } from './work/handle-claim.ts';
export {
  createRouter,
  type EventHandler,
  type Handler,
  type HandlerContext,
  type Router,
  type RouterOptions,
} from './work/router.ts';
export { type NotificationStream, type Streaming, type StreamOptions, stream } from './work/stream.ts';
export {
  createWorker,
  type HandlingOptions,
  type StopOptions,
  type Worker,
  type WorkerOptions,
} from './work/worker.ts';
