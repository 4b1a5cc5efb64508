import * as z from 'zod/mini';
import { hasGone } from '../../domain/container-state.ts';
import { containerState, demurrageDays, type LastFreeDay, lastFreeDay, lastFreeDays } from '../../domain/index.ts';
import { included, number, objects, text } from '../../domain/record-values.ts';
import type { ContainerAttributes } from '../../model/index.ts';
import { nullableTexts } from '../schema.ts';
import { localInstant, textsAt } from './read.ts';

/** The attributes of a container from which its deadline and its fees are read. */
export type DeadlineFacts = NonNullable<Parameters<typeof demurrageDays>[0]> &
  Pick<
    ContainerAttributes,
    | 'pickup_lfd'
    | 'import_deadlines'
    | 'ind_facility_lfd_on'
    | 'pod_timezone'
    | 'final_destination_timezone'
    | 'pickup_appointment_at'
    | 'fees_at_pod_terminal'
    | 'holds_at_pod_terminal'
    | 'terminal_checked_at'
    | 'pod_last_tracking_request_at'
  >;

/** If the data of a deadline is older than this, the deadline is not shown as urgent. */
const STALE_AFTER_DAYS = 7;
/** If the data of a source is older than this, the data is mentioned. */
const OLD_AFTER_DAYS = 2;
const DAY_MS = 86_400_000;

export function demurrageSchema() {
  const numberOrNull = z.nullable(z.number());
  const listOf = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.nullable(z.array(z.object(shape)));
  return z.object({
    ...nullableTexts('pickup_lfd', 'pickup_lfd_local', 'pickup_appointment_at', 'fees_currency_code', 'urgency_reason'),
    last_free_days: z.object(nullableTexts('terminal', 'rail', 'line')),
    fees_at_pod_terminal: listOf({ ...nullableTexts('type', 'currency_code'), amount: numberOrNull }),
    fees_total_amount: numberOrNull,
    holds_at_pod_terminal: listOf(nullableTexts('name', 'status', 'description')),
    urgency: z.enum(['overdue', 'imminent', 'none', 'unknown']),
    urgency_suppressed: z.boolean(),
    days_until_lfd: numberOrNull,
  });
}

export function demurrageView(container: DeadlineFacts, trackingStopped: boolean, now: Date) {
  const lfd = lastDay(container, now);
  const fees = feesOf(container.fees_at_pod_terminal);
  return {
    pickup_lfd: lfd?.date ?? null,
    pickup_lfd_local: dayText(lfd),
    last_free_days: daysBySource(container, now),
    pickup_appointment_at: localInstant(container.pickup_appointment_at, container.pod_timezone),
    fees_at_pod_terminal: fees,
    ...sumOf(fees),
    holds_at_pod_terminal: holdsOf(container.holds_at_pod_terminal),
    ...urgencyOf(container, lfd?.daysLeft ?? null, trackingStopped, now),
  };
}

/** The last free day with its place, and the days left if the container is still at this place. */
export function lastDayOf(
  container: object,
  now: Date,
): { date: string; place: 'port' | 'inland'; daysLeft: number | undefined } | undefined {
  const lfd = readable(() => lastFreeDays(container, { now }))?.earliest;
  if (!lfd) return undefined;
  const { date, place, daysLeft } = lfd;
  return { date, place, daysLeft: hasLeft(container as DeadlineFacts, now) ? undefined : daysLeft };
}

/** The last free day on the calendar of the place, with its time zone. */
export function localDay(container: object, now: Date): string | null {
  return dayText(lastDay(container, now));
}

function dayText(lfd: LastFreeDay | null): string | null {
  return lfd && `${lfd.date} (${lfd.timezone ?? 'zone not known'})`;
}

/** The result of `read`; `null` if it throws, for example because a value is not a time. */
export function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function lastDay(container: Parameters<typeof lastFreeDay>[0], now: Date): LastFreeDay | null {
  return readable(() => lastFreeDay(container, { now }));
}

/** The last free day of each source, in local time of its place. */
function daysBySource(container: DeadlineFacts, now: Date) {
  const days = readable(() => lastFreeDays(container, { now }));
  return {
    terminal: days?.terminal?.date ?? null,
    rail: days?.railway?.date ?? null,
    line: days?.line?.date ?? null,
  };
}

