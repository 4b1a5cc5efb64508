import type { Ids } from '../base/random.ts';
import { iso } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Entity, Party, PartyRole } from '../state/store.ts';
import { entity } from '../state/store.ts';

export function party({ id, companyName }: Party): Entity<'party'> {
  return entity('party', id, () => ({ attributes: { company_name: companyName } }));
}

/** The account that a customer has with the service. */
export function accountOf({ ids }: Backend, party: Party): Entity<'account'> {
  const attributes = { company_name: party.companyName };
  return entity('account', accountIdOf(ids, party), () => ({ attributes }));
}

export const accountIdOf = (ids: Ids, { id }: Party): string => ids.of('account', id);

export function account({ ids, account: { companyName } }: Backend): Entity<'account'> {
  return entity('account', ids.of('account'), () => ({ attributes: { company_name: companyName } }));
}

/** The user that the API key belongs to. Only the response of `GET /me` has its attributes. */
export function user({ userId }: Backend): Entity<'user'> {
  return entity('user', userId, () => ({ attributes: {} }));
}

export function partyRole(record: PartyRole): Entity<'party_role'> {
  return entity('party_role', record.id, () => ({
    attributes: {
      role: record.role,
      roleable_type: record.ownerType,
      roleable_id: record.owner,
      created_at: iso(record.createdAt),
      updated_at: iso(record.createdAt),
    },
    relationships: { party: party(record.party) },
  }));
}

/** The response of `GET /me`. It contains more data about the account and the user than other responses. */
export function credential(backend: Backend, headers: Headers): Entity<'credential'> {
  const { features, ids, settings } = backend;
  const [scheme = '', secret = ''] = (headers.get('authorization') ?? '').split(' ');
  const isUser = scheme === 'Bearer';
  const status = (isEnabled: boolean) => ({ status: isEnabled ? 'available' : 'not_enabled' });
  return entity('credential', isUser ? backend.userId : ids.of('credential', secret), () => ({
    attributes: {
      kind: isUser ? 'user' : 'api_key',
      channel: 'api',
      name: isUser ? null : 'Key of the sandbox',
      features: {
        data_out_api: { status: settings.plan === 'customer' ? 'available' : 'requires_paid_plan' },
        custom_fields: { status: isUser || features.customFields ? 'available' : 'requires_user_credential' },
        routing_data: status(features.routing),
        rail_data: status(features.rail),
        stop_tracking: status(true),
      },
    },
    relationships: {
      account: detailedAccount(backend),
      // The response to a request with an API key contains the user only if the request has the header `x-user-email`.
      user: isUser || headers.has('x-user-email') ? detailedUser(backend) : null,
    },
  }));
}

const FREE_SLOTS = 100;

function detailedAccount(backend: Backend): Entity<'account'> {
  const brief = account(backend);
  const { plan } = backend.settings;
  const used = backend.store.trackingRequests.size;
  const company = { company_type: 'shipper', scac: null, abbr_name: null, city: null, state_abbr: null, country: null };
  const attributes = {
    company_name: backend.account.companyName,
    ...company,
    plan,
    tracking_slots:
      plan === 'free_plan' ? { limit: FREE_SLOTS, used, remaining: Math.max(0, FREE_SLOTS - used) } : null,
  };
  return { ...brief, render: () => ({ attributes }) };
}

function detailedUser(backend: Backend): Entity<'user'> {
  return entity('user', backend.userId, () => ({
    attributes: {
      email: 'user@sandbox.example',
      name: null,
      role: 'member',
      job_role: 'other',
      job_title: null,
      admin: false,
    },
    relationships: { accounts: [detailedAccount(backend)] },
  }));
}
