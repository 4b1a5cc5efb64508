import { party } from '../entities/account.ts';
import { text } from '../http/attributes.ts';
import type { Call } from '../http/call.ts';
import { invalid, orNotFound, unprocessable } from '../http/errors.ts';
import { createdAt, list, one } from '../http/replies.ts';
import type { Route } from '../http/router.ts';

const requestedParty = (call: Call) => orNotFound(call.backend.store.parties.get(call.param('id')));

export const partyRoutes: Route[] = [
  {
    method: 'GET',
    path: '/parties',
    handle(call) {
      const wanted = call.query.get('query')?.toLowerCase() ?? '';
      const records = call.backend.store.parties
        .newestFirst()
        .filter(({ companyName }) => companyName.toLowerCase().includes(wanted));
      return list(call, records, party, { meta: 'pagination', defaultSize: 25 });
    },
  },
  {
    method: 'POST',
    path: '/parties',
    async handle(call) {
      const companyName = await freeName(call);
      const { ids, store } = call.backend;
      const record = store.parties.add({ id: ids.next('party'), companyName });
      return createdAt(call, '/parties', party(record));
    },
  },
  { method: 'GET', path: '/parties/:id', handle: call => one(call, party(requestedParty(call))) },
  {
    method: 'PATCH',
    path: '/parties/:id',
    async handle(call) {
      const record = requestedParty(call);
      record.companyName = await freeName(call, record.companyName);
      return one(call, party(record));
    },
  },
];

async function freeName(call: Call, ownName?: string): Promise<string> {
  const name = text((await call.input()).attributes, 'company_name');
  if (name === '') throw unprocessable(invalid('attributes/company_name', "Company name can't be blank"));
  const isTaken = call.backend.store.parties.newestFirst().some(({ companyName }) => companyName === name);
  if (isTaken && name !== ownName) {
    throw unprocessable(invalid('attributes/customer', `'${name}' already exists in Account`));
  }
  return name;
}
