import { isIdentifier, isRecord, parseJson, type WireDocument, type WireResource } from '../../jsonapi/document.ts';
import { WebhookVerificationError } from '../verify/verification-error.ts';
import { linkNotification } from './link.ts';
import type { Notification } from './notification.ts';
import { type RawBody, rawBytes } from './raw-body.ts';

/** A schema that can check a document: `notification` of `container-tracking-sdk/schemas`, or your own schema. */
export interface DocumentSchema {
  /** Checks a document. `success` is true if the document is valid. */
  safeParse(value: unknown): { success: boolean; error?: unknown };
}

/** The options for reading a notification. */
export interface ParseOptions {
  /** Schema for the whole document. Without it, only `id`, `type` and `event` are checked. */
  schema?: DocumentSchema | undefined;
}

/**
 * Parses a notification whose signature was verified before, for example a notification from a queue.
 *
 * @throws {WebhookVerificationError} `bad_payload` if the body is not a notification, `not_raw` if it is not text or bytes.
 * @example
 * const n = parseNotification(message.body);
 * if (n.event === 'container.updated') console.log(n.reference_object.changeset);
 */
export function parseNotification(body: RawBody, options: ParseOptions = {}): Notification {
  return parseBytes(rawBytes(body), options);
}

/** Like {@link parseNotification}, but for bytes that no other code can change. */
export function parseBytes(body: Uint8Array, { schema }: ParseOptions): Notification {
  const document = attempt(() => parseDocument(body));
  if (!isNotification(document)) throw badPayload('The payload is not a notification.');
  const result = attempt(() => schema?.safeParse(document));
  if (result && !result.success) throw badPayload('The payload does not fit the schema.', result.error);
  return linkNotification(document);
}

/**
 * Turns all errors of a parser into one kind. An example is the stack overflow of the parser that a deeply nested
 * payload causes.
 */
function attempt<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw badPayload('The payload cannot be read.', cause);
  }
}

function badPayload(message: string, cause?: unknown): WebhookVerificationError {
  return new WebhookVerificationError('bad_payload', message, { cause });
}

/** It is created at the first use: nothing is constructed at import. */
let decoder: TextDecoder | undefined;

function parseDocument(bytes: Uint8Array): unknown {
  decoder ??= new TextDecoder('utf-8', { fatal: true });
  return parseJson(decoder.decode(bytes));
}

function isNotification(document: unknown): document is WireDocument<WireResource> {
  if (!isRecord(document) || !isIdentifier(document.data)) return false;
  const { type, id, attributes } = document.data as WireResource;
  const event = isRecord(attributes) && attributes.event;
  return type === 'webhook_notification' && id !== '' && typeof event === 'string' && event !== '';
}
