const at = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hourCycle: 'h23', ...options });
const dayOnly = at({ day: 'numeric', month: 'short' });
const dayAndTime = at({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const everything = at({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

export const day = (iso: string) => dayOnly.format(new Date(iso));
export const dayTime = (iso: string) => dayAndTime.format(new Date(iso));
export const fullTime = (iso: string) => everything.format(new Date(iso));

const UNITS: readonly [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

/** A duration in ms in its largest units, one or two. */
export function span(ms: number, units = 1): string {
  const largest = UNITS.findIndex(([, length]) => ms >= length);
  if (largest === -1) return '0 s';
  let left = ms;
  const parts = UNITS.slice(largest, largest + units).map(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count > 0 ? `${count} ${unit}` : '';
  });
  return parts.filter(Boolean).join(' ');
}

const SHORT: Readonly<Record<string, string>> = { lfd: 'last free day', eta: 'ETA', pod: 'POD', pol: 'POL' };

/** The name of an event or a status in words. */
export function words(name: string): string {
  const short = name.replace(/^container\.(transport\.|(?=pickup_))/, '');
  const text = short
    .split(/[._\s]+/)
    .map(word => SHORT[word] ?? word)
    .join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A name such as `trackingRequests` in words. */
export const spaced = (name: string) => words(name.replace(/([A-Z])/g, ' $1').toLowerCase());

export const plural = (count: number, one: string) => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** Those of the texts that say something. */
export const joined = (...texts: (string | null)[]) => texts.filter(Boolean).join(' · ');
