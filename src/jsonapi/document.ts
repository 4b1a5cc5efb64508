/** The wire format: a JSON:API document before it is linked. Every member except `type` and `id` may be missing. */

export interface ResourceIdentifier {
  /** Name of the resource type, such as `container`. */
  type: string;
  /** Id of the record. */
  id: string;
}

export interface WireRelationship {
  data?: ResourceIdentifier | ResourceIdentifier[] | null;
  links?: unknown;
  meta?: unknown;
}

/** A record of a JSON:API document, as the service sends it. */
export interface WireResource extends ResourceIdentifier {
  /** Attributes of the record. */
  attributes?: Record<string, unknown>;
  /** References to related records. */
  relationships?: Record<string, WireRelationship | undefined>;
  /** Addresses of the record. */
  links?: Record<string, unknown>;
  /** Other information about the record. */
  meta?: Record<string, unknown>;
}

/** Page addresses of a list. Keys that do not apply are missing (docs/service/lists.md#links). */
export interface DocumentLinks {
  /** The requested address. */
  self?: string;
  /** This page. */
  current?: string;
  /** The first page. */
  first?: string;
  /** The previous page. */
  prev?: string;
  /** The next page; missing on the last page. */
  next?: string;
  /** The last page. */
  last?: string;
  [name: string]: unknown;
}

/** Counters of a list. The service leaves out some or all of them (docs/service/lists.md#counters). */
export interface DocumentMeta {
  /** Number of records on this page. */
  size?: number;
  /** Number of records on all pages. */
  total?: number;
  /** Page numbers. Only some lists have these numbers. */
  pagination?: {
    /** Number of this page. */
    current?: number;
    /** Number of the next page. */
    next?: number;
    /** Number of the last page. */
    last?: number;
    /** Number of records on all pages. */
    records?: number;
  };
  [name: string]: unknown;
}

/** A JSON:API document, as the service sends it. */
export interface WireDocument<Data = WireResource | WireResource[] | null> {
  /** The record, the records, or `null`. */
  data: Data;
  /** The included records. */
  included?: WireResource[];
  /** Addresses of the document, such as the next page of a list. */
  links?: DocumentLinks;
  /** Other information about the document, such as the counters of a list. */
  meta?: DocumentMeta;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isIdentifier(value: unknown): value is ResourceIdentifier {
  return isRecord(value) && typeof value.type === 'string' && typeof value.id === 'string';
}

/** This is a pattern, because `includes()` takes five times as long in a text with many underscores. */
const PLAIN_PROTO = /"__proto__"\s*:/;

/** An escape of a character of `__proto__`. Other escapes are common: some services escape every `&`. */
const ESCAPED_LETTER = /\\u00(?:5f|6f|7[024])/i;

/**
 * Parses JSON and drops every key `__proto__`, so that no later copy or merge of a record can change a prototype. The parsed
 * value is searched only if the text can contain such a key, written plainly or with escapes.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const mayHoldProto = PLAIN_PROTO.test(text) || (text.includes('\\u00') && ESCAPED_LETTER.test(text));
  if (mayHoldProto) dropProto(value);
  return value;
}

/**
 * Works without recursion, because a document may be nested more deeply than the stack allows. The reviver of
 * `JSON.parse` is recursive.
 */
function dropProto(root: unknown): void {
  const left = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
    for (const item of Object.values(value)) left.push(item);
  }
}
