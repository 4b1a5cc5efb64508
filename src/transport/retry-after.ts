/** This pattern is stricter than `Date.parse`, which also reads `-5` and `1.5` as dates. */
const HTTP_DATE = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? .*\d\d:\d\d:\d\d/i;

/**
 * Reads a `Retry-After` header: seconds, whole or with a fraction, or an HTTP date.
 *
 * @param now ms since the epoch. Pass the `Date` header of the response if it has one: the local clock may be wrong.
 * @returns Milliseconds from `now`, with no upper bound; `undefined` if the header is absent, negative, past or not valid.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  if (!HTTP_DATE.test(text)) return undefined;
  const date = Date.parse(/ (?:gmt|utc)$/i.test(text) ? text : `${text} GMT`);
  return date > now ? date - now : undefined;
}
