import type { Backend } from '../state/backend.ts';
import type { Party, PartyRole, Shipment, TrackingRequest } from '../state/store.ts';

/**
 * The roles that a party can have on a shipment or a tracking request. On a container, only the last role is possible.
 */
export const ROLES: readonly string[] = [
  'shipper',
  'consignee',
  'notify_party',
  'customs_broker',
  'customer',
  'freight_forwarder',
  'pickup_dray_carrier',
];

/** The roles on a record, the oldest first. */
export function rolesOf({ store }: Backend, owner: string): PartyRole[] {
  return store.partyRoles
    .newestFirst()
    .filter(role => role.owner === owner)
    .reverse();
}

/** Adds a role, unless the party already has this role. The role of a tracking request is copied to its shipment. */
export function addRole(
  backend: Backend,
  ownerType: PartyRole['ownerType'],
  owner: string,
  role: string,
  party: Party,
): PartyRole | undefined {
  const { ids, now, store } = backend;
  if (rolesOf(backend, owner).some(other => other.role === role && other.party === party)) return undefined;
  const added = store.partyRoles.add({ id: ids.next('party_role'), createdAt: now, role, party, owner, ownerType });
  const shipment = ownerType === 'TrackingRequest' && store.trackingRequests.get(owner)?.shipment;
  if (shipment) addRole(backend, 'Shipment', shipment.id, role, party);
  return added;
}

/** Copies the roles of a tracking request to its shipment. */
export function copyRoles(backend: Backend, request: TrackingRequest, shipment: Shipment): void {
  for (const { role, party } of rolesOf(backend, request.id)) addRole(backend, 'Shipment', shipment.id, role, party);
}
