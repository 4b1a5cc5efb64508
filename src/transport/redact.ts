const MASK = '[credential]';

/** A shorter secret may be part of an ordinary word, so it is masked only where it stands by itself. */
const LONG_SECRET = 8;

/** No error body nests deeper for a good reason, and a hostile one must not exhaust the stack. */
const MAX_DEPTH = 64;

/** Masks credentials in what comes from outside: an error body may echo a header, also encoded. */
export class Redactor {
  readonly #secrets: readonly string[];
  #pattern: RegExp | undefined;

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  text(text: string): string {
    // Most calls succeed and have nothing to mask, so the pattern is compiled with the first one that has.
    this.#pattern ??= new RegExp(this.#secrets.flatMap(spellings).join('|') || '(?!)', 'gi');
    return text.replace(this.#pattern, MASK);
  }

  /** A copy of a JSON value with every text in it masked, keys included. */
  value<Value>(value: Value): Value {
    return this.#masked(value, 0) as Value;
  }

  /** A copy. A header whose name holds a credential is left out. */
  headers(headers: Headers): Headers {
    const copy = new Headers();
    for (const [name, value] of headers) {
      if (this.text(name) === name) copy.append(name, this.text(value));
    }
    return copy;
  }

  /** A copy of an error that foreign code threw, with its name, message, code and causes only: it may hold the request. */
  error(error: unknown): Error {
    try {
      return this.#copied(error, 0);
    } catch {
      return new Error('What was thrown cannot be read.');
    }
  }

  #copied(error: unknown, depth: number): Error {
    if (!isError(error)) {
      return new Error(typeof error === 'string' ? this.text(error) : 'What was thrown is not an Error.');
    }
    const { name, message, stack, code, cause, errors } = error;
    const copied = (inner: unknown) => this.#copied(inner, depth + 1);
    const masked = (text: unknown) => (typeof text === 'string' ? this.text(text) : '');
    const options = cause === undefined || depth > 4 ? {} : { cause: copied(cause) };
    const copy =
      Array.isArray(errors) && depth <= 4
        ? new AggregateError(errors.slice(0, 8).map(copied), masked(message), options)
        : new Error(masked(message), options);
    copy.name = masked(name);
    copy.stack = masked(stack);
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

/** Errors of another realm too: what `fetch` throws in a test runner that gives each test its own globals. */
function isError(error: unknown): error is { [Key in keyof AggregateError | 'code']?: unknown } {
  return error instanceof Error || Object.prototype.toString.call(error) === '[object Error]';
}

/** Patterns for a secret as it is, and as a page, a script, an address or a header may spell it. */
function spellings(secret: string): string[] {
  if (secret.length < LONG_SECRET) return [`(?<![a-z0-9])${literal(secret)}(?![a-z0-9])`];
  const forms = [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    ...inBase64(secret),
  ];
  // The longer ones first: a pattern takes the first of its alternatives that fits.
  return [...new Set(forms)].sort((a, b) => b.length - a.length).map(form => escapable(form));
}

/** HTML writes some characters by name or by number; a text in JSON, after backslashes or by number. */
const IN_HTML: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function escapable(text: string): string {
  return Array.from(text, character => {
    const name = IN_HTML[character];
    if (!name && /[a-z0-9%]/i.test(character)) return character;
    const code = character.charCodeAt(0);
    const named = name ? `&${name};|` : '';
    const hex = code.toString(16);
    // A few backslashes: as many as there are would take time that grows with the square of their number.
    return `(?:\\\\{0,3}${literal(character)}|${named}&#0*${code};|&#x0*${hex};|\\\\{1,3}u00${hex})`;
  }).join('');
}

/** What of a secret can be recognised inside a base64 text, at each of the three places where it may begin. */
function inBase64(secret: string): string[] {
  const bytes = Array.from(new TextEncoder().encode(secret), byte => String.fromCharCode(byte)).join('');
  return [0, 1, 2].flatMap(shift => {
    const text = btoa('\0'.repeat(shift) + bytes);
    const own = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
