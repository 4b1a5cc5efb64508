export type { ReceiverOptions, Rejection } from './accept.ts';
export type { Outcome } from './answer.ts';
export type { OrderBy } from './entry.ts';
export { EVENT_NAMES, isEventName } from './event-names.ts';
export { fakeDelivery, fakeNotification, type Over } from './fake.ts';
export type { FastifyOptions, FastifyScope } from './fastify.ts';
export { fromQueue } from './from-queue.ts';
export type { DeadNotification, HandlerContext } from './handle-claim.ts';
export type { Claim, ClaimOptions, DeadLetter, Inbox, InboxEntry, RetentionOptions } from './inbox.ts';
export { type IpAllowlist, type IpAllowlistOptions, ipAllowlist } from './ip-allowlist.ts';
export type { LambdaEvent, LambdaResult } from './lambda.ts';
export type { WebhookLogger } from './log.ts';
export { type MemoryInboxOptions, memoryInbox } from './memory-inbox.ts';
export type { NodeRequest, NodeResponse } from './node.ts';
export type {
  DocumentNotification,
  EventPattern,
  IncludedRecord,
  MatchingEvent,
  Notification,
  NotificationOf,
  Subject,
  SubjectNotification,
  UnknownNotification,
  UnknownRecord,
} from './notification.ts';
export { type DocumentSchema, type ParseOptions, parseNotification } from './parse.ts';
export type { RawBody } from './raw-body.ts';
export { createReceiver, type Receiver } from './receiver.ts';
export { type FreshSubject, refreshSubject, type SubjectClient } from './refresh-subject.ts';
export { createRouter, type EventHandler, type Handler, type Router } from './router.ts';
export type { SecretList, Secrets } from './secrets.ts';
export { type SignOptions, signWebhook } from './sign.ts';
export type { SignatureOptions } from './signature.ts';
export { type Streaming, type StreamOptions, stream } from './stream.ts';
export { type VerifyOptions, verifyWebhook } from './verify.ts';
export { createWorker, type HandlingOptions, type StopOptions, type Worker, type WorkerOptions } from './worker.ts';
