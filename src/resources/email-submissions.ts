import { includeTree } from '../jsonapi/tree.ts';
import type { RequestOptions } from '../options.ts';
import type { List, ListOptions } from '../pagination/list.ts';
import type { EmailSubmission, EmailSubmissionInclude } from '../records/email-submission.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/path.ts';
import type { Including, MaybeIncluding, OrDefault, Paths } from './include.ts';
import { Resource } from './resource.ts';

/** What the service includes by itself. */
type DefaultIncludes = readonly ('documents' | 'documents.last_document_representation')[];

const EMAIL_SUBMISSION = {
  type: 'email_submission',
  defaultTree: includeTree(['documents.last_document_representation']),
};

/** Mails that brought documents (api/endpoints.md section 10). */
export class EmailSubmissions extends Resource {
  list<const P extends Paths<EmailSubmissionInclude> | undefined>(
    options: ListOptions & Including<P>,
  ): List<EmailSubmission<OrDefault<P, DefaultIncludes>>>;
  list<const P extends Paths<EmailSubmissionInclude> | undefined = undefined>(
    options?: ListOptions & MaybeIncluding<P>,
  ): List<EmailSubmission<OrDefault<P | undefined, DefaultIncludes>>>;
  list(options?: ListOptions): List<never> {
    return this.fetchList({
      operation: 'emailSubmissions.list',
      ...EMAIL_SUBMISSION,
      path: path`/email_submissions`,
      options,
    });
  }

  /** @throws {NotFoundError} if there is no such mail. */
  get<const P extends Paths<EmailSubmissionInclude> | undefined>(
    id: string,
    options: RequestOptions & Including<P>,
  ): APIPromise<EmailSubmission<OrDefault<P, DefaultIncludes>>>;
  get<const P extends Paths<EmailSubmissionInclude> | undefined = undefined>(
    id: string,
    options?: RequestOptions & MaybeIncluding<P>,
  ): APIPromise<EmailSubmission<OrDefault<P | undefined, DefaultIncludes>>>;
  get(id: string, options?: RequestOptions): APIPromise<never> {
    return this.fetchOne({
      operation: 'emailSubmissions.get',
      ...EMAIL_SUBMISSION,
      path: path`/email_submissions/${id}`,
      options,
    });
  }
}
