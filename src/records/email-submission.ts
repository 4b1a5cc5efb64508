import type { IncludePath } from './include-path.ts';
import type { IncludeList, OptionalToMany, OptionalToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { DateTime } from './scalars.ts';

/**
 * A mail with documents that reached the account. Below a document it is reduced: it has `body_preview` in place of `body`,
 * and no relationships.
 */
export interface EmailSubmission<I extends IncludeList = []>
  extends ResourceRecord<'email_submission', I>,
    EmailSubmissionAttributes,
    EmailSubmissionRelationships<I> {}

/** What `include` accepts on the email submission endpoints, and the relationships below it. */
export type EmailSubmissionInclude = IncludePath<'email_submission', 'documents' | 'account' | 'user'>;

/** The fields of an email submission. */
export interface EmailSubmissionAttributes {
  /** The subject line. */
  subject: string | null;
  /** The text of the mail. Absent below a document. */
  body?: string | null;
  /** The start of the text. Only below a document. */
  body_preview?: string | null;
  /** Addresses of the senders. */
  from: string[];
  /** Addresses of the recipients. */
  to: string[];
  /** Addresses of those who got a copy. */
  cc: string[];
  /** When the mail was sent. */
  sent_at: DateTime | null;
  /** `Message-ID` of the mail. */
  message_id: string | null;
  /** `Message-ID` of the mail that it answers. */
  in_reply_to?: string | null;
  /** MIME type of the mail. */
  content_type?: string | null;
  /** `Message-ID` of each mail that it refers to. */
  references?: string[];
  /** Number of documents. Discarded ones are not counted. */
  documents_count?: number;
  /** When the service got the mail. */
  created_at: DateTime;
  /** When the service last changed the record. */
  updated_at: DateTime;
}

/** What an email submission is related to. */
export interface EmailSubmissionRelationships<I extends IncludeList = []> {
  /** The account that the mail was sent to. */
  account: OptionalToOne<I, 'account', 'account'>;
  /** The person of the account that it belongs to, where one is known. */
  user: OptionalToOne<I, 'user', 'user'> | null;
  /** The documents that were attached. */
  documents: OptionalToMany<I, 'documents', 'document'>;
}