function urgencyOf(container: DeadlineFacts, days: number | null, trackingStopped: boolean, now: Date) {
  const given = { days_until_lfd: days, urgency_suppressed: false, urgency_reason: null };
  if (days === null) return { ...given, urgency: 'unknown' as const, urgency_reason: 'No last free day is known.' };
  if (hasLeft(container, now)) {
    const isCollected = containerState(container).reasons.includes('gone');
    const reason = isCollected ? 'has been collected' : 'has left the place of this deadline';
    return { ...given, urgency: 'none' as const, urgency_reason: `The container ${reason}.` };
  }
  const doubt = doubtOf(container, trackingStopped, now);
  if (doubt) return { ...given, urgency: 'unknown' as const, urgency_suppressed: true, urgency_reason: doubt };
  if (days < 0) return { ...given, urgency: 'overdue' as const };
  return { ...given, urgency: days <= 3 ? ('imminent' as const) : ('none' as const) };
}

/**
 * True if the container has left the place of its deadline. A train ends the deadline of the port, but not the deadline
 * of the railway.
 */
function hasLeft(container: DeadlineFacts, now: Date): boolean {
  const state = readable(() => demurrageDays(container, { now }))?.state;
  return state === 'ended' || state === 'unknown';
}

/** The reason why a deadline may be out of date. */
function doubtOf(container: DeadlineFacts, trackingStopped: boolean, now: Date): string | undefined {
  if (trackingStopped) return 'Tracking with the shipping line has stopped.';
  const age = ageInDays(checkedAt(container), now);
  if (age === undefined) return 'There is no data of the terminal yet.';
  return age > STALE_AFTER_DAYS ? ageText({ source: 'terminal', days: Math.floor(age) }) : undefined;
}

/** A source whose data about a container is old, and the age of the data. */
export interface OldSource {
  source: 'terminal' | 'line';
  days: number;
}

/**
 * The sources with old data. The terminal is checked while the container is there. The line is checked until the
 * container has gone.
 */
export function oldSources(container: object, now: Date): OldSource[] {
  const { stage } = containerState(container);
  const { shipment, ...facts } = container as DeadlineFacts & { shipment?: unknown };
  const ages = {
    terminal: stage === 'at_port' || stage === 'at_inland' ? ageInDays(checkedAt(facts), now) : undefined,
    line: hasGone(stage) ? undefined : ageInDays(included(shipment)?.line_tracking_last_succeeded_at, now),
  };
  return (['terminal', 'line'] as const).flatMap(source => {
    const age = ages[source] ?? 0;
    return age > OLD_AFTER_DAYS ? { source, days: Math.floor(age) } : [];
  });
}

export function ageText({ source, days }: OldSource): string {
  return `The data of the ${source === 'line' ? 'shipping line' : source} is ${days} days old.`;
}

/** The days to a last free day, in words: `1 day left`, `2 days too late`. */
export function leftText(days: number): string {
  const count = Math.abs(days);
  return `${count} ${count === 1 ? 'day' : 'days'} ${days < 0 ? 'too late' : 'left'}`;
}

function checkedAt(
  container: Pick<DeadlineFacts, 'terminal_checked_at' | 'pod_last_tracking_request_at'>,
): string | null {
  return text(container.terminal_checked_at) ?? text(container.pod_last_tracking_request_at);
}

/** `undefined` if there is no such instant. */
function ageInDays(instant: unknown, now: Date): number | undefined {
  const at = Date.parse(text(instant) ?? '');
  return Number.isNaN(at) ? undefined : (now.getTime() - at) / DAY_MS;
}

function feesOf(value: unknown) {
  return objects(value)?.map(fee => ({ ...textsAt(fee, 'type', 'currency_code'), amount: number(fee.amount) })) ?? null;
}

/** A fee with the type `total` is the sum of the other fees. */
function sumOf(fees: ReturnType<typeof feesOf>) {
  if (!fees) return { fees_total_amount: null, fees_currency_code: null };
  const parts = fees.filter(({ type }) => type !== 'total');
  const counted = parts.length > 0 ? parts : fees;
  const currencies = new Set(counted.map(({ currency_code }) => currency_code));
  const [currency = null] = currencies;
  return {
    fees_total_amount: counted.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
    fees_currency_code: currencies.size === 1 ? currency : null,
  };
}

function holdsOf(value: unknown) {
  return objects(value)?.map(hold => textsAt(hold, 'name', 'status', 'description')) ?? null;
}
