import * as z from 'zod/mini';
import { MILESTONE_LABELS } from '../../domain/milestone-labels.ts';
import { included, joined, text } from '../../domain/record-values.ts';
import { changedValues, wordsOf } from '../../domain/timeline-changes.ts';
import { optionalTexts, textOrNull } from '../schema.ts';
import { labelText } from './changes.ts';
import { clock, localInstant, said, timeText } from './read.ts';

/** Events of a container, as data and as lines. */

export type EventFields = Record<string, unknown>;

/** The event from which each milestone is read. Events of transshipments have other names. */
const MILESTONES = {
  vessel_loaded_at: 'vessel_loaded',
  vessel_departed_at: 'vessel_departed',
  vessel_arrived_at: 'vessel_arrived',
  discharged_at: 'vessel_discharged',
  rail_loaded_at: 'rail_loaded',
  rail_departed_at: 'rail_departed',
  rail_arrived_at: 'rail_arrived',
  gate_out_at: 'full_out',
  delivered_at: 'delivered',
  empty_returned_at: 'empty_in',
} as const;

type Milestones = { -readonly [N in keyof typeof MILESTONES]?: string | null };

export const eventSchema = () =>
  z.object({
    event: z.string(),
    timestamp: textOrNull(),
    estimated: z.optional(z.boolean()),
    ...optionalTexts('from', 'to', 'vessel', 'voyage_number'),
    location: z.nullable(z.object(optionalTexts('name', 'code', 'type'))),
  });

type EventView = ReturnType<typeof eventView>;

/** The events that were not invalidated, the earliest first. */
export function timelineOf(events: readonly EventFields[]): EventFields[] {
  return events.filter(({ invalidated_at }) => !invalidated_at).sort((a, b) => timeOf(a) - timeOf(b) || 0);
}

/** An event. If the event changes a value, the value before the change comes from `timeline`. */
export function eventView(event: EventFields, timeline: readonly EventFields[]) {
  const location = included(event.location);
  const { from, to } = changedValues(event, timeline.slice(0, timeline.indexOf(event)));
  const name = text(event.event) ?? 'unknown';
  const place = {
    name: text(location?.name) ?? undefined,
    code: text(location?.code) ?? text(event.location_locode) ?? undefined,
    type: text(location?.type) ?? undefined,
  };
  return {
    event: name,
    timestamp: localInstant(event.timestamp, event.timezone),
    estimated: name.includes('.estimated.') || undefined,
    from: from && timeText(from),
    to: to && timeText(to),
    vessel: text(included(event.vessel)?.name) ?? undefined,
    voyage_number: text(event.voyage_number) ?? undefined,
    location: place.name || place.code ? place : null,
  };
}

/** An event as one line, in the same words as in `list_changes`. */
export function eventLine({ event, timestamp, from, to, location, vessel, voyage_number }: EventView): string {
  const isChange = event.endsWith('.changed');
  return joined([
    clock(timestamp) || 'no time',
    labelText(wordsOf({ event })),
    isChange && joined([from, to ?? 'not known'], ' → '),
    location && joined([said(location.name), said(location.code)], ' '),
    said(vessel),
    voyage_number && `voyage ${said(voyage_number)}`,
  ]);
}

/** In ms since the epoch. An event without a time comes last. */
function timeOf({ timestamp }: EventFields): number {
  const time = Date.parse(text(timestamp) ?? '');
  return Number.isNaN(time) ? Infinity : time;
}

/**
 * The milestones that have been reached. If an event occurs several times, the latest time counts, because a later report
 * corrects an earlier one.
 */
export function milestonesOf(events: readonly EventFields[]): Milestones {
  const times: Milestones = {};
  for (const [milestone, name] of Object.entries(MILESTONES)) {
    const reports = events.filter(({ event }) => event === `container.transport.${name}`);
    const event = reports.findLast(report => Number.isFinite(timeOf(report))) ?? reports.at(-1);
    if (event) times[milestone as keyof typeof MILESTONES] = localInstant(event.timestamp, event.timezone);
  }
  return times;
}

/** The milestones in one line: `Loaded on vessel 2026-03-01 09:00 +09:00`. */
export function milestonesLine(milestones: Milestones): string {
  const parts = Object.entries(milestones).map(
    ([name, at]) => at && `${MILESTONE_LABELS[MILESTONES[name as keyof Milestones]]} ${clock(at)}`,
  );
  return joined(parts);
}
