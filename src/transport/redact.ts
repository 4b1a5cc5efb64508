import { printable } from '../printable.ts';

/** A text, possibly with its escapes decoded. */
export interface Reading {
  text: string;
  /**
   * The index of each character in the original text, and then the length of that text. It is absent for the original
   * text itself.
   */
  starts?: Uint32Array;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Escapes in URLs, in HTML, and in strings of JSON and JavaScript. First group: a hexadecimal number. Second: other escapes. */
const ESCAPES = [
  /%([0-9a-f]{2})/gi,
  /&(?:#x([0-9a-f]+)|#?(\d+|amp|lt|gt|quot|apos));/gi,
  /\\(?:(?:u00|x)([0-9a-f]{2})|([^a-z0-9]))/gi,
];
/** Number of nested escapes that are decoded: a text may be escaped more than once. */
const DEPTH = 2;

/** Yields the text itself, and then the text in which the escapes of each kind are decoded, up to `depth` times. */
export function* readings(reading: Reading, depth = DEPTH): Generator<Reading> {
  yield reading;
  if (depth === 0) return;
  for (const pattern of ESCAPES) {
    const plain = unescaped(reading, pattern);
    if (plain) yield* readings(plain, depth - 1);
  }
}

function unescaped({ text, starts: before }: Reading, pattern: RegExp): Reading | undefined {
  if (text.search(pattern) === -1) return undefined;
  const starts = new Uint32Array(text.length + 1);
  let [result, length, end] = ['', 0, 0];
  const add = (part: string, at: number) => {
    for (let i = 0; i <= part.length; i++) starts[length + i] = before ? (before[at + i] as number) : at + i;
    length += part.length;
    result += part;
  };
  for (const { 0: escaped, 1: hex, 2: other = '', index } of text.matchAll(pattern)) {
    add(text.slice(end, index), end);
    add(
      hex ? character(Number.parseInt(hex, 16)) : (NAMED[other.toLowerCase()] ?? (+other ? character(+other) : other)),
      index,
    );
    end = index + escaped.length;
  }
  add(text.slice(end), end);
  return { text: result, starts };
}

const character = (code: number) => String.fromCharCode(code);

/** A part of a text. `end` is exclusive. */
export type Span = [start: number, end: number];

/** A text that must not be shown. */
export interface Secret {
  /** The needles for a text of this length. There are none if the text is too short for the secret. */
  fittingIn(length: number): readonly Needle[];
}

/** One form of a secret that a text may contain. */
export interface Needle {
  /** @param text in lower case. */
  spans(text: string): Span[];
}

/**
 * Minimum length of a secret that is also found inside words. A shorter secret may be part of ordinary words, so it
 * matches only whole words.
 */
const LONG_SECRET = 8;
/**
 * The search uses only this number of characters from the start of a spelling. If a text contains these characters, it
 * contains a part of the credential.
 */
const PREFIX = 16;

/** The places of secrets in a text. The time is linear in the length of the text, for every text. */
export function spansOf(secrets: readonly Secret[], given: string): Span[] {
  const spans: Span[] = [];
  const needles = secrets.flatMap(secret => secret.fittingIn(given.length));
  if (needles.length === 0) return spans;
  for (const { text, starts } of readings({ text: given })) {
    const lower = lowerCase(text);
    for (const needle of needles) {
      for (const [start, end] of needle.spans(lower)) {
        spans.push(starts ? [starts[start] as number, starts[end] as number] : [start, end]);
      }
    }
  }
  return spans;
}

/** The spellings of a secret: plain text and base64. */
export class Spellings implements Secret {
  readonly #secret: string;
  #needles: Needle[] | undefined;

  constructor(secret: string) {
    this.#secret = secret;
  }

  fittingIn(length: number): readonly Needle[] {
    const secret = this.#secret;
    if (secret === '' || secret.length > length) return [];
    this.#needles ??=
      secret.length < LONG_SECRET
        ? [new Spelling(secret, true)]
        : [secret, ...inBase64(secret)].map(spelling => new Spelling(spelling));
    return this.#needles;
  }
}

/** One spelling. Upper and lower case are equal. */
class Spelling implements Needle {
  readonly #text: string;
  readonly #prefix: string;
  readonly #isWord: boolean;

  constructor(text: string, isWord = false) {
    this.#text = lowerCase(text);
    this.#prefix = this.#text.slice(0, PREFIX);
    this.#isWord = isWord;
  }

  /** Finds each occurrence of the prefix. A span ends where the text differs from the spelling. */
  spans(text: string): Span[] {
    const spans: Span[] = [];
    for (let start = text.indexOf(this.#prefix); start !== -1; start = text.indexOf(this.#prefix, start + 1)) {
      let end = start + this.#prefix.length;
      while (end - start < this.#text.length && text.charCodeAt(end) === this.#text.charCodeAt(end - start)) end += 1;
      if (!(this.#isWord && isInWord(text, start, end))) spans.push([start, end]);
    }
    return spans;
  }
}

function isInWord(text: string, start: number, end: number): boolean {
  return /[a-z0-9]/.test(text.charAt(start - 1) + text.charAt(end));
}

/** The part of a secret that is always visible in base64, for each of the three offsets at which the secret may begin. */
export function inBase64(secret: string): string[] {
  const bytes = Array.from(new TextEncoder().encode(secret), byte => String.fromCharCode(byte)).join('');
  return [0, 1, 2].flatMap(shift => {
    const text = btoa('\0'.repeat(shift) + bytes);
    const own = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/**
 * The text in lower case, in which each character keeps its index: a few letters outside ASCII would become two
 * characters.
 */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, part => part.toLowerCase());
}

const MASK = '[credential]';

/** Upper bound that protects the stack from a hostile error body. Normal bodies are not nested so deeply. */
const MAX_DEPTH = 64;

/**
 * Masks credentials in texts of the service or of other code. An error body may repeat a header, in plain or encoded
 * form.
 */
export class Redactor {
  readonly #secrets: readonly Secret[];

  constructor(secrets: readonly Secret[]) {
    this.#secrets = secrets;
  }

  static of(secrets: readonly string[]): Redactor {
    return new Redactor(secrets.map(secret => new Spellings(secret)));
  }

  /** A redactor that also masks these secrets. */
  with(secrets: readonly Secret[]): Redactor {
    return new Redactor([...this.#secrets, ...secrets]);
  }

  text(text: string): string {
    return masked(text, spansOf(this.#secrets, text));
  }

  /** A copy of a JSON value in which every string is masked, including the keys. */
  value<Value>(value: Value): Value {
    return this.#masked(value, 0) as Value;
  }

  /**
   * A copy of the headers in which every value is masked. If the name of a header contains a credential, the header is
   * left out.
   */
  headers(headers: Headers): Headers {
    const copy = new Headers();
    for (const [name, value] of headers) {
      if (this.text(name) === name) copy.append(name, this.text(value));
    }
    return copy;
  }

  /**
   * A masked copy of a foreign error. It has only the name, message, stack, code and causes of the error, because the
   * error may contain the request.
   */
  error(error: unknown): Error {
    try {
      return this.#copied(error, 0);
    } catch {
      return new Error('The thrown value cannot be read.');
    }
  }

  #copied(error: unknown, depth: number): Error {
    if (!isError(error)) {
      return new Error(typeof error === 'string' ? this.text(printable(error)) : 'The thrown value is not an Error.');
    }
    const { name, message, stack, code, cause, errors } = error;
    const copied = (inner: unknown) => this.#copied(inner, depth + 1);
    const masked = (text: unknown) => (typeof text === 'string' ? this.text(printable(text)) : '');
    const lines = typeof stack === 'string' ? stack.split('\n') : [];
    const options = cause === undefined || depth > 4 ? {} : { cause: copied(cause) };
    const copy =
      Array.isArray(errors) && depth <= 4
        ? new AggregateError(errors.slice(0, 8).map(copied), masked(message), options)
        : new Error(masked(message), options);
    copy.name = masked(name);
    copy.stack = this.text(lines.map(printable).join('\n'));
    return typeof code === 'string' ? Object.assign(copy, { code: masked(code) }) : copy;
  }

  #masked(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.text(`${value}`) === `${value}` ? value : MASK;
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MAX_DEPTH) return '[too deep]';
    if (Array.isArray(value)) return value.map(item => this.#masked(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.text(key), this.#masked(item, depth + 1)]),
    );
  }
}

/** True for errors of any realm: in some test runners each test has its own globals, and `fetch` throws errors of another realm. */
function isError(error: unknown): error is { [Key in keyof AggregateError | 'code']?: unknown } {
  return error instanceof Error || Object.prototype.toString.call(error) === '[object Error]';
}

function masked(text: string, spans: Span[]): string {
  let [result, end] = ['', 0];
  for (const [start, next] of spans.sort(([a], [b]) => a - b)) {
    // Overlapping spans get one mask.
    if (start >= end) result += text.slice(end, start) + MASK;
    end = Math.max(end, next);
  }
  return result + text.slice(end);
}

/**
 * Addresses with a path or a query in messages about the storage. The storage uses signed addresses, and a signed
 * address gives access without a credential.
 */
export const ADDRESSES: Secret = {
  fittingIn: () => [
    {
      spans: text =>
        Array.from(text.matchAll(/https?:\/\/[^\s"<>`/?#]*[/?#][^\s"<>`]+/g), ({ 0: address, index }) => [
          index,
          index + address.length,
        ]),
    },
  ],
};
