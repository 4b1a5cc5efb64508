import { dateOf, dayNumber } from '../domain/calendar.ts';
import type { ContainerFilter, DayFilter } from '../model/index.ts';
import type { CheckedOptions } from './options.ts';

/**
 * The filter of containers that may be on a list. These containers are tracked, and are not known to be returned,
 * delivered or picked up inland.
 */
export const TRACKED = {
  actively_tracked: true,
  // `picked_up_at` would leave out containers that continue by rail.
  final_destination_full_out_at: { exists: false },
  delivered_at: { exists: false },
  empty_returned_at: { exists: false },
} as const satisfies ContainerFilter;

/**
 * Filters that together select every container of the wanted lists. They also select some other containers, because the
 * service cannot compare local days, and cannot check every rule of the lists. Empty if no filter except `TRACKED`
 * selects all of these containers.
 */
export function preselections(wanted: CheckedOptions, now: Date): ContainerFilter[] {
  if (wanted.ready || wanted.late || wanted.silent) return [];
  return [
    ...(wanted.held ? [{ ...TRACKED, has_holds: true }] : []),
    ...(wanted.demurrage || wanted.lastFreeDay ? deadlines(wanted, now) : []),
  ];
}

/**
 * The sources of a last free day. Each source needs its own filter, because `pickup_lfd` is not always the earliest
 * day. `ind_facility_lfd_on` is an older name of the railway's day.
 */
const SOURCES = [
  'pickup_lfd',
  'pickup_lfd_line_on',
  'pickup_lfd_line_effective_on',
  'pickup_lfd_terminal_on',
  'pickup_lfd_terminal_effective_on',
  'pickup_lfd_rail_on',
] as const satisfies (keyof ContainerFilter)[];

/**
 * A last free day is a local day. The service compares the UTC date of the moment when this day begins. This UTC date
 * is the same as the local day, or the day before it. The local day of today is the same as the UTC day, or the day
 * before or after it.
 */
function deadlines({ demurrage, lastFreeDay }: CheckedOptions, now: Date): ContainerFilter[] {
  const today = dayNumber(now.toISOString().slice(0, 10));
  const days: DayFilter = {
    ...(demurrage ? {} : { gte: dateOf(today - 2) }),
    lte: dateOf(today + 1 + (lastFreeDay?.within ?? 0)),
  };
  return SOURCES.map(source => ({ ...TRACKED, [source]: days }));
}
