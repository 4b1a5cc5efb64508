import { badRequest } from '../http/errors.ts';
import type { Backend } from '../state/backend.ts';
import type { Container, Shipment } from '../state/store.ts';
import { CONTAINER_FILTERS } from './container-lists.ts';
import { containerFacts, shipmentFacts } from './facts.ts';
import type { Filter, Test } from './list-queries.ts';
import { asFilter, type Given, givenFilters } from './list-queries.ts';
import { SHIPMENT_FILTERS } from './shipment-lists.ts';

/**
 * Parameters that have the same effect as a filter: `q=a` is the same as `filter[q]=a`. If a request has both, the
 * filter applies.
 */
const ALIASES = ['number', 'q', 'tracking_stopped'];

/**
 * The shipments that the filters of a request select, the newest first.
 *
 * @throws {HttpError} 400 for a malformed value.
 */
export function selectShipments(backend: Backend, query: URLSearchParams): Shipment[] {
  if (backend.lists === 'older') return selectAsBefore(backend, query);
  const filters = givenFilters(query);
  if (query.get('q')?.trim() === '') throw badRequest('q', 'q is blank');
  for (const name of ALIASES) {
    const given = asFilter(query, name);
    if (given !== undefined && !filters.has(name)) filters.set(name, given);
  }
  return selected(backend, backend.store.shipments.newestFirst(), filters, SHIPMENT_FILTERS, shipmentFacts(backend));
}

/**
 * The containers that the filters of a request select, the newest first.
 *
 * @throws {HttpError} 400 for a malformed value, 500 for the filters with which the service fails.
 */
export function selectContainers(backend: Backend, query: URLSearchParams): Container[] {
  const given = givenFilters(query);
  const filters = backend.lists === 'older' ? only(given, 'number') : given;
  return selected(backend, backend.store.containers.newestFirst(), filters, CONTAINER_FILTERS, containerFacts(backend));
}

/**
 * The shipments of an older account. The only filters are `number` and `q` at the top level, and `tracking_stopped`.
 */
function selectAsBefore(backend: Backend, query: URLSearchParams): Shipment[] {
  const filters = only(givenFilters(query), 'tracking_stopped');
  for (const name of ['number', 'q']) {
    const given = asFilter(query, name);
    if (given !== undefined && given.scalar?.trim() !== '') filters.set(name, given);
  }
  return selected(backend, backend.store.shipments.newestFirst(), filters, SHIPMENT_FILTERS, shipmentFacts(backend));
}

function only(filters: ReadonlyMap<string, Given>, ...keys: string[]): Map<string, Given> {
  return new Map([...filters].filter(([key]) => keys.includes(key)));
}

/** The records that pass all filters. Filters that the service does not have are ignored. */
function selected<T, F>(
  backend: Backend,
  records: T[],
  filters: ReadonlyMap<string, Given>,
  known: ReadonlyMap<string, Filter<F>>,
  factsOf: (record: T) => F,
): T[] {
  const tests: Test<F>[] = [];
  for (const [key, given] of filters) {
    const test = known.get(key)?.(given, { backend, filters });
    if (test) tests.push(test);
  }
  if (tests.length === 0) return records;
  return records.filter(record => {
    const facts = factsOf(record);
    return tests.every(test => test(facts));
  });
}

/** The parameter `sort`. An older account ignores this parameter. */
export function sortOf({ lists }: Backend, query: URLSearchParams): string | null {
  return lists === 'older' ? null : (query.getAll('sort').at(-1) ?? null);
}
