interface Parts {
  /** Eleven characters, or ten if the check digit was left out: `MSCU1234566`. */
  number: string;
  /** Three letters, registered by the owner: `MSC`. */
  ownerCode: string;
  /** Equipment category: `U` container, `J` detachable equipment, `Z` trailer or chassis. Other letters violate the standard. */
  category: string;
  /** Six digits. */
  serial: string;
  /** The check digit in the text; `null` if it was left out. */
  checkDigit: number | null;
  /** The check digit that is computed from the ten characters before it. */
  expectedCheckDigit: number;
}

/** The result of {@link parseContainerNumber}. */
export type ContainerNumber =
  | (Parts & {
      valid: true;
      /** `U` for freight containers, `J` for equipment, `Z` for trailers and chassis. */
      category: 'U' | 'J' | 'Z';
      /** The last digit, which is computed from the other characters. */
      checkDigit: number;
    })
  /** The number is well-formed, but its category is not U, J or Z, or its check digit is wrong or missing. */
  | (Parts & {
      valid: false;
      /** The fault. */
      reason: 'category' | 'check_digit';
    })
  /** The text does not consist of four letters and six or seven digits. `number` is the text that was read. */
  | {
      valid: false;
      /** The fault. */
      reason: 'format';
      /** The text that was read. */
      number: string;
    };

const FORMAT = /^([A-Z]{3})([A-Z])(\d{6})(\d)?$/;

/** Spaces, dashes of any kind, and invisible characters. A number may contain them if it was copied from a document. */
const SEPARATORS = /[\s\p{Pd}\u2212\p{Cf}]/gu;

/**
 * Reads a container number as ISO 6346 defines it. Spaces, dashes and lower case are accepted. Never throws.
 *
 * @example
 * const container = parseContainerNumber('csqu 305438-3');
 * if (container.valid) container.number; // 'CSQU3054383'
 * else container.reason; // 'format' | 'category' | 'check_digit'
 */
export function parseContainerNumber(text: string): ContainerNumber {
  const number = typeof text === 'string' ? text.replace(SEPARATORS, '').toUpperCase() : '';
  const [, ownerCode, category, serial, digit] = FORMAT.exec(number) ?? [];
  if (ownerCode === undefined || category === undefined || serial === undefined) {
    return { valid: false, reason: 'format', number };
  }

  const expected = expectedCheckDigit(ownerCode + category + serial);
  const checkDigit = digit === undefined ? null : Number(digit);
  const parts = { number, ownerCode, category, serial, checkDigit, expectedCheckDigit: expected };

  if (category !== 'U' && category !== 'J' && category !== 'Z') return { valid: false, reason: 'category', ...parts };
  if (checkDigit !== expected) return { valid: false, reason: 'check_digit', ...parts };
  return { valid: true, ...parts, category, checkDigit };
}

/**
 * Converts a number to the form in which it is sent to the service: in capital letters and without spaces. Dashes are
 * removed only from container numbers, because they may be a part of other numbers.
 */
export function numberAsSent(text: string): string {
  const container = parseContainerNumber(text);
  const isWhole = container.valid || (container.reason !== 'format' && container.checkDigit !== null);
  return isWhole ? container.number : text.replace(/[\s\p{Cf}]/gu, '').toUpperCase();
}

/**
 * Converts a container number to the form in which the service stores it. Any other text may be a reference, so it is
 * not changed.
 */
export function numberAsStored(text: string): string {
  const container = parseContainerNumber(text);
  return container.valid ? container.number : text;
}

/** The value of a character is its index in this string. The standard skips the multiples of 11. */
const VALUES = '0123456789A_BCDEFGHIJK_LMNOPQRSTU_VWXYZ';

/** The check digit of the ten characters before it. */
export function expectedCheckDigit(tenCharacters: string): number {
  let sum = 0;
  for (let position = 0; position < tenCharacters.length; position++) {
    sum += VALUES.indexOf(tenCharacters.charAt(position)) * 2 ** position;
  }
  // A remainder of 10 is written as 0.
  return (sum % 11) % 10;
}
