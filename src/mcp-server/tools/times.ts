import { readInstant } from '../../domain/instant.ts';
import { quoted, short, visible } from '../../domain/record-values.ts';
import { wallClock } from '../../domain/wall-clock.ts';
import { ToolFailure } from '../failure.ts';

/** The days and times in arguments. All tools accept the same words. */

const DAY_MS = 86_400_000;

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

/** Matches `2d`, `3 hours ago`, `1.days.ago` and `last 24 hours`. */
const SPAN = /^(?:(?:the )?(?:last|past) )?(\d{1,3})[ .]?(m|min|minute|h|hr|hour|d|day|w|week)s?([ .]ago)?$/;

/** Matches `in 3 days`, `3 days from now` and `3.days.from_now`. */
const AHEAD = /^(?:in (\d{1,3}) ?(d|day|w|week)s?|(\d{1,3})[ .]?(d|day|w|week)s?[ .]from[ ._]now)$/;

const NEAR: Readonly<Record<string, string>> = { yesterday: '1.days.ago', tomorrow: '1.days.from_now' };

/** The time in ms before now, such as `3 hours ago`. */
function spanIn(words: string): number | undefined {
  const [, count, unit = ''] = SPAN.exec(words) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit.charAt(0)] ?? 0);
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** A day in the words of the service, which compares UTC days. Words that are not known are returned unchanged. */
export function dayIn(value: string, now: Date): string {
  const words = value.trim().toLowerCase();
  const span = spanIn(words);
  if (span !== undefined) return span % DAY_MS === 0 ? `${span / DAY_MS}.days.ago` : dateOf(now.getTime() - span);
  const [, inCount, inUnit, count = inCount, unit = inUnit] = AHEAD.exec(words) ?? [];
  if (count !== undefined) return `${Number(count) * (unit?.startsWith('w') ? 7 : 1)}.days.from_now`;
  const at = words.includes('t') ? readInstant(value.trim()) : undefined;
  return at ? dateOf(at.epochMs) : (NEAR[words] ?? value.trim());
}

const BOUNDS: Readonly<Record<string, string>> = { '>=': 'gte', '<=': 'lte', '>': 'gt', '<': 'lt' };

/** A day, or one or two bounds: `<=3.days.from_now`, `>=2026-11-23 <=2026-11-29`. */
export function daysIn(
  name: string,
  value: string,
  now: Date,
): string | { gte?: string; gt?: string; lte?: string; lt?: string } {
  const dayOf = (day: string) => {
    const span = SPAN.exec(day.trim().toLowerCase());
    if (!span || span[3]) return dayIn(day, now);
    throw new ToolFailure(
      'invalid_request',
      `${name}: ${quoted(visible(day.trim()))} may be in the past or in the future. Write "in 7 days" or "7 days ago", or bounds such as ">=today <=7.days.from_now".`,
    );
  };
  if (!/^\s*[<>]/.test(value)) return dayOf(value);
  const bounds = Array.from(value.matchAll(/([<>]=?)([^<>]*)/g), ([, bound = '', day = '']) => [
    BOUNDS[bound],
    dayOf(day),
  ]);
  if (bounds.length > 2 || bounds.some(([, day]) => !day || /\s/.test(day))) {
    throw new ToolFailure(
      'invalid_request',
      `${name} must be a day or bounds, such as 2026-11-23, <=3.days.from_now or ">=today <=7.days.from_now".`,
    );
  }
  return Object.fromEntries(bounds);
}

/** A time, or a day as a date. Relative days are converted, because the service accepts only times here. */
export function momentIn(name: string, value: string, now: Date): string {
  const at = readInstant(value.trim());
  if (at) return value.includes('T') ? new Date(at.epochMs).toISOString() : value.trim();
  const day = dayIn(value, now);
  const [, count = '0', direction] = /^(?:today|(\d{1,4})\.days\.(ago|from_now))$/.exec(day) ?? [undefined, undefined];
  if (day === 'today' || direction)
    return dateOf(now.getTime() + Number(count) * DAY_MS * (direction === 'ago' ? -1 : 1));
  if (readInstant(day)) return day;
  const message = `${name} is ${quoted(visible(value))}; it must be a day such as 2026-10-01, yesterday or 3.days.ago.`;
  throw new ToolFailure('invalid_request', message);
}

/** A moment in the past. A day, or a time without a time zone, is a day or a time in the time zone `zone`. */
export function sinceOf(value: string | undefined, now: Date, zone: string): Date {
  const words = value?.trim().toLowerCase() || '1.days.ago';
  const span = spanIn(words);
  const daysAgo = ['today', 'yesterday'].indexOf(words);
  const today = Date.parse(wallClock(now.getTime(), zone)?.date ?? '');
  const day = dateOf(today - daysAgo * DAY_MS);
  const at =
    span !== undefined
      ? now.getTime() - span
      : momentOf(daysAgo < 0 ? words.toUpperCase().replace(' ', 'T') : day, zone);
  if (at !== undefined && at <= now.getTime()) return new Date(at);
  throw new ToolFailure(
    'invalid_request',
    `since must be a time in the past, such as yesterday, "3 hours ago", 2d, 2026-11-23, or 2026-11-23T10:00 (${zone} unless it has a zone).`,
  );
}

function momentOf(text: string, zone: string): number | undefined {
  const read = readInstant(text);
  if (!read || /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text)) return read?.epochMs;
  // The second step is for a change of the clock between UTC and the local time.
  const offset = (at: number) => offsetMs(wallClock(at, zone)?.offset ?? '+00:00');
  return read.epochMs - offset(read.epochMs - offset(read.epochMs));
}

const offsetMs = (offset: string) => Date.parse(`1970-01-01T00:00:00${offset}`) * -1;

/** @throws {ToolFailure} for a name that is not a time zone. */
export function zoneOf(zone: string): string {
  if (wallClock(0, zone)) return zone;
  throw new ToolFailure(
    'invalid_request',
    `time_zone must be an IANA name, such as America/New_York, not ${quoted(short(zone) ?? '')}.`,
  );
}
