import { includeTree } from '../jsonapi/include.ts';
import type { EmailSubmission, EmailSubmissionInclude } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import {
  type AnyInclude,
  INCLUDE,
  type IncludePaths,
  type PossibleIncludes,
  Resource,
  type WithInclude,
  type WithOptionalInclude,
} from './resource.ts';

/**
 * The relationships that the service usually includes with emails: the documents of the email, and the data that was
 * extracted from them.
 */
export interface EmailSubmissionDefaults
  extends ReadonlyArray<'documents' | 'documents.last_document_representation'> {}

const DEFAULT_TREE = includeTree(['documents.last_document_representation']);
const EMAIL_SUBMISSION = { type: 'email_submission', defaultTree: DEFAULT_TREE } as const;

/** Emails with documents that the service received. */
export class EmailSubmissions extends Resource {
  /**
   * All emails. Each page is one request. Without an `include`, the service usually includes the documents of the
   * emails, with the data that was extracted from the documents.
   */
  list<const P extends IncludePaths<EmailSubmissionInclude>>(
    options: ListOptions & WithInclude<P>,
  ): List<EmailSubmission<P>>;
  list<const P extends IncludePaths<EmailSubmissionInclude> | undefined = undefined>(
    options?: ListOptions & WithOptionalInclude<P>,
  ): List<EmailSubmission<PossibleIncludes<P, EmailSubmissionDefaults>>>;
  list(options?: ListOptions & AnyInclude): List<never> {
    return this.fetchList({
      operation: 'emailSubmissions.list',
      ...EMAIL_SUBMISSION,
      path: path`/email_submissions`,
      parameters: INCLUDE,
      options,
    });
  }

  /**
   * One email. Without an `include`, the service usually includes the documents of the email, with the data that was
   * extracted from the documents.
   *
   * @throws {NotFoundError} if the email does not exist.
   */
  get<const P extends IncludePaths<EmailSubmissionInclude>>(
    id: string,
    options: RequestOptions & WithInclude<P>,
  ): APIPromise<EmailSubmission<P>>;
  get<const P extends IncludePaths<EmailSubmissionInclude> | undefined = undefined>(
    id: string,
    options?: RequestOptions & WithOptionalInclude<P>,
  ): APIPromise<EmailSubmission<PossibleIncludes<P, EmailSubmissionDefaults>>>;
  get(id: string, options?: RequestOptions & AnyInclude): APIPromise<never> {
    return this.fetchOne({
      operation: 'emailSubmissions.get',
      ...EMAIL_SUBMISSION,
      path: path`/email_submissions/${id}`,
      parameters: INCLUDE,
      options,
    });
  }
}
