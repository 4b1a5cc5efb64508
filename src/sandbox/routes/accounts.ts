import { account } from '../entities/account.ts';
import { credential } from '../entities/credential.ts';
import { definition } from '../entities/custom-fields.ts';
import { parseInclude } from '../http/jsonapi.ts';
import { includeOf, list, one } from '../http/replies.ts';
import type { Route } from '../http/router.ts';

/** The credential of a request, and its account. */
export const accountRoutes: Route[] = [
  {
    method: 'GET',
    path: '/me',
    free: true,
    handle(call) {
      const tree = parseInclude('credential', 'account,user.accounts');
      const reply = one(call, credential(call.backend, call.request.headers), tree);
      return { ...reply, headers: { 'cache-control': 'no-store' } };
    },
  },
  {
    method: 'GET',
    path: '/accounts',
    handle: call => list(call, [call.backend], account, { meta: 'none' }),
  },
  {
    // The service takes the account of the credential, whatever the id is.
    method: 'GET',
    path: '/accounts/:id/custom_field_definitions',
    handle(call) {
      const tree = includeOf(call, 'custom_field_definition');
      const records = call.backend.store.customFieldDefinitions.newestFirst();
      return list(call, records, record => definition(call.backend, record), { tree, meta: 'none', defaultSize: 25 });
    },
  },
];
