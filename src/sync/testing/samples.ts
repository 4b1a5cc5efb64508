import type { SyncRow } from '../store.ts';

/** A fixed point in time, which may be far from the current time. */
export const T = Date.UTC(2026, 2, 9, 3, 4, 40);

/** A container as of `T + seconds`. */
export function container(id: string, seconds: number, fields: object = {}): SyncRow {
  const record = {
    id,
    type: 'container',
    number: 'MSCU1234565',
    current_status: 'available',
    weight_in_lbs: 40_000,
    availability_known: true,
    available_for_pickup: true,
    pickup_lfd: '2026-03-12T04:00:00Z',
    pod_timezone: 'America/New_York',
    holds_at_pod_terminal: [{ name: 'customs', status: 'pending', description: '' }],
    shipment: { type: 'shipment', id: 'shipment-1' },
    ...fields,
  };
  return { type: 'container', id, asOf: T + seconds * 1000, record };
}

/** A row for the deletion of a container: the service no longer has it, as of `T + seconds`. */
export function deletion(id: string, seconds: number): SyncRow {
  return { type: 'container', id, asOf: T + seconds * 1000, record: null };
}

export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map(rest => [item, ...rest]));
}
