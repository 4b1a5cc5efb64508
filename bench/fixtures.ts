import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireDocument, WireResource } from '../src/jsonapi/document.ts';

export function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, '../support/samples', name), 'utf8');
}

/**
 * A page of containers as the service sends it. Each container has its shipment, two ports and a terminal. Some of
 * these records are shared.
 */
export function containersPage(count: number): string {
  const sample = JSON.parse(fixture('shipments.get.include.json')) as WireDocument<WireResource>;
  const ofType = (type: string) => sample.included?.find(resource => resource.type === type) as WireResource;
  const data: WireResource[] = [];
  const included: WireResource[] = [];
  const places = Math.max(1, count / 10);
  for (let i = 0; i < count; i += 1) {
    const container = structuredClone(ofType('container'));
    const shipment = structuredClone(sample.data);
    container.id = `container-${i}`;
    shipment.id = `shipment-${i >> 1}`;
    const place = i % places;
    point(container, 'shipment', 'shipment', shipment.id);
    point(container, 'pod_terminal', 'terminal', `terminal-${place}`);
    point(shipment, 'port_of_lading', 'port', `port-${place}`);
    point(shipment, 'port_of_discharge', 'port', `port-${(place + 1) % places}`);
    data.push(container);
    if (i % 2 === 0) included.push(shipment);
  }
  for (let place = 0; place < places; place += 1) {
    included.push({ ...structuredClone(ofType('port')), id: `port-${place}` });
    included.push({ ...structuredClone(ofType('terminal')), id: `terminal-${place}` });
  }
  return JSON.stringify({ data, included, links: {}, meta: { total: count } });
}

/** A long list of transport events, each with its location and terminal. */
export function eventsPage(count: number): string {
  const sample = JSON.parse(fixture('containers.transport_events.json')) as WireDocument<WireResource[]>;
  const data = Array.from({ length: count }, (_, i) => ({
    ...structuredClone(sample.data[i % sample.data.length] as WireResource),
    id: `event-${i}`,
  }));
  return JSON.stringify({ ...sample, data });
}

function point(resource: WireResource, name: string, type: string, id: string): void {
  resource.relationships = { ...resource.relationships, [name]: { data: { type, id } } };
}
