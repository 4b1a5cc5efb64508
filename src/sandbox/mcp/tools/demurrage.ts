import { isRecord } from '../../../jsonapi/document.ts';
import { DAY } from '../../base/time.ts';
import type { Row } from '../rest.ts';

/** Data of the terminal that is older says nothing about today. */
const OLD_AFTER = 7 * DAY;

/**
 * Deadlines, fees and holds of a container. Its shipment is included.
 *
 * @param isPlain whether the last free day is that of the port alone, with its source, as in the later editions.
 */
export function demurrageOf(container: Row, now: number, isPlain = false) {
  const { attributes: a } = container;
  const deadlines = isRecord(a.import_deadlines) ? a.import_deadlines : {};
  const fees = Array.isArray(a.fees_at_pod_terminal) ? a.fees_at_pod_terminal.filter(isRecord) : null;
  const currencies = new Set(fees?.map(fee => fee.currency_code));
  const port = isRecord(deadlines.pod) && isRecord(deadlines.pod.unified) ? deadlines.pod.unified : {};
  const lastFreeDay = isPlain ? (port.current_value ?? null) : a.pickup_lfd;
  const timeZone = String(a.pod_timezone ?? 'UTC');
  const days = daysUntil(lastFreeDay, timeZone, now);
  const reason = reasonToDoubt(container, now);
  return {
    pickup_lfd: lastFreeDay,
    pickup_lfd_local: localText(lastFreeDay, a.pod_timezone),
    ...(isPlain && {
      pickup_lfd_source: port.current_selection ?? null,
      pickup_lfd_local_date: typeof lastFreeDay === 'string' ? dateOf(Date.parse(lastFreeDay), timeZone) : null,
    }),
    last_free_days: {
      terminal: deadlines.pickup_lfd_terminal ?? null,
      rail: deadlines.pickup_lfd_rail ?? null,
      line: deadlines.pickup_lfd_line ?? null,
    },
    pickup_appointment_at: a.pickup_appointment_at,
    fees_at_pod_terminal: fees,
    fees_total_amount: fees?.reduce((sum, fee) => sum + Number(fee.amount), 0) ?? null,
    fees_currency_code: currencies.size === 1 ? ([...currencies][0] ?? null) : null,
    holds_at_pod_terminal: a.holds_at_pod_terminal ?? null,
    urgency: reason === null ? urgencyOf(days) : 'unknown',
    urgency_suppressed: reason !== null,
    urgency_reason: reason,
    days_until_lfd: days,
  };
}

function urgencyOf(days: number | null): string {
  if (days === null) return 'unknown';
  if (days < 0) return 'overdue';
  return days <= 3 ? 'imminent' : 'none';
}

/** Why the deadlines may be out of date. */
function reasonToDoubt(container: Row, now: number): string | null {
  if (container.one('shipment')?.attributes.line_tracking_stopped_at)
    return 'The tracking of the shipment has stopped.';
  const checkedAt = Date.parse(String(container.attributes.terminal_checked_at));
  if (Number.isNaN(checkedAt)) return 'The terminal was never checked.';
  return now - checkedAt > OLD_AFTER ? 'The terminal was last checked more than 7 days ago.' : null;
}

/** Whole days of the calendar in a time zone. */
function daysUntil(instant: unknown, timeZone: string, now: number): number | null {
  const then = Date.parse(String(instant));
  if (Number.isNaN(then)) return null;
  return Math.round((dayOf(then, timeZone) - dayOf(now, timeZone)) / DAY);
}

function dayOf(instant: number, timeZone: string): number {
  return Date.parse(dateOf(instant, timeZone));
}

function dateOf(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(instant);
}

/** A time as text in a time zone. */
export function localText(instant: unknown, timeZone: unknown): string {
  const time = Date.parse(String(instant));
  if (Number.isNaN(time)) return 'N/A';
  const format = { timeZone: String(timeZone ?? 'UTC'), dateStyle: 'medium', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat('en-US', format).format(time);
}
