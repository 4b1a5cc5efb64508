import type { TrackingClient } from 'container-tracking-sdk';

/** A container with everything that the detail view shows. */
export type DetailedContainer = Awaited<ReturnType<typeof readContainer>>['container'];

/** Reads a container with its milestones and their places, and the map of its journey. */
export async function readContainer(client: TrackingClient, id: string, signal: AbortSignal) {
  const include = ['shipment', 'pod_terminal', 'pickup_facility', ...EVENTS] as const;
  const [container, map] = await Promise.all([
    client.containers.get(id, { include, signal }),
    client.containers.mapGeojson(id, { signal }),
  ]);
  return { container, map };
}

const EVENTS = ['transport_events.location', 'transport_events.terminal', 'transport_events.vessel'] as const;
