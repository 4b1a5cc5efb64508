import { DAY, HOUR } from '../base/time.ts';

/** Calculations in the local time of IANA time zones. */
export interface Calendar {
  /** The first moment of a local day: the day that contains an instant, or the day `daysLater` days later. */
  midnight(zone: string, instant: number, daysLater?: number): number;
  /**
   * The instant itself if the gates are open. They are open from 07:00 to 18:00 local time, Monday to Saturday.
   * Otherwise a time after the gates have opened.
   */
  atOpenGate(zone: string, instant: number): number;
}

export function createCalendar(): Calendar {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const offsets = new Map<string, Map<number, number>>();

  function formatOf(zone: string): Intl.DateTimeFormat {
    let format = formats.get(zone);
    if (format === undefined) {
      format = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
      });
      formats.set(zone, format);
    }
    return format;
  }

  function lookUpOffset(zone: string, instant: number): number {
    const part: Record<string, number> = {};
    for (const { type, value } of formatOf(zone).formatToParts(instant)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute) - instant;
  }

  /**
   * Local time minus UTC, in ms. `Intl` is slow, so the offset is stored for each hour. Time zones change their offset
   * only on the hour.
   */
  function offsetAt(zone: string, instant: number): number {
    let known = offsets.get(zone);
    if (known === undefined) {
      known = new Map();
      offsets.set(zone, known);
    }
    const hour = Math.floor(instant / HOUR);
    let offset = known.get(hour);
    if (offset === undefined) {
      offset = lookUpOffset(zone, hour * HOUR);
      known.set(hour, offset);
    }
    return offset;
  }

  function fromLocal(zone: string, local: number): number {
    const guess = local - offsetAt(zone, local);
    return local - offsetAt(zone, guess);
  }

  return {
    midnight(zone, instant, daysLater = 0) {
      const local = instant + offsetAt(zone, instant);
      return fromLocal(zone, (Math.floor(local / DAY) + daysLater) * DAY);
    },
    atOpenGate(zone, instant) {
      const local = instant + offsetAt(zone, instant);
      let day = Math.floor(local / DAY);
      let timeOfDay = local - day * DAY;
      if (timeOfDay >= 18 * HOUR) {
        day += 1;
        timeOfDay -= 11 * HOUR;
      } else if (timeOfDay < 7 * HOUR) {
        timeOfDay += 7 * HOUR;
      }
      // Day 0, the first of January 1970, was a Thursday.
      const isSunday = (day + 4) % 7 === 0;
      return fromLocal(zone, (isSunday ? day + 1 : day) * DAY + timeOfDay);
    },
  };
}
