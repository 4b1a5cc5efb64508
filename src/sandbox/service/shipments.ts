import { watch } from '../notifications/watch.ts';
import type { Backend } from '../state/backend.ts';
import { makeShipment, type NewShipment } from '../state/new-shipment.ts';
import type { Shipment } from '../state/store.ts';

/** Adds a shipment with its containers to the account. */
export function addShipment(backend: Backend, input: NewShipment): Shipment {
  const { ids, store } = backend;
  const shipment = store.shipments.add(makeShipment(backend, ids.next('shipment'), input));
  for (const container of shipment.containers) store.containers.add(container);
  watch(backend, shipment);
  return shipment;
}

/** Removes a shipment with its containers, tracking requests and custom fields. Its documents stay, without it. */
export function removeShipment({ store }: Backend, shipment: Shipment): void {
  const requests = store.trackingRequests.newestFirst().filter(request => request.shipment === shipment);
  const removed = new Set([shipment, ...shipment.containers, ...requests].map(({ id }) => id));
  for (const field of store.customFields.newestFirst()) {
    if (removed.has(field.entity.id)) store.customFields.remove(field.id);
  }
  for (const role of store.partyRoles.newestFirst()) if (removed.has(role.owner)) store.partyRoles.remove(role.id);
  for (const document of store.documents.newestFirst()) {
    document.shipments = document.shipments.filter(({ id }) => !removed.has(id));
    document.containers = document.containers.filter(({ id }) => !removed.has(id));
  }
  for (const collection of [store.shipments, store.containers, store.trackingRequests]) {
    for (const id of removed) collection.remove(id);
  }
}
