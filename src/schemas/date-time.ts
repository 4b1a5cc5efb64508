import * as z from 'zod/mini';

const DATE = z.regexes.date.source;
const DATE_TIME = z.regexes.datetime({ offset: true, local: true }).source;

/** ISO 8601 with `Z`, with an offset or without, also with a fraction. A day stands for its start. */
export const dateTimePattern = new RegExp(`${DATE_TIME}|${DATE}`);

const COLON = 58;
const DASH = 45;
const T = 84;
const Z = 90;

/**
 * Whether a text fits `dateTimePattern`. The form in which nearly every time comes, such as `2026-03-09T03:04:40Z`, is read
 * here, which takes a third of the time; all others are left to the pattern, and so are the days that not every month has.
 */
export function isDateTime(text: string): boolean {
  return isUsual(text) || dateTimePattern.test(text);
}

function isUsual(text: string): boolean {
  if (text.length !== 20 || text.charCodeAt(19) !== Z || text.charCodeAt(10) !== T) return false;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return false;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return false;
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  return (
    twoDigits(text, 0) <= 99 &&
    twoDigits(text, 2) <= 99 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= 28 &&
    twoDigits(text, 11) <= 23 &&
    twoDigits(text, 14) <= 59 &&
    twoDigits(text, 17) <= 59
  );
}

/** The number that two digits form; what is not a digit makes it too large for everything. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100;
}
