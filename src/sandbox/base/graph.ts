/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Records that lead to one another, as JSON: each record stands once in `records`, and references name its position. */
export interface Graph {
  /** What everything hangs on. */
  root: Json;
  /** The objects that it refers to, by their number. */
  records: Json[];
}

/** Keys of values that JSON does not have begin with this sign. Another key that begins with it gets one more. */
const SIGN = '@';

/**
 * @param nameOf The name of an object that is not part of the graph, such as a carrier.
 * @throws {TypeError} for a function.
 */
export function encodeGraph(root: unknown, nameOf: (object: object) => string | undefined): Graph {
  const positions = new Map<object, number>();
  const records: Json[] = [];
  const waiting: object[] = [];

  function reference(record: object): Json {
    let position = positions.get(record);
    if (position === undefined) {
      position = positions.size;
      positions.set(record, position);
      waiting.push(record);
    }
    return { [SIGN]: position };
  }

  function encode(value: unknown): Json {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : { [`${SIGN}number`]: String(value) };
    if (value instanceof Uint8Array) return { [`${SIGN}bytes`]: toBase64(value) };
    if (value instanceof RegExp) return { [`${SIGN}regexp`]: [value.source, value.flags] };
    if (Array.isArray(value)) return value.map(encode);
    if (typeof value !== 'object') throw new TypeError(`${typeof value} cannot be saved`);
    const name = nameOf(value);
    if (name !== undefined) return { [`${SIGN}name`]: name };
    return 'id' in value && typeof value.id === 'string' ? reference(value) : encodeFields(value);
  }

  function encodeFields(object: object): Json {
    const fields = Object.entries(object).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      fields.map(([key, value]) => [key.startsWith(SIGN) ? SIGN + key : key, encode(value)] as const),
    );
  }

  const encoded = encode(root);
  // More are added to them on the way.
  for (const record of waiting) records.push(encodeFields(record));
  return { root: encoded, records };
}

/** @throws {TypeError} for a graph that `encodeGraph` has not made. */
export function decodeGraph({ root, records }: Graph, named: (name: string) => object | undefined): unknown {
  const made: object[] = records.map(() => ({}));

  function decode(value: Json): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(decode);
    const [[key, content] = ['', null]] = Object.entries(value);
    if (!key.startsWith(SIGN) || key.startsWith(SIGN + SIGN)) return fill({}, value);
    switch (key.slice(SIGN.length)) {
      case '':
        return present(made[Number(content)]);
      case 'number':
        return Number(content);
      case 'bytes':
        return fromBase64(String(content));
      case 'regexp':
        return new RegExp(...(content as [string, string]));
      case 'name':
        return present(named(String(content)));
      default:
        throw new TypeError(`${key} is unknown`);
    }
  }

  function fill(object: object, fields: { [key: string]: Json }): object {
    for (const [key, value] of Object.entries(fields)) {
      const name = key.startsWith(SIGN) ? key.slice(SIGN.length) : key;
      // A field may have any name, `__proto__` too.
      Object.defineProperty(object, name, {
        value: decode(value),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    return object;
  }

  for (const [position, fields] of records.entries()) {
    fill(present(made[position]), fields as { [key: string]: Json });
  }
  return decode(root);
}

function present(object: object | undefined): object {
  if (object === undefined) throw new TypeError('a reference leads nowhere');
  return object;
}

const CHUNK = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0));
}
