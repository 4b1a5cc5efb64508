import { isDeepStrictEqual } from 'node:util';
import type { StatusAt } from '../../src/sync/index.ts';

/** The fields that are compared, each with its value in the history. */
const COMPARED: Readonly<Record<string, readonly string[]>> = {
  shipment: ['pol_etd_at', 'pod_eta_at', 'destination_eta_at', 'pod_vessel_name'],
  container: ['current_status', 'pickup_lfd', 'holds_at_pod_terminal'],
  tracking_request: ['status'],
};

/** The differences between the end of the history and the rows. */
export function historyDifferences(now: StatusAt, stored: ReadonlyMap<string, object | null>): string[] {
  const known = new Map(now.records.map(({ type, id, fields }) => [`${type} ${id}`, fields]));
  return [...stored].flatMap(([key, record]) =>
    (COMPARED[key.split(' ')[0] ?? ''] ?? []).flatMap(field => {
      const found = known.get(key)?.[field];
      const expected = inHistory(field, (record as Record<string, unknown> | null)?.[field]);
      return isDeepStrictEqual(found, expected)
        ? []
        : [`${key} ${field} of the history: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`];
    }),
  );
}

function inHistory(field: string, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const holds = value.map(({ name, status }) => [name, status]);
    return holds.length > 0 ? Object.fromEntries(holds) : undefined;
  }
  return /_at$|_lfd$/.test(field) ? new Date(String(value)).toISOString() : value;
}
