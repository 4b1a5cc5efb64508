import type { Backend } from '../state/backend.ts';
import type { PartyRole, Shipment } from '../state/store.ts';
import type { TrackedFacts } from './facts.ts';
import { booleanOf, codesOf, exact, type Filter } from './kinds.ts';

/** The ids of the parties with roles on each record. @param wanted Which roles. @default all */
export function partiesByOwner({ store }: Backend, wanted = (_: PartyRole) => true): Map<string, string[]> {
  const parties = new Map<string, string[]>();
  for (const role of store.partyRoles.newestFirst()) {
    if (!wanted(role)) continue;
    const known = parties.get(role.owner);
    if (known) known.push(role.party.id);
    else parties.set(role.owner, [role.party.id]);
  }
  return parties;
}

/** The parties of a shipment. A customer of its tracking request is one, without a role of its own. */
export function partiesOf(shipment: Shipment, roles: Map<string, string[]>, withCustomer: boolean): string[] {
  const ids = roles.get(shipment.id) ?? [];
  return withCustomer && shipment.customer ? [...ids, shipment.customer.id] : ids;
}

/** The customers of a shipment. Without any, the account that has created it counts, but not as present. */
export const customerId: Filter<TrackedFacts> = (given, request) => {
  const { backend } = request;
  const roles = partiesByOwner(backend, ({ role }) => role === 'customer');
  const customers = ({ shipment }: TrackedFacts) => partiesOf(shipment, roles, true);
  const creator = backend.ids.of('account');
  const [isIn, isInOrCreated] = [
    exact(customers)(given, request),
    exact((facts: TrackedFacts) => {
      const found = customers(facts);
      return found.length > 0 ? found : [creator];
    })(given, request),
  ];
  const asksForPresence = [given.scalar ?? '', ...given.array].some(value => value.includes('@'));
  return asksForPresence ? isIn : isInOrCreated;
};

/** The user of a container is that of the tracking request from which its shipment came. */
export function ownerOf({ store, userId }: Backend): (facts: TrackedFacts) => string | null {
  const tracked = new Set(store.trackingRequests.newestFirst().map(({ shipment }) => shipment));
  return ({ shipment }) => (tracked.has(shipment) ? userId : null);
}

/** Any of the tags or, with `tags_and`, all of them. */
export const tags: Filter<TrackedFacts> = (given, { filters }) => {
  const wanted = [...codesOf(given)];
  const and = filters.get('tags_and');
  const wantsAll = and !== undefined && booleanOf(and);
  return ({ shipment }) => {
    const has = (tag: string) => shipment.tags.includes(tag);
    return wantsAll ? wanted.every(has) : wanted.some(has);
  };
};

/** It says how `tags` is meant, and selects nothing by itself. */
export const tagsAnd: Filter<TrackedFacts> = given => {
  booleanOf(given);
  return null;
};
