/**
 * Values of a record as texts of limited length. The service may send any value in any field: a value of a wrong type is
 * `null`.
 */

/** Longer texts are cut, because the service may send texts of any length. */
const MAX_CHARACTERS = 300;

/** A text value, cut if it is too long; `null` for any other value. */
export function text(value: unknown): string | null {
  return typeof value === 'string' ? clipped(value) : null;
}

export function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function flag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap(item => text(item) ?? []) : [];
}

/** The objects of a list; `null` for any other value. */
export function objects(value: unknown): Record<string, unknown>[] | null {
  if (!Array.isArray(value)) return null;
  return value.filter(item => typeof item === 'object' && item !== null && !Array.isArray(item));
}

/** The known parts as one line. */
export function joined(parts: readonly (string | number | false | null | undefined)[], between = ', '): string {
  return parts.filter(part => part !== '' && part != null && part !== false).join(between);
}

/** A number of things: `1 day`, `2 days`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${Math.abs(count) === 1 ? '' : 's'}`;
}

function clipped(value: string): string {
  const seen = inLine(visible(value));
  return seen.length > MAX_CHARACTERS ? `${seen.slice(0, MAX_CHARACTERS)}… «cut»` : seen;
}

/**
 * A text without the characters that a model reads but its user does not see: control characters except whitespace, invisible
 * characters, and characters that change the direction of the text. They may hide a message to the model. Joiners between
 * letters stay, because some scripts need them. The marks « and » are also removed, so that no record can contain them.
 */
export function visible(value: string): string {
  return value.replaceAll(UNSEEN, '');
}

const UNSEEN =
  /(?!(?<=[\p{L}\p{M}])[\u200C\u200D](?=\p{L}))[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}«»]|[^\P{Cc}\t\n\r]/gu;

/**
 * A string value of a record, in a form that is safe in a message of this package. It is marked as data with « and », unless it is one word or a
 * time.
 */
export function quoted(value: string): string {
  const line = inLine(value);
  return /^[\w.:+/-]*$/.test(line) || TIME.test(line) ? line : `«${line}»`;
}

/** `2026-03-10 01:00 PDT`, `2026-03-10 13:52 GMT+5:30`, `2026-03-10 01:00 -07:00`, `2026-03-10 (America/Chicago)`. */
const TIME = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d(?: [A-Z]{0,5}(?:[+-]\d{1,2}(?::\d\d)?)?)?| \([\w/+-]{1,40}\))?$/;

/** A text as part of a line, without line breaks. */
export function inLine(value: string): string {
  return value.replaceAll(/\s+/g, ' ').trim();
}

type Fields = Record<string, unknown>;

/** A related record, if the service sent more than its type and id. */
export function included(value: unknown): Fields | null {
  if (typeof value !== 'object' || value === null) return null;
  return Object.keys(value).some(key => key !== 'type' && key !== 'id') ? (value as Fields) : null;
}

/**
 * A text of a record, in a form that can be a part of a message of this package. Marks inside the text, such as «cut»,
 * become parentheses. Otherwise they would end the marks around the text.
 */
export function shown(value: string): string {
  return quoted(value.replaceAll(/«([^»]*)»/g, '($1)'));
}

const MAX_CELL_CHARACTERS = 120;

/** A text, shortened for a cell. */
export function short(value: unknown): string | undefined {
  const said = text(value) || undefined;
  return said === undefined || said.length <= MAX_CELL_CHARACTERS
    ? said
    : `${said.slice(0, MAX_CELL_CHARACTERS)}… «cut»`;
}

/** Returns the values of a text in which commas separate the values. */
export function several(value: string): string[] {
  return value
    .split(',')
    .map(item => item.trim())
    .filter(Boolean);
}
