import { localTime } from 'container-tracking-sdk';

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** `12 Mar` for a calendar day. */
export const dayText = (date: string) => DAY.format(new Date(`${date}T00:00:00Z`));

/** `12 Mar` on the calendar of a place. */
export function localDay(at: string, timezone: string | null): string {
  const local = localTime(at, timezone);
  return local ? dayText(local.date) : '';
}

/** `12 Mar, 09:30`, in UTC. */
export function utcText(at: string): string {
  const local = localTime(at, 'UTC');
  return local ? `${dayText(local.date)}, ${local.time ?? ''}` : '';
}

export const clockText = (now: Date) => CLOCK.format(now);

/** `On ship` for `on_ship`. */
export function words(name: string): string {
  const text = name.replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export function money(amount: number, currency: string | null | undefined): string {
  if (!currency) return amount.toFixed(2);
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(amount);
}
