import type { Resources } from '../../model/index.ts';
import { renderContainer } from '../entities/container.ts';
import { shipment as shipmentEntity, transportEvent } from '../entities/tracked.ts';
import type { Backend } from '../state/backend.ts';
import { changedAt, statusRefreshedAt } from '../state/refresh.ts';
import type { Container, Shipment } from '../state/store.ts';

type ContainerAttributes = Resources['container']['attributes'];
type ShipmentAttributes = Resources['shipment']['attributes'];

/** What a list is filtered and sorted by: the record, and what the service would send of it. Rendered when it is first asked for. */
export interface ShipmentFacts {
  readonly backend: Backend;
  readonly shipment: Shipment;
  readonly ship: ShipmentAttributes;
  /** The id of the terminal at the port of discharge. */
  readonly podTerminalId: string | null;
}

export interface ContainerFacts extends ShipmentFacts {
  readonly container: Container;
  readonly box: ContainerAttributes;
  /** When the record last changed. The service does not send it. */
  readonly changedAt: number;
  /** When its status was last refreshed. The service does not send it. */
  readonly refreshedAt: number;
}

/** Gives the facts of the containers of an account. The containers of a shipment share its attributes. */
export function containerFacts(backend: Backend): (container: Container) => ContainerFacts {
  const shipments = new Map<Shipment, ShipmentFacts>();
  return container => {
    let shared = shipments.get(container.shipment);
    if (shared === undefined) {
      shared = shipmentFacts(backend)(container.shipment);
      shipments.set(container.shipment, shared);
    }
    return factsOf(backend, container, shared);
  };
}

function factsOf(backend: Backend, container: Container, shared: ShipmentFacts): ContainerFacts {
  const rendered = once(() =>
    renderContainer(backend, container, {
      shipment: shipmentEntity(backend, container.shipment),
      transportEvent: planned => transportEvent(backend, container, planned),
      // No list is filtered by them, and there are many.
      rawEvents: () => [],
    }),
  );
  return {
    backend,
    container,
    shipment: container.shipment,
    get ship() {
      return shared.ship;
    },
    get podTerminalId() {
      return shared.podTerminalId;
    },
    get box() {
      return rendered().attributes;
    },
    get changedAt() {
      return changedAt(backend, container);
    },
    get refreshedAt() {
      return statusRefreshedAt(backend, container);
    },
  };
}

export function shipmentFacts(backend: Backend): (shipment: Shipment) => ShipmentFacts {
  return shipment => {
    const rendered = once(() => shipmentEntity(backend, shipment).render());
    return {
      backend,
      shipment,
      get ship() {
        return rendered().attributes;
      },
      get podTerminalId() {
        const terminal = rendered().relationships?.pod_terminal;
        return terminal ? terminal.id : null;
      },
    };
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The last free day of one source: as it was reported or, where it was not, as it was calculated. */
export function effective(
  deadline: { current?: string | null; calculated?: string | null } | null | undefined,
): string | null {
  return deadline?.current ?? deadline?.calculated ?? null;
}
