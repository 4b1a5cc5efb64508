import type { Resources } from '../../model/index.ts';
import { renderContainer } from '../entities/container.ts';
import { shipment as shipmentEntity, transportEvent } from '../entities/tracked.ts';
import type { Backend } from '../state/backend.ts';
import type { Rendered } from '../state/entity.ts';
import { changedAt, statusRefreshedAt } from '../state/refresh.ts';
import type { Container, Shipment } from '../state/store.ts';

/**
 * What a list is filtered and sorted by: the record, and what the service would send of it. That is rendered when it is first
 * asked for, since a list has many records.
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

  /** @param shared The facts of its shipment. Its containers share them. */
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
    this.#box ??= renderContainer(this.backend, this.container, {
      shipment: shipmentEntity(this.backend, this.shipment),
      transportEvent: planned => transportEvent(this.backend, this.container, planned),
      // No list is filtered by them, and there are many.
      rawEvents: () => [],
    }).attributes;
    return this.#box;
  }

  /** When the record last changed. The service does not send it. */
  get changedAt(): number {
    return changedAt(this.backend, this.container);
  }

  /** When its status was last refreshed. The service does not send it. */
  get refreshedAt(): number {
    return statusRefreshedAt(this.backend, this.container);
  }
}

/** What containers have of their shipments too. */
export type TrackedFacts = Pick<ShipmentFacts, 'backend' | 'shipment' | 'ship' | 'podTerminalId'>;

/** Gives the facts of the containers of an account. */
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

/** Gives the facts of the shipments of an account. */
export function shipmentFacts(backend: Backend): (shipment: Shipment) => ShipmentFacts {
  return shipment => new ShipmentFacts(backend, shipment);
}

/** The last free day of one source: as it was reported or, where it was not, as it was calculated. */
export function effective(
  deadline: { current?: string | null; calculated?: string | null } | null | undefined,
): string | null {
  return deadline?.current ?? deadline?.calculated ?? null;
}
