import * as z from 'zod/mini';
import { localTime } from '../../domain/index.ts';
import { nullableTexts } from '../schema.ts';

/** Values of a record as a model gets them. The service may send anything in any field: what has another type is `null`. */

/** Longer texts are cut, since nobody knows what the service puts into a field. */
const MAX_CHARACTERS = 1_000;

export function text(value: unknown): string | null {
  return typeof value === 'string' ? clipped(value) : null;
}

/** The texts of a record under these names. */
export function textsAt<Name extends string>(record: object, ...names: Name[]): Record<Name, string | null> {
  return Object.fromEntries(names.map(name => [name, text((record as Fields)[name])])) as Record<Name, string | null>;
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

/** The objects of a list; `null` for anything else. */
export function objects(value: unknown): Record<string, unknown>[] | null {
  if (!Array.isArray(value)) return null;
  return value.filter(item => typeof item === 'object' && item !== null && !Array.isArray(item));
}

/** The calendar and the clock of the place: `2026-03-12 00:00 EDT`. */
export function local(instant: unknown, zone: unknown): string {
  return localTime(text(instant), text(zone))?.text ?? 'N/A';
}

function clipped(value: string): string {
  const seen = visible(value);
  return seen.length > MAX_CHARACTERS ? `${seen.slice(0, MAX_CHARACTERS)}… «cut»` : seen;
}

/**
 * A text without what a model reads and its user does not see: control characters but those between words, and characters
 * that are drawn as nothing, or that turn the direction of what follows. Somebody may have put a message to the model into
 * them. Joiners stay between letters, which some scripts need. The marks « and » are ours: no record can write them.
 */
export function visible(value: string): string {
  return value.replaceAll(UNSEEN, '');
}

const UNSEEN =
  /(?!(?<=[\p{L}\p{M}])[\u200C\u200D](?=\p{L}))[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}«»]|[^\P{Cc}\t\n\r]/gu;

/** A text of a record within a text of ours: between marks as data, unless it is one word. */
export function quoted(value: string): string {
  const line = inLine(value);
  return /^[\w.:+/-]*$/.test(line) ? line : `«${line}»`;
}

/** A text as part of a line: it begins no other. */
export function inLine(value: string): string {
  return value.replaceAll(/\s+/g, ' ').trim();
}

type Fields = Record<string, unknown>;

/** A related record, where it was sent in full. */
export function included(value: unknown): Fields | null {
  if (typeof value !== 'object' || value === null) return null;
  return Object.keys(value).some(key => key !== 'type' && key !== 'id') ? (value as Fields) : null;
}

export const terminalSchema = () =>
  z.nullable(z.object({ id: z.string(), ...nullableTexts('name', 'nickname', 'firms_code') }));

export function terminalView(value: unknown) {
  const terminal = included(value);
  return terminal && { id: text(terminal.id) ?? '', ...textsAt(terminal, 'name', 'nickname', 'firms_code') };
}

export const portDetailsSchema = () =>
  z.nullable(z.object({ id: z.string(), ...nullableTexts('code', 'country_code') }));

export function portDetails(value: unknown) {
  const port = included(value);
  return port?.type === 'port' ? { id: text(port.id) ?? '', ...textsAt(port, 'code', 'country_code') } : null;
}
