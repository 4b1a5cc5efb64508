import type { IncludePath, LinkedRecord } from '../jsonapi/include.ts';
import type { DateTime, Ref } from './model.ts';

/**
 * A mail with documents that reached the account (api/resources.md, email_submission).
 * Embedded in a document it is reduced: `body_preview` in place of `body`, and no relationships.
 */
export type EmailSubmission<I = []> = LinkedRecord<'email_submission', I>;

/** What `include` accepts on the email submission endpoints, and the relationships below it. */
export type EmailSubmissionInclude = IncludePath<'email_submission', 'documents' | 'account' | 'user'>;

export interface EmailSubmissionAttributes {
  subject: string | null;
  body?: string | null;
  /** The start of the body. Only where embedded. */
  body_preview?: string | null;
  from: string[];
  to: string[];
  cc: string[];
  sent_at: DateTime | null;
  message_id: string | null;
  in_reply_to?: string | null;
  content_type?: string | null;
  /** Ids of the messages that it refers to. */
  references?: string[];
  /** Discarded ones are not counted. */
  documents_count?: number;
  created_at: DateTime;
  updated_at: DateTime;
}

export interface EmailSubmissionRelationships {
  account?: Ref<'account'>;
  user?: Ref<'user'> | null;
  documents?: Ref<'document'>[];
}
