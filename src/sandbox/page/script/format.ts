/** How times, durations and names read. */
export const format = String.raw`
const at = options => new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hourCycle: 'h23', ...options });
const dayOnly = at({ day: 'numeric', month: 'short' });
const dayAndTime = at({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const everything = at({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
const toSeconds = at({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

export const day = iso => dayOnly.format(new Date(iso));
export const dayTime = iso => dayAndTime.format(new Date(iso));
export const fullTime = iso => everything.format(new Date(iso));
export const seconds = iso => toSeconds.format(new Date(iso));

/**@type {[string, number][]} */
const UNITS = [['d', 86400000], ['h', 3600000], ['min', 60000], ['s', 1000]];

// A duration in its largest units, one or two.
export function span(ms, units = 1) {
  const largest = UNITS.findIndex(([, length]) => ms >= length);
  if (largest === -1) return '0 s';
  let left = ms;
  const parts = UNITS.slice(largest, largest + units).map(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count > 0 ? count + ' ' + unit : '';
  });
  return parts.filter(Boolean).join(' ');
}

const SHORT = { lfd: 'last free day', eta: 'ETA', pod: 'POD', pol: 'POL' };

// The name of an event or a status in words.
export function words(name) {
  const short = name.replace(/^container\.(transport\.|(?=pickup_))/, '');
  const text = short.split(/[._\s]+/).map(word => SHORT[word] ?? word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const plural = (count, one) => count.toLocaleString('en') + ' ' + one + (count === 1 ? '' : 's');
`;
