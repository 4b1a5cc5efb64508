import type { Ids } from '../base/random.ts';
import { iso } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Entity } from '../state/entity.ts';
import type { Party, PartyRole } from '../state/store.ts';

export function party({ id, companyName }: Party): Entity<'party'> {
  return { type: 'party', id, render: () => ({ attributes: { company_name: companyName } }) };
}

/** The account that a customer has with the service. */
export function accountOf({ ids }: Backend, party: Party): Entity<'account'> {
  const attributes = { company_name: party.companyName };
  return { type: 'account', id: accountIdOf(ids, party), render: () => ({ attributes }) };
}

export const accountIdOf = (ids: Ids, { id }: Party): string => ids.of('account', id);

export function account({ ids, account: { companyName } }: Backend): Entity<'account'> {
  return { type: 'account', id: ids.of('account'), render: () => ({ attributes: { company_name: companyName } }) };
}

/** The user that the API key belongs to. Only `GET /me` gives attributes. */
export function user({ userId }: Backend): Entity<'user'> {
  return { type: 'user', id: userId, render: () => ({ attributes: {} }) };
}

export function partyRole(record: PartyRole): Entity<'party_role'> {
  return {
    type: 'party_role',
    id: record.id,
    render: () => ({
      attributes: {
        role: record.role,
        roleable_type: record.ownerType,
        roleable_id: record.owner,
        created_at: iso(record.createdAt),
        updated_at: iso(record.createdAt),
      },
      relationships: { party: party(record.party) },
    }),
  };
}
