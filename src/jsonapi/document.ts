/** The wire format: what a JSON:API document looks like before it is linked. Every member but `type` and `id` may be missing. */

export interface ResourceIdentifier {
  type: string;
  id: string;
}

export interface WireRelationship {
  data?: ResourceIdentifier | ResourceIdentifier[] | null;
  links?: unknown;
  meta?: unknown;
}

export interface WireResource extends ResourceIdentifier {
  attributes?: Record<string, unknown>;
  relationships?: Record<string, WireRelationship | undefined>;
  links?: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

/** Page addresses of a list. Keys that do not apply are missing (api/errors-and-limits.md section 5). */
export interface DocumentLinks {
  self?: string;
  current?: string;
  first?: string;
  prev?: string;
  next?: string;
  last?: string;
  [name: string]: unknown;
}

/** Counters of a list. The service leaves out some or all of them (api/errors-and-limits.md section 5). */
export interface DocumentMeta {
  /** Records in this page. */
  size?: number;
  /** Records in all pages. */
  total?: number;
  pagination?: { current?: number; next?: number; last?: number; records?: number };
  [name: string]: unknown;
}

export interface WireDocument<Data = WireResource | WireResource[] | null> {
  data: Data;
  included?: WireResource[];
  links?: DocumentLinks;
  meta?: DocumentMeta;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isIdentifier(value: unknown): value is ResourceIdentifier {
  return isRecord(value) && typeof value.type === 'string' && typeof value.id === 'string';
}

/** The word, or an escape of one of its letters. Other escapes are common: some services write `&` as one. */
const MAY_HOLD_PROTO = /__proto__|\\u00(?:5f|6f|7[024])/i;

/**
 * JSON.parse that drops every key `__proto__`, so that no later copy or merge of a record can reach a prototype.
 * The reviver is slow, so it runs only for a text that can hold such a key, spelled plainly or with escapes.
 */
export function parseJson(text: string): unknown {
  return MAY_HOLD_PROTO.test(text)
    ? JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
    : JSON.parse(text);
}
