import type { Backend } from '../state/backend.ts';
import type { Entity } from '../state/entity.ts';
import type { Party } from '../state/store.ts';

export function party({ id, companyName }: Party): Entity<'party'> {
  return { type: 'party', id, render: () => ({ attributes: { company_name: companyName } }) };
}

/** The user that the API key belongs to. Attributes of users are not published. */
export function user({ userId }: Backend): Entity<'user'> {
  return { type: 'user', id: userId, render: () => ({ attributes: {} }) };
}
