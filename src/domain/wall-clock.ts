export interface WallClock {
  /** `YYYY-MM-DD` */
  date: string;
  /** `HH:MM` */
  time: string;
  /** `+05:30` */
  offset: string;
  /** `EDT`, or `CET`, or `GMT+5:30` if the time zone has no short name in English. */
  abbreviation: string;
}

/** The clock of a time zone at an instant, or `undefined` if the runtime does not know the time zone. */
export function wallClock(epochMs: number, zone: string): WallClock | undefined {
  const { formatter, clocks } = remembered(zones, zone, () => ({
    formatter: createFormatter(zone),
    clocks: new Map(),
  }));
  return formatter && remembered(clocks, epochMs, () => readClock(epochMs, zone, formatter));
}

function readClock(epochMs: number, zone: string, formatter: Intl.DateTimeFormat): WallClock {
  const part = Object.fromEntries(formatter.formatToParts(epochMs).map(({ type, value }) => [type, value]));
  const local = `${part.year?.padStart(4, '0')}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}Z`;
  const minutes = Math.round((Date.parse(local) - epochMs) / 60_000);
  const offset = (minutes < 0 ? '-' : '+') + new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  return { date: local.slice(0, 10), time: local.slice(11, 16), offset, abbreviation: part.timeZoneName ?? zone };
}

interface Zone {
  formatter: Intl.DateTimeFormat | undefined;
  /** Many records have the same deadline, and all deadlines are compared with the same present. */
  clocks: Map<number, WallClock>;
}

/** Creating a formatter takes 20 times as long as using it, and each formatter needs about 50 kB of memory. */
const zones = new Map<string, Zone>();
const MAX_REMEMBERED = 128;

function remembered<K, T>(values: Map<K, T>, key: K, make: () => T): T {
  if (!values.has(key)) {
    if (values.size >= MAX_REMEMBERED) values.clear();
    values.set(key, make());
  }
  return values.get(key) as T;
}

function createFormatter(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    // American English has no short names for European time zones, such as CET.
    return new Intl.DateTimeFormat(/^Eu/.test(timeZone) ? 'en-GB' : 'en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    });
  } catch {
    // The only possible error here is an unknown time zone.
    return undefined;
  }
}
