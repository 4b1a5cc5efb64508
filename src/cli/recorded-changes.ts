import type { TrackingClient } from '../client.ts';
import { type TimelineChange, timelineChanges } from '../domain/timeline-changes.ts';

/** A change with its own record in the timeline of a container. */
export interface Recorded extends Omit<TimelineChange, 'group' | 'placeName'> {
  kind: TimelineChange['group'];
  type: 'container';
  id: string;
  number: string | null;
  /** UN/LOCODE of the place. */
  locode?: string | undefined;
}

/**
 * The changes of containers that the service has recorded since a moment, the latest first. `others` is the number of
 * containers with only changes that have no record, such as a hold or a fee.
 */
export async function recordedChanges(
  client: TrackingClient,
  since: Date,
  signal: AbortSignal,
): Promise<{ changes: Recorded[]; others: number }> {
  const containers = await client.containers
    .list({
      // The filter of the service compares days, so it also selects changes of the same day before `since`.
      filter: { updated_at: { gte: since.toISOString().slice(0, 'YYYY-MM-DD'.length) } },
      sort: '-updated_at',
      include: ['shipment', 'transport_events.location'],
      pageSize: 100,
      signal,
    })
    .toArray();
  const found = containers.map(container => {
    const { id, number } = container;
    return timelineChanges(container, since).map(
      ({ group, place: locode, placeName: place = locode, ...change }): Recorded => ({
        kind: group,
        type: 'container',
        id,
        number,
        ...change,
        place,
        locode,
        what: wordsOf({ group, ...change }),
      }),
    );
  });
  const changes = found.flat().sort((one, other) => (other.at ?? '').localeCompare(one.at ?? ''));
  return { changes, others: found.filter(each => each.length === 0).length };
}

/** The words for a change. If the value was not known before, they begin with `first known`. */
function wordsOf({ what, from, to, group }: TimelineChange): string {
  const words = what.charAt(0).toLowerCase() + what.slice(1);
  const isValue = group !== 'events' && group !== 'availability';
  return isValue && to !== undefined && from === undefined ? `first known: ${words}` : words;
}
