import { goesInland, type StateFacts } from './container-state.ts';

interface PlaceFacts extends StateFacts {
  readonly pickup_facility?: object | null | undefined;
  readonly pod_terminal?: object | null | undefined;
  readonly shipment?: object | null | undefined;
}

/**
 * The place where a container is to be picked up: inland if the container goes inland, otherwise at the port. While the
 * inland facility is not known, `name` is the name of the destination. If the record with the name was not included,
 * `name` is `null`.
 */
export function pickupPlace(container: PlaceFacts): { at: 'port' | 'inland'; name: string | null } {
  const { pickup_facility, pod_terminal, shipment } = container;
  const at = goesInland(container) ? 'inland' : 'port';
  const other = at === 'inland' ? textAt(shipment, 'destination_name') : textAt(pod_terminal, 'name');
  return { at, name: textAt(pickup_facility, 'name') ?? other };
}

function textAt(record: object | null | undefined, name: string): string | null {
  const value = (record as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
