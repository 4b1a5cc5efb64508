import { isRecord } from '../../jsonapi/document.ts';
import { partyRole } from '../entities/account.ts';
import { text } from '../http/attributes.ts';
import type { Call } from '../http/call.ts';
import { named, orNotFound } from '../http/errors.ts';
import { parseInclude } from '../http/jsonapi.ts';
import { one, type Reply, wholeList } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import { addRole, ROLES, rolesOf } from '../service/party-roles.ts';
import type { Collection, PartyRole, Store } from '../state/store.ts';

export const partyRoleRoutes: Route[] = [
  ...below('/shipments', 'Shipment', store => store.shipments),
  ...below('/containers', 'Cargo', store => store.containers),
  ...below('/tracking_requests', 'TrackingRequest', store => store.trackingRequests),
];

/** The roles of parties on one record. The parties are always included. */
function below(
  collection: string,
  type: PartyRole['ownerType'],
  records: (store: Store) => Pick<Collection<{ id: string }>, 'get'>,
): Route[] {
  const owner = (call: Call) => orNotFound(records(call.backend.store).get(call.param('id'))).id;
  const withParty = parseInclude('party_role', 'party');
  return [
    {
      method: 'GET',
      path: `${collection}/:id/party_roles`,
      handle: call => wholeList(call, rolesOf(call.backend, owner(call)).map(partyRole), withParty),
    },
    {
      method: 'POST',
      path: `${collection}/:id/party_roles`,
      async handle(call): Promise<Reply> {
        const record = await newRole(call, type, owner(call));
        return { ...one(call, partyRole(record), withParty), status: 201 };
      },
    },
    {
      method: 'DELETE',
      path: `${collection}/:id/party_roles/:role`,
      handle(call) {
        const role = orNotFound(rolesOf(call.backend, owner(call)).find(({ id }) => id === call.param('role')));
        call.backend.store.partyRoles.remove(role.id);
        return { status: 204 };
      },
    },
  ];
}

async function newRole(call: Call, type: PartyRole['ownerType'], owner: string): Promise<PartyRole> {
  const { attributes, relationships } = await call.input();
  const role = text(attributes, 'role');
  if (!ROLES.includes(role)) throw named('unknown-party-role');
  if (type === 'Cargo' && role !== 'pickup_dray_carrier') throw named('role-not-for-container');
  const target = isRecord(relationships.party) ? relationships.party.data : undefined;
  const party = isRecord(target) ? call.backend.store.parties.get(String(target.id)) : undefined;
  // The service does not tell a party of another account from none.
  if (party === undefined) throw named('foreign-party');
  const added = addRole(call.backend, type, owner, role, party);
  if (added === undefined) throw named('party-role-taken');
  return added;
}
