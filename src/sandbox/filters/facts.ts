import type { Resources } from '../../model/index.ts';
import { containerAttributes, shipment as shipmentEntity } from '../entities/tracking-entities.ts';
import type { Backend } from '../state/backend.ts';
import { changedAt, statusRefreshedAt } from '../state/refresh.ts';
import type { Container, PartyRole, Rendered, Shipment } from '../state/store.ts';
import { booleanOf, codesOf, exact, type Filter } from './list-queries.ts';

/**
 * The data of a shipment by which lists are filtered and sorted: the record, and its attributes in a response. Because
 * a list has many records, the attributes are rendered only when they are first needed.
 */
export class ShipmentFacts {
  readonly backend: Backend;
  readonly shipment: Shipment;
  #rendered: Rendered<'shipment'> | undefined;

  constructor(backend: Backend, shipment: Shipment) {
    this.backend = backend;
    this.shipment = shipment;
  }

  get #render(): Rendered<'shipment'> {
    this.#rendered ??= shipmentEntity(this.backend, this.shipment).render();
    return this.#rendered;
  }

  get ship(): Resources['shipment']['attributes'] {
    return this.#render.attributes;
  }

  /** The id of the terminal at the port of discharge. */
  get podTerminalId(): string | null {
    return this.#render.relationships?.pod_terminal?.id ?? null;
  }
}

export class ContainerFacts {
  readonly backend: Backend;
  readonly container: Container;
  readonly shipment: Shipment;
  readonly #shared: ShipmentFacts;
  #box: Resources['container']['attributes'] | undefined;

  /** @param shared The facts about the shipment of the container. All containers of the shipment share these facts. */
  constructor(container: Container, shared: ShipmentFacts) {
    this.backend = shared.backend;
    this.container = container;
    this.shipment = container.shipment;
    this.#shared = shared;
  }

  get ship(): Resources['shipment']['attributes'] {
    return this.#shared.ship;
  }

  get podTerminalId(): string | null {
    return this.#shared.podTerminalId;
  }

  get box(): Resources['container']['attributes'] {
    this.#box ??= containerAttributes(this.backend, this.container);
    return this.#box;
  }

  /** Time of the last change of the record. The service does not send it. */
  get changedAt(): number {
    return changedAt(this.backend, this.container);
  }

  /** Time of the last refresh of the container's status. The service does not send it. */
  get refreshedAt(): number {
    return statusRefreshedAt(this.backend, this.container);
  }
}

/** The facts that shipments and containers have in common. */
export type TrackedFacts = Pick<ShipmentFacts, 'backend' | 'shipment' | 'ship' | 'podTerminalId'>;

/** Returns a function that collects the facts about a container of the account. */
export function containerFacts(backend: Backend): (container: Container) => ContainerFacts {
  const shipments = new Map<Shipment, ShipmentFacts>();
  return container => {
    let shared = shipments.get(container.shipment);
    if (shared === undefined) {
      shared = new ShipmentFacts(backend, container.shipment);
      shipments.set(container.shipment, shared);
    }
    return new ContainerFacts(container, shared);
  };
}

/** Returns a function that collects the facts about a shipment of the account. */
export function shipmentFacts(backend: Backend): (shipment: Shipment) => ShipmentFacts {
  return shipment => new ShipmentFacts(backend, shipment);
}

/** The last free day of one source: the reported day or, if no day was reported, the calculated day. */
export function effective(
  deadline: { current?: string | null; calculated?: string | null } | null | undefined,
): string | null {
  return deadline?.current ?? deadline?.calculated ?? null;
}

/**
 * The ids of the parties that have roles on each record, by the id of the record.
 *
 * @param wanted Selects roles. @default all roles
 */
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

/** The parties of a shipment. They can include the customer of its tracking request, who has no role. */
export function partiesOf(shipment: Shipment, roles: Map<string, string[]>, withCustomer: boolean): string[] {
  const ids = roles.get(shipment.id) ?? [];
  return withCustomer && shipment.customer ? [...ids, shipment.customer.id] : ids;
}

/**
 * Selects by the customers of a shipment. A shipment without a customer matches the id of its creator, but not
 * `@exists`.
 */
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

/** Returns the user who tracks a shipment and its containers, or `null` if the shipment has no tracking request. */
export function ownerOf({ store, userId }: Backend): (facts: TrackedFacts) => string | null {
  const tracked = new Set(store.trackingRequests.newestFirst().map(({ shipment }) => shipment));
  return ({ shipment }) => (tracked.has(shipment) ? userId : null);
}

/** Selects records that have any of the tags. With `tags_and`, selects records that have all of the tags. */
export const tags: Filter<TrackedFacts> = (given, { filters }) => {
  const wanted = [...codesOf(given)];
  const and = filters.get('tags_and');
  const wantsAll = and !== undefined && booleanOf(and);
  return ({ shipment }) => {
    const has = (tag: string) => shipment.tags.includes(tag);
    return wantsAll ? wanted.every(has) : wanted.some(has);
  };
};

/** Decides how the filter `tags` combines its values. Has no effect without `tags`. */
export const tagsAnd: Filter<TrackedFacts> = given => {
  booleanOf(given);
  return null;
};
