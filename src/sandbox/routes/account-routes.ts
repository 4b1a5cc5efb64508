import { isRecord } from '../../jsonapi/document.ts';
import { account, credential, party, partyRole } from '../entities/account-entities.ts';
import { definition } from '../entities/custom-field-entities.ts';
import { type Call, requested, text } from '../http/call.ts';
import { invalid, named, notFound, orNotFound, unknownRole, unprocessable } from '../http/errors.ts';
import { createdAt, includeOf, list, one, parseInclude, type Reply, wholeList } from '../http/replies.ts';
import { type RouteTable, routesFrom } from '../http/router.ts';
import { ownDefinitions } from '../service/custom-fields.ts';
import { addRole, ROLES, rolesOf } from '../service/party-roles.ts';
import type { PartyRole, TrackedCollection } from '../state/store.ts';

/** The credential of a request, the account of the credential, and the parties of the account with their roles. */
export const accountRoutes = routesFrom({
  'GET /me': {
    free: true,
    handle(call) {
      const tree = parseInclude('credential', 'account,user.accounts');
      const reply = one(call, credential(call.backend, call.request.headers), tree);
      return { ...reply, headers: { 'cache-control': 'no-store' } };
    },
  },
  'GET /accounts': call => list(call, [call.backend], account, { meta: 'none' }),
  // The service uses the account that the credential belongs to, and ignores the id in the path.
  'GET /accounts/:id/custom_field_definitions'(call) {
    if (call.backend.lists === 'older') throw notFound();
    const tree = includeOf(call, 'custom_field_definition');
    return list(call, ownDefinitions(call.backend), record => definition(call.backend, record), {
      tree,
      meta: 'none',
      defaultSize: 25,
    });
  },
  'GET /parties'(call) {
    const wanted = call.query.get('query')?.toLowerCase() ?? '';
    const all = call.backend.store.parties.newestFirst();
    const records = all.filter(({ companyName }) => companyName.toLowerCase().includes(wanted));
    return list(call, records, party, { meta: 'pagination', defaultSize: 25 });
  },
  async 'POST /parties'(call) {
    const companyName = await freeName(call);
    const { ids, store } = call.backend;
    return createdAt(call, '/parties', party(store.parties.add({ id: ids.next('party'), companyName })));
  },
  'GET /parties/:id': call => one(call, party(requested(call, 'parties'))),
  async 'PATCH /parties/:id'(call) {
    const record = requested(call, 'parties');
    record.companyName = await freeName(call, record.companyName);
    return one(call, party(record));
  },
  ...rolesBelow('/shipments', 'shipments', 'Shipment'),
  ...rolesBelow('/containers', 'containers', 'Cargo'),
  ...rolesBelow('/tracking_requests', 'trackingRequests', 'TrackingRequest'),
});

async function freeName(call: Call, ownName?: string): Promise<string> {
  const name = text((await call.input()).attributes, 'company_name');
  if (name === '') throw unprocessable(invalid('attributes/company_name', "Company name can't be blank"));
  const isTaken = call.backend.store.parties.newestFirst().some(({ companyName }) => companyName === name);
  if (isTaken && name !== ownName) {
    throw unprocessable(invalid('attributes/customer', `'${name}' already exists in Account`));
  }
  return name;
}

/** The roles of parties on one record. The parties are always included. */
function rolesBelow(path: string, collection: TrackedCollection, type: PartyRole['ownerType']): RouteTable {
  const owner = (call: Call) => requested(call, collection).id;
  const withParty = parseInclude('party_role', 'party');
  return {
    [`GET ${path}/:id/party_roles`]: call =>
      wholeList(call, rolesOf(call.backend, owner(call)).map(partyRole), withParty),
    async [`POST ${path}/:id/party_roles`](call): Promise<Reply> {
      const record = await newRole(call, type, owner(call));
      return { ...one(call, partyRole(record), withParty), status: 201 };
    },
    [`DELETE ${path}/:id/party_roles/:role`](call) {
      const role = orNotFound(rolesOf(call.backend, owner(call)).find(({ id }) => id === call.param('role')));
      call.backend.store.partyRoles.remove(role.id);
      return { status: 204 };
    },
  };
}

async function newRole(call: Call, type: PartyRole['ownerType'], owner: string): Promise<PartyRole> {
  const { attributes, relationships } = await call.input();
  const role = text(attributes, 'role');
  if (!ROLES.includes(role)) throw unknownRole(role);
  if (type === 'Cargo' && role !== 'pickup_dray_carrier') throw named('role-not-for-container');
  const target = isRecord(relationships.party) ? relationships.party.data : undefined;
  const party = isRecord(target) ? call.backend.store.parties.get(String(target.id)) : undefined;
  // If a party belongs to another account, the service gives the same error as for a party that does not exist.
  if (party === undefined) throw named('foreign-party');
  const added = addRole(call.backend, type, owner, role, party);
  if (added === undefined) throw named('party-role-taken');
  return added;
}
