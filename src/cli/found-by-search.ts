import type { TrackingClient } from '../client.ts';
import type { SearchResult } from '../model/index.ts';
import { spelt } from './tracked-before.ts';

/** A record that a number or a reference may mean. */
export interface Found {
  id: string;
  number: string | null;
  /** The type of the record, if it is not the type that was wanted. */
  type?: string;
}

/** The type of the record that a search has found. The service calls a container `cargo`. */
export function typeOf({ entity_type }: Pick<SearchResult, 'entity_type'>): string {
  return entity_type === 'cargo' ? 'container' : entity_type;
}

/**
 * A sentence with the numbers that begin with a text and belong to records of a type; `undefined` if the search finds
 * no such number.
 */
export function numbersLike(hits: readonly SearchResult[], type: string, name: string): string | undefined {
  const own = hits.filter(hit => typeOf(hit) === type && spelt(hit.number).startsWith(spelt(name)));
  if (own.length === 0) return undefined;
  const [first, second, third] = own.map(({ number }) => number);
  const others = own.length > 3 ? ' and others' : '';
  return `Numbers that begin with it: ${[first, second, third].filter(Boolean).join(', ')}${others}.`;
}

/** The command that opens a record: `container-tracking containers get MSCU1234566`. */
export function openingOf(type: string, name: string, verb = 'get'): string {
  return `container-tracking ${type.replaceAll('_', '-')}s ${verb} ${/^[\w.:/-]+$/.test(name) ? name : JSON.stringify(name)}`;
}

/**
 * Finds records of a type by a reference or by the number of a related record: a shipment by its container, or
 * containers by their shipment. Hits of the search that match only a part of a number are left out.
 */
export async function foundBySearch(
  client: TrackingClient,
  hits: readonly SearchResult[],
  type: string,
  name: string,
  signal: AbortSignal,
): Promise<Found[]> {
  const exact = hits.filter(hit => [hit.number, ...hit.ref_numbers].some(text => spelt(text) === spelt(name)));
  const own = exact.filter(hit => typeOf(hit) === type);
  if (own.length > 0) return own.map(({ id, number }) => ({ id, number }));
  if (type === 'shipment') {
    return [...new Set(exact.flatMap(hit => hit.shipment_id ?? []))].map(id => ({ id, number: null }));
  }
  const shipments = exact.filter(hit => typeOf(hit) === 'shipment');
  const [first, second] = shipments;
  if (type !== 'container' || !first) return [];
  if (second) return shipments.map(({ id, number }) => ({ id, number, type: 'shipment' }));
  const { containers } = await client.shipments.get(first.id, { include: ['containers'], signal });
  return containers.map(({ id, number }) => ({ id, number }));
}
