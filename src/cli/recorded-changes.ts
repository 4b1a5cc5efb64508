import type { TrackingClient } from '../client.ts';
import { changesOf, type TimelineChange } from '../mcp-server/views/changes.ts';

/** A change with its own record in the timeline of a container. */
export interface Recorded extends Omit<TimelineChange, 'group'> {
  kind: TimelineChange['group'];
  type: 'container';
  id: string;
  number: string | null;
}

/**
 * The changes of containers that the service has recorded since a moment, the latest first, and the number of containers that have
 * changed in something without a record, such as a hold or a fee.
 */
export async function recordedChanges(
  client: TrackingClient,
  since: Date,
  signal: AbortSignal,
): Promise<{ changes: Recorded[]; others: number }> {
  const containers = await client.containers
    .list({
      // The service compares days.
      filter: { updated_at: { gte: since.toISOString().slice(0, 'YYYY-MM-DD'.length) } },
      sort: '-updated_at',
      include: ['shipment', 'transport_events'],
      pageSize: 100,
      signal,
    })
    .toArray();
  const found = containers.map(container => {
    const { id, number } = container;
    return changesOf(container, since).map(
      ({ group, ...change }): Recorded => ({
        kind: group,
        type: 'container',
        id,
        number,
        ...change,
        what: wordsOf({ group, ...change }),
      }),
    );
  });
  const changes = found.flat().sort((one, other) => (other.at ?? '').localeCompare(one.at ?? ''));
  return { changes, others: found.filter(each => each.length === 0).length };
}

/** A value that becomes known has not moved. */
function wordsOf({ what, from, to, group }: TimelineChange): string {
  const words = what.charAt(0).toLowerCase() + what.slice(1);
  const isValue = group !== 'events' && group !== 'availability';
  return isValue && to !== undefined && from === undefined ? `first known: ${words}` : words;
}
