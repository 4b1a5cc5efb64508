import { printable } from '../printable.ts';
import { type Secret, type Span, Spellings, spansOf } from './spellings.ts';

const MASK = '[credential]';

/** Protects the stack from a hostile error body. No normal body is nested so deeply. */
const MAX_DEPTH = 64;

/** Masks credentials in what the service or other code sends: an error body may repeat a header, plainly or encoded. */
export class Redactor {
  readonly #secrets: readonly Secret[];

  constructor(secrets: readonly Secret[]) {
    this.#secrets = secrets;
  }

  static of(secrets: readonly string[]): Redactor {
    return new Redactor(secrets.map(secret => new Spellings(secret)));
  }

  /** One that masks more. */
  with(secrets: readonly Secret[]): Redactor {
    return new Redactor([...this.#secrets, ...secrets]);
  }

  text(text: string): string {
    return masked(text, spansOf(this.#secrets, text));
  }

  /** A copy of a JSON value with every string masked, including the keys. */
  value<Value>(value: Value): Value {
    return this.#masked(value, 0) as Value;
  }

  /** A copy of the headers with every value masked. A header whose name contains a credential is left out. */
  headers(headers: Headers): Headers {
    const copy = new Headers();
    for (const [name, value] of headers) {
      if (this.text(name) === name) copy.append(name, this.text(value));
    }
    return copy;
  }

  /** A masked copy of an error of other code, with only its name, message, stack, code and causes: it may contain the request. */
  error(error: unknown): Error {
    try {
      return this.#copied(error, 0);
    } catch {
      return new Error('What was thrown cannot be read.');
    }
  }

  #copied(error: unknown, depth: number): Error {
    if (!isError(error)) {
      return new Error(typeof error === 'string' ? this.text(printable(error)) : 'What was thrown is not an Error.');
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

/** Also recognises errors of another realm: in some test runners each test has its own globals, and `fetch` throws such errors. */
function isError(error: unknown): error is { [Key in keyof AggregateError | 'code']?: unknown } {
  return error instanceof Error || Object.prototype.toString.call(error) === '[object Error]';
}

function masked(text: string, spans: Span[]): string {
  let [result, end] = ['', 0];
  for (const [start, next] of spans.sort(([a], [b]) => a - b)) {
    // Spans that overlap get one mask.
    if (start >= end) result += text.slice(end, start) + MASK;
    end = Math.max(end, next);
  }
  return result + text.slice(end);
}
