import { type Span, Spellings, spansOf } from './spellings.ts';

const MASK = '[credential]';

/** No error body nests deeper for a good reason, and a hostile one must not exhaust the stack. */
const MAX_DEPTH = 64;

/** Masks credentials in what comes from outside: an error body may echo a header, also encoded. */
export class Redactor {
  readonly #secrets: readonly Spellings[];

  constructor(secrets: readonly Spellings[]) {
    this.#secrets = secrets;
  }

  static of(secrets: readonly string[]): Redactor {
    return new Redactor(secrets.map(secret => new Spellings(secret)));
  }

  text(text: string): string {
    return masked(text, spansOf(this.#secrets, text));
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

function masked(text: string, spans: Span[]): string {
  let [result, end] = ['', 0];
  for (const [start, next] of spans.sort(([a], [b]) => a - b)) {
    // Those that overlap are one.
    if (start >= end) result += text.slice(end, start) + MASK;
    end = Math.max(end, next);
  }
  return result + text.slice(end);
}
