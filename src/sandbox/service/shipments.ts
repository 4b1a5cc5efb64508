import { withCheckDigit } from '../base/container-number.ts';
import { createRandom, type Random } from '../base/random.ts';
import { watch } from '../notifications/watch.ts';
import type { Backend } from '../state/backend.ts';
import type { Party, Shipment } from '../state/store.ts';
import type { Carrier } from '../world/carriers.ts';
import { type Phase, phaseOf } from '../world/scenario.ts';

export interface NewShipment {
  carrier: Carrier;
  number: string;
  requestNumber?: string | undefined;
  /** Of the container that was asked for; the shipment then has only that one. */
  containerNumber?: string | undefined;
  /** @default one to four, by the number */
  containers?: number | undefined;
  refNumbers?: string[] | null | undefined;
  tags?: string[] | undefined;
  customer?: Party | null | undefined;
  /** @default by the number */
  phase?: Phase | undefined;
  frozen?: boolean | undefined;
}

/** Adds a shipment with its containers to the account. */
export function addShipment(backend: Backend, input: NewShipment): Shipment {
  const { ids, store } = backend;
  const shipment = store.shipments.add(makeShipment(backend, ids.next('shipment'), input));
  for (const container of shipment.containers) store.containers.add(container);
  watch(backend, shipment);
  return shipment;
}

/** Makes a shipment with its containers that nothing lists. */
export function makeShipment(backend: Backend, id: string, input: NewShipment): Shipment {
  const { ids, seed, now } = backend;
  const random = createRandom(seed, 'shipment', input.number);
  const shipment: Shipment = {
    id,
    createdAt: now,
    number: input.number,
    requestNumbers: input.requestNumber === undefined ? [] : [input.requestNumber],
    carrier: input.carrier,
    refNumbers: input.refNumbers ?? null,
    tags: input.tags ?? [],
    customer: input.customer ?? null,
    containers: [],
    phase: input.phase ?? phaseOf(input.containerNumber ?? input.number, seed),
    frozen: input.frozen ?? false,
    stoppedAt: null,
    gaps: [],
  };
  const drawn = random.pick([1, 1, 2, 2, 3, 4]);
  const count = input.containerNumber === undefined ? (input.containers ?? drawn) : 1;
  shipment.containers = Array.from({ length: count }, (_, index) => ({
    id: ids.of('container', id, index),
    createdAt: now,
    number: input.containerNumber ?? numberFor(backend, input.carrier, random),
    shipment,
    index,
    refNumbers: [...(input.refNumbers ?? [])],
    refreshedAt: null,
  }));
  return shipment;
}

/** Lines use containers of their own, and leased ones. No number is given twice. */
function numberFor({ store }: Backend, { scac }: Carrier, random: Random): string {
  const owner = random.chance(0.6) && scac.endsWith('U') ? scac : random.pick(['TCLU', 'TGHU', 'FCIU', 'BMOU']);
  let number: string;
  do number = withCheckDigit(`${owner}${random.integer(100_000, 999_999)}`);
  while (store.containerNumbers.has(number));
  store.containerNumbers.add(number);
  return number;
}

/** Removes a shipment and what belongs to it. */
export function removeShipment({ store }: Backend, shipment: Shipment): void {
  const requests = store.trackingRequests.newestFirst().filter(request => request.shipment === shipment);
  const removed = new Set([shipment, ...shipment.containers, ...requests].map(({ id }) => id));
  for (const field of store.customFields.newestFirst()) {
    if (removed.has(field.entity.id)) store.customFields.remove(field.id);
  }
  for (const collection of [store.shipments, store.containers, store.trackingRequests]) {
    for (const id of removed) collection.remove(id);
  }
}
