/** The usual spelling of a container, booking or bill of lading number: in upper case, without spaces and hyphens. */
export function compact(number: string): string {
  return number.replace(/[\s-]/g, '').toUpperCase();
}

/** The usual spelling of a container number. A text of another form is left as it is. */
export function asContainerNumber(text: string): string {
  const number = compact(text);
  return isContainerNumber(number) ? number : text;
}

const FORMAT = /^[A-Z]{3}[UJZ]\d{7}$/;

/** True if a text has the form of a container number. The check digit may be wrong. */
export function isContainerNumber(text: string): boolean {
  return FORMAT.test(text);
}

export function hasRightCheckDigit(number: string): boolean {
  return withCheckDigit(number.slice(0, 10)) === number;
}

/** Appends the check digit of ISO 6346 to owner code, category and serial number. */
export function withCheckDigit(ten: string): string {
  const sum = [...ten].reduce((total, character, index) => total + letterValue(character) * 2 ** index, 0);
  return `${ten}${(sum % 11) % 10}`;
}

/** A is 10. Multiples of 11 are skipped, so B is 12, L is 23 and V is 34. */
function letterValue(character: string): number {
  const value = Number.parseInt(character, 36);
  if (value <= 10) return value;
  return value + 1 + Math.floor((value - 11) / 10);
}
