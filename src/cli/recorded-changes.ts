import type { TrackingClient } from '../client.ts';
import { type TimelineChange, timelineChanges } from '../domain/timeline-changes.ts';
import { type Valued, valuesOf, valuesOfChange } from '../worklist/narrowing.ts';

/** A change with its own record in the timeline of a container. */
export interface Recorded extends Omit<TimelineChange, 'group' | 'placeName'> {
  kind: TimelineChange['group'];
  type: 'container';
  id: string;
  number: string | null;
  /** UN/LOCODE of the place. */
  locode?: string | undefined;
}

/** A change, or a container with only changes that have no record, such as a hold or a fee. */
export interface Found extends Valued {
  change?: Recorded;
}

/** The changes of containers that the service has recorded since a moment, the latest first. */
export async function recordedChanges(client: TrackingClient, since: Date, signal: AbortSignal): Promise<Found[]> {
  const containers = await client.containers
    .list({
      // The filter of the service compares days, so it also selects changes of the same day before `since`.
      filter: { updated_at: { gte: since.toISOString().slice(0, 'YYYY-MM-DD'.length) } },
      sort: '-updated_at',
      include: ['shipment', 'pod_terminal', 'pickup_facility', 'transport_events.location'],
      pageSize: 100,
      signal,
    })
    .toArray();
  const found = containers.flatMap((container): Found[] => {
    const values = valuesOf(container);
    const changes = timelineChanges(container, since);
    if (changes.length === 0) return [{ values }];
    return changes.map(change => ({ values: valuesOfChange(values, change), change: recordedOf(container, change) }));
  });
  const timeOf = ({ change }: Found) => change?.at ?? '';
  return found.sort((one, other) => timeOf(other).localeCompare(timeOf(one)));
}

function recordedOf({ id, number }: Pick<Recorded, 'id' | 'number'>, recorded: TimelineChange): Recorded {
  const { group, place: locode, placeName: place = locode, ...change } = recorded;
  return { kind: group, type: 'container', id, number, ...change, place, locode, what: wordsOf(recorded) };
}

/** The words for a change. If the value was not known before, they begin with `first known`. */
function wordsOf({ what, from, to, group }: TimelineChange): string {
  const words = what.charAt(0).toLowerCase() + what.slice(1);
  const isValue = group !== 'events' && group !== 'availability';
  return isValue && to !== undefined && from === undefined ? `first known: ${words}` : words;
}
