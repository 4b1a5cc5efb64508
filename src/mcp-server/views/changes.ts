import { type LocalTime, localTime } from '../../domain/index.ts';
import { readInstant } from '../../domain/instant.ts';
import { MILESTONE_LABELS } from '../../domain/milestone-labels.ts';
import { included, objects, text } from './read.ts';
import { short } from './rows.ts';

/** The kinds of changes, in groups. */
export const KIND_GROUPS = ['events', 'estimates', 'last_free_days', 'appointments', 'new_containers'] as const;

/** A change of a container that has a time. */
export interface TimelineChange {
  what: string;
  group: (typeof KIND_GROUPS)[number];
  /** The value before, on the clock of its place. */
  from?: LocalTime | undefined;
  /** True if `from` is the first estimate of the shipment, and not the last one. */
  isFromFirst?: true;
  /** The value now, or the time of the event. */
  to?: LocalTime | undefined;
  /** Of a new container. */
  status?: string | undefined;
  place?: string | undefined;
  /** When the service recorded it, in UTC. */
  at?: string | undefined;
}

type Fields = Record<string, unknown>;

/** With a new container comes its timeline so far: none of it has changed. */
const FIRST_READING_MS = 3_600_000;

/** The changes since a moment that the timeline of a container shows, in the order of their recording. */
export function changesOf(record: object, since: Date): TimelineChange[] {
  const container = record as Fields;
  const createdAt = timeOf(container.created_at);
  const isNew = createdAt >= since.getTime();
  const from = isNew ? createdAt + FIRST_READING_MS : since.getTime();
  const events = (objects(container.transport_events) ?? [])
    .filter(({ event }) => text(event))
    .sort((a, b) => timeOf(a.created_at) - timeOf(b.created_at) || 0);
  const added = events.flatMap((event, index) =>
    timeOf(event.created_at) >= from ? changeOf(event, events.slice(0, index), container) : [],
  );
  const withdrawn = events
    .filter(({ invalidated_at }) => timeOf(invalidated_at) >= from)
    .map(event => ({
      what: `${wordsOf(event)}${WITHDRAWN}`,
      group: groupOf(event),
      from: shownOf(event),
      at: minute(event.invalidated_at),
    }));
  const status = short(container.current_status);
  return [
    ...(isNew
      ? [{ what: TRACKED_NOW, group: 'new_containers' as const, status, at: minute(container.created_at) }]
      : []),
    ...withoutRepeats(added),
    ...withdrawn,
  ];
}

function changeOf(event: Fields, earlier: readonly Fields[], container: Fields): TimelineChange | [] {
  const to = shownOf(event);
  const before = replaces(event) ? earlier.findLast(other => other.event === event.event) : undefined;
  const from = before ? shownOf(before) : firstEstimate(event, container);
  if (from !== undefined && from.text === to?.text) return [];
  return {
    what: wordsOf(event),
    group: groupOf(event),
    from,
    ...(from && !before && { isFromFirst: true }),
    to,
    place: short(event.location_locode),
    at: minute(event.created_at),
  };
}

/** The timeline has the latest estimate only, and the shipment the first. */
function firstEstimate({ event, timezone }: Fields, { shipment }: Fields): LocalTime | undefined {
  const name = FIRST_ESTIMATES[text(event)?.replace('container.transport.estimated.', '') ?? ''];
  return name ? localTime(text(included(shipment)?.[name]), text(timezone)) : undefined;
}

const FIRST_ESTIMATES: Readonly<Record<string, string>> = {
  vessel_departed: 'pol_original_etd_at',
  vessel_arrived: 'pod_original_eta_at',
  arrived_at_inland_destination: 'destination_original_eta_at',
};

/** The service may report the day that it prefers beside the same day of its source: one change, that of the source. */
function withoutRepeats(changes: readonly TimelineChange[]): TimelineChange[] {
  const sources = changes.filter(({ what }) => what.startsWith(`${LAST_FREE_DAY} of`));
  return changes.filter(
    ({ what, to }) => what !== LAST_FREE_DAY || !sources.some(source => source.to?.text === to?.text),
  );
}

export const LAST_FREE_DAY = 'Last free day';

const WORDS: Readonly<Record<string, string>> = {
  pickup_lfd: LAST_FREE_DAY,
  pickup_lfd_line: `${LAST_FREE_DAY} of the line`,
  pickup_lfd_terminal: `${LAST_FREE_DAY} of the terminal`,
  pickup_lfd_rail: `${LAST_FREE_DAY} of the railway`,
  pickup_appointment: 'Pickup appointment',
};

const TRACKED_NOW = 'tracked now';
const WITHDRAWN = ': withdrawn';

/** Every kind of change that has words, whether or not there is one. */
export const KINDS: readonly string[] = [...Object.values(MILESTONE_LABELS), ...Object.values(WORDS)]
  .flatMap(kind => kind ?? [])
  .flatMap(kind => [kind, `${kind}${WITHDRAWN}`])
  .concat(TRACKED_NOW, KIND_GROUPS);

function groupOf({ event }: Fields): TimelineChange['group'] {
  const name = text(event) ?? '';
  if (name.includes('.estimated.')) return 'estimates';
  if (name.startsWith('container.pickup_lfd')) return 'last_free_days';
  return name.startsWith('container.pickup_appointment') ? 'appointments' : 'events';
}

/** An estimate or a value, of which the latest counts. The other events happen. */
function replaces({ event }: Fields): boolean {
  return /\.estimated\.|\.changed$/.test(text(event) ?? '');
}

function wordsOf({ event }: Fields): string {
  const name = text(event) ?? '';
  const [, changed = ''] = /^container\.(\w+)\.changed$/.exec(name) ?? [];
  const labels: Readonly<Record<string, string | undefined>> = MILESTONE_LABELS;
  return WORDS[changed] ?? labels[name.replace('container.transport.', '')] ?? short(name) ?? '';
}

/** The day of a deadline, else the time, at the place. */
function shownOf({ event, timestamp, timezone, value, value_timestamp }: Fields): LocalTime | undefined {
  const name = text(event) ?? '';
  const at = name.endsWith('.changed') ? (text(value_timestamp) ?? text(value)) : text(timestamp);
  const time = localTime(at, text(timezone));
  return time && name.startsWith('container.pickup_lfd') ? localTime(time.date, null) : time;
}

function minute(value: unknown): string | undefined {
  const at = timeOf(value);
  return Number.isFinite(at) ? `${new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z` : undefined;
}

/** What has no time was before everything. */
function timeOf(value: unknown): number {
  return readInstant(text(value))?.epochMs ?? Number.NEGATIVE_INFINITY;
}
