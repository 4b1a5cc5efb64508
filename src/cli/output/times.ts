import { type LocalTime, localTime } from '../../domain/local-time.ts';
import { Cell } from './cell.ts';

/** A time on the clock of its place, with the time zone; in UTC if the time zone is not known. */
export function timeThere(at: string | null | undefined, zone: string | null | undefined): Cell | undefined {
  return timeCell(localTime(at, zone || 'UTC'));
}

/** A time on the clock of this machine, with the time zone. */
export function timeHere(at: string | null | undefined): Cell | undefined {
  return timeThere(at, zoneHere());
}

/** The time zone of this machine. */
export const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A local time. Its form for programs is ISO 8601 with the offset: `2026-03-12T09:30-04:00`. */
export function timeCell(local: LocalTime | null | undefined): Cell | undefined {
  if (!local) return undefined;
  const { date, time, offset, text } = local;
  return new Cell(text, time === null ? date : `${date}T${time}${offset ?? ''}`);
}

/** The day of a time for people, and the time for programs. */
export function dayCell(local: LocalTime | null | undefined): Cell | undefined {
  return local ? new Cell(local.date, timeCell(local)?.data) : undefined;
}
