import * as s from '../schema/build.ts';
import { text } from './read.ts';

type Fields = Record<string, unknown>;

/** A related record, where it was sent in full. */
export function included(value: unknown): Fields | null {
  if (typeof value !== 'object' || value === null) return null;
  return Object.keys(value).some(key => key !== 'type' && key !== 'id') ? (value as Fields) : null;
}

export const terminalSchema = () =>
  s.nullable(
    s.object({
      id: s.string(),
      name: s.nullable(s.string()),
      nickname: s.nullable(s.string()),
      firms_code: s.nullable(s.string()),
    }),
  );

export function terminalView(value: unknown) {
  const terminal = included(value);
  if (!terminal) return null;
  return {
    id: text(terminal.id) ?? '',
    name: text(terminal.name),
    nickname: text(terminal.nickname),
    firms_code: text(terminal.firms_code),
  };
}

export const portDetailsSchema = () =>
  s.nullable(s.object({ id: s.string(), code: s.nullable(s.string()), country_code: s.nullable(s.string()) }));

export function portDetails(value: unknown) {
  const port = included(value);
  if (port?.type !== 'port') return null;
  return { id: text(port.id) ?? '', code: text(port.code), country_code: text(port.country_code) };
}
