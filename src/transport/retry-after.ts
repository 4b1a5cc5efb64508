/** `Date.parse` also reads `-5` or `1.5` as dates, and a date without a zone as local time; HTTP dates have neither. */
const HTTP_DATE = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? .*\d\d:\d\d:\d\d/i;

/**
 * Reads a `Retry-After` header: seconds, whole or with a fraction, or an HTTP date.
 *
 * @param now ms since the epoch; give the response's own `Date` where there is one, so that a wrong local clock is no matter.
 * @returns Milliseconds from `now`, with no upper bound; `undefined` for what is absent, negative, past or unreadable.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  if (!HTTP_DATE.test(text)) return undefined;
  const date = Date.parse(/ (?:gmt|utc)$/i.test(text) ? text : `${text} GMT`);
  return date > now ? date - now : undefined;
}
