import { emailSubmission } from '../entities/document.ts';
import type { Call } from '../http/call.ts';
import { named } from '../http/errors.ts';
import { includeOf, list, one } from '../http/replies.ts';
import type { Route } from '../http/router.ts';

const treeOf = (call: Call) => includeOf(call, 'email_submission', 'documents,documents.last_document_representation');

export const emailSubmissionRoutes: Route[] = [
  {
    method: 'GET',
    path: '/email_submissions',
    handle(call) {
      const { backend } = call;
      const records = backend.store.emailSubmissions.newestFirst();
      const meta = 'total and size';
      return list(call, records, record => emailSubmission(backend, record), { tree: treeOf(call), meta });
    },
  },
  {
    method: 'GET',
    path: '/email_submissions/:id',
    handle(call) {
      const record = call.backend.store.emailSubmissions.get(call.param('id'));
      if (record === undefined) throw named('email-submission-not-found');
      return one(call, emailSubmission(call.backend, record), treeOf(call));
    },
  },
];
