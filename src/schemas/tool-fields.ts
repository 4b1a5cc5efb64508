import * as z from 'zod/mini';
import { textOrNull, texts } from './fields.ts';

/** What the results of MCP tools are made of, beside the fields of attributes. */

export const textsOrNull = z.nullable(texts);
export const maybeText = z.optional(textOrNull);

/** An object of keys that may all be `null`. */
export function texted<const Name extends string>(...names: Name[]) {
  return z.looseObject(Object.fromEntries(names.map(name => [name, textOrNull])) as Record<Name, typeof textOrNull>);
}
