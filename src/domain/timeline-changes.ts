import { readInstant } from './instant.ts';
import { type LocalTime, localTime } from './local-time.ts';
import { MILESTONE_LABELS } from './milestone-labels.ts';
import { included, objects, short, text } from './record-values.ts';

/** The kinds of changes, in groups, the most important first. */
export const KIND_GROUPS = [
  'last_free_days',
  'availability',
  'appointments',
  'delays',
  'events',
  'estimates',
  'new_containers',
] as const;

export type KindGroup = (typeof KIND_GROUPS)[number];

/** Groups that are part of another group. */
export const WIDER_GROUPS: { readonly [G in KindGroup]?: KindGroup } = { availability: 'events', delays: 'estimates' };

/** A change of a container, if the service has recorded the time of the change. */
export interface TimelineChange {
  what: string;
  group: KindGroup;
  /** The value before the change, in local time of its place. */
  from?: LocalTime | undefined;
  /** True if `from` is the first estimate of the shipment, and not the latest estimate before the change. */
  isFromFirst?: true;
  /** The new value, or the time of the event. */
  to?: LocalTime | undefined;
  /** The status of a new container. */
  status?: string | undefined;
  /** The days between `from` and `to` of an estimate; negative if the estimate is now earlier. */
  days_later?: number | undefined;
  /** UN/LOCODE of the place. */
  place?: string | undefined;
  /** Name of the place, if the `location` of the event was included. */
  placeName?: string | undefined;
  /** The time at which the service recorded the change, in UTC. */
  at?: string | undefined;
}

type Fields = Record<string, unknown>;

/**
 * Time in ms after the first record of a container. The records from this time are the earlier timeline of the
 * container. They are not changes.
 */
const FIRST_READING_MS = 3_600_000;

/** An estimate is a delay if it is later by at least this number of days. */
const DELAY_DAYS = 1;

const DAY_MS = 86_400_000;

/**
 * The changes in the timeline of a container since a moment, in the order in which they were recorded. If a value has
 * changed several times, only the last change counts.
 */
export function timelineChanges(record: object, since: Date): TimelineChange[] {
  const container = record as Fields;
  const createdAt = timeOf(container.created_at);
  const isNew = createdAt >= since.getTime();
  const from = isNew ? createdAt + FIRST_READING_MS : since.getTime();
  const events = (objects(container.transport_events) ?? [])
    .filter(({ event }) => text(event))
    .sort((a, b) => timeOf(a.created_at) - timeOf(b.created_at) || 0);
  const isAdded = (event: Fields) => timeOf(event.created_at) >= from;
  const [earlier, later] = [events.filter(event => !isAdded(event)), events.filter(isAdded)];
  const isLast = (event: Fields) => later.findLast(other => other.event === event.event) === event;
  const added = later.flatMap(event => (!replaces(event) || isLast(event) ? changeOf(event, earlier, container) : []));
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
  const first = before ? undefined : firstEstimate(event, container);
  const from = before ? shownOf(before) : localTime(first, text(event.timezone));
  if (from !== undefined && from.text === to?.text) return [];
  const group = groupOf(event);
  const days = (timeOf(instantIn(event)) - timeOf(before ? instantIn(before) : first)) / DAY_MS;
  const days_later = group === 'estimates' && Number.isFinite(days) ? Math.round(days * 10) / 10 : undefined;
  return {
    what: wordsOf(event),
    group: days_later !== undefined && days_later >= DELAY_DAYS ? 'delays' : group,
    from,
    ...(first && from && { isFromFirst: true }),
    to,
    days_later,
    place: short(event.location_locode),
    placeName: short(included(event.location)?.name),
    at: minute(event.created_at),
  };
}

/** The timeline has only the latest estimate, but the shipment has the first estimate. */
function firstEstimate({ event }: Fields, { shipment }: Fields): string | undefined {
  const name = FIRST_ESTIMATES[text(event)?.replace('container.transport.estimated.', '') ?? ''];
  return (name && text(included(shipment)?.[name])) || undefined;
}

