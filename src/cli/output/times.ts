import { localTime } from '../../domain/local-time.ts';

/** A time on the clock of its place, with the zone; in UTC where the zone is not known. */
export function timeThere(at: string | null | undefined, zone: string | null | undefined): string | undefined {
  return localTime(at, zone || 'UTC')?.text;
}

/** A time on the clock of this machine, with the zone. */
export function timeHere(at: string | null | undefined): string | undefined {
  return timeThere(at, Intl.DateTimeFormat().resolvedOptions().timeZone);
}