const FIRST_ESTIMATES: Readonly<Record<string, string>> = {
  vessel_departed: 'pol_original_etd_at',
  vessel_arrived: 'pod_original_eta_at',
  arrived_at_inland_destination: 'destination_original_eta_at',
};

/**
 * The service may report one change twice: as the preferred day and as the day of its source. Only the change of the
 * source is kept.
 */
function withoutRepeats(changes: readonly TimelineChange[]): TimelineChange[] {
  const sources = changes.filter(({ what }) => what.startsWith(`${LAST_FREE_DAY} of`));
  return changes.filter(
    ({ what, to }) => what !== LAST_FREE_DAY || !sources.some(source => source.to?.text === to?.text),
  );
}

const LAST_FREE_DAY = 'Last free day';

const WORDS: Readonly<Record<string, string>> = {
  pickup_lfd: LAST_FREE_DAY,
  pickup_lfd_line: `${LAST_FREE_DAY} of the line`,
  pickup_lfd_terminal: `${LAST_FREE_DAY} of the terminal`,
  pickup_lfd_rail: `${LAST_FREE_DAY} of the railway`,
  pickup_appointment: 'Pickup appointment',
};

const EVENT_WORDS = new Map(Object.entries({ ...MILESTONE_LABELS, ...WORDS }));

const TRACKED_NOW = 'tracked now';
const WITHDRAWN = ': withdrawn';

/** All known kinds of changes, including the kinds that the account does not have. */
export const KINDS: readonly string[] = [...Object.values(MILESTONE_LABELS), ...Object.values(WORDS)]
  .flatMap(kind => kind ?? [])
  .flatMap(kind => [kind, `${kind}${WITHDRAWN}`])
  .concat(TRACKED_NOW, KIND_GROUPS);

function groupOf({ event }: Fields): TimelineChange['group'] {
  const name = text(event) ?? '';
  if (name.includes('.estimated.')) return 'estimates';
  if (name.startsWith('container.pickup_lfd')) return 'last_free_days';
  if (/\.(not_)?available$/.test(name)) return 'availability';
  return name.startsWith('container.pickup_appointment') ? 'appointments' : 'events';
}

/**
 * True for an estimate or a changed value, because it replaces the earlier estimate or value. All other events have
 * happened.
 */
function replaces({ event }: Fields): boolean {
  return /\.estimated\.|\.changed$/.test(text(event) ?? '');
}

/** An event in words, such as `Vessel departed`. */
export function wordsOf({ event }: Fields): string {
  const name = text(event) ?? '';
  const [, changed = ''] = /^container\.(\w+)\.changed$/.exec(name) ?? [];
  return EVENT_WORDS.get(changed) ?? EVENT_WORDS.get(name.replace('container.transport.', '')) ?? short(name) ?? '';
}

/** The day of a deadline, or the time of another event, in local time of the place. */
function shownOf(event: Fields): LocalTime | undefined {
  const time = localTime(instantIn(event), text(event.timezone));
  return time && text(event.event)?.startsWith('container.pickup_lfd') ? localTime(time.date, null) : time;
}

/** The old and the new value of a day or an appointment that has changed. */
export function changedValues(
  event: Fields,
  earlier: readonly Fields[],
): { from?: LocalTime | undefined; to?: LocalTime | undefined } {
  if (!text(event.event)?.endsWith('.changed')) return {};
  const before = earlier.findLast(other => other.event === event.event);
  return { from: before && shownOf(before), to: shownOf(event) };
}

/** The instant that an event is about. */
function instantIn({ event, timestamp, value, value_timestamp }: Fields): string | null {
  return text(event)?.endsWith('.changed') ? (text(value_timestamp) ?? text(value)) : text(timestamp);
}

function minute(value: unknown): string | undefined {
  const at = timeOf(value);
  return Number.isFinite(at) ? `${new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z` : undefined;
}

/** In ms since the epoch. A value without a time is before all other values. */
function timeOf(value: unknown): number {
  return readInstant(text(value))?.epochMs ?? -Infinity;
}
