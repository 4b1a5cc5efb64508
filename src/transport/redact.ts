const MASK = '[credential]';

/** A shorter secret may be part of an ordinary word, so it is masked only where it stands by itself. */
const LONG_SECRET = 8;

/** No error body nests deeper for a good reason, and a hostile one must not exhaust the stack. */
const MAX_DEPTH = 64;

/** Masks the credentials wherever they stand in a value that came from outside: an error body may echo a header. */
export function redact<Value>(value: Value, secrets: readonly string[]): Value {
  return masked(value, secrets.map(occurrences), 0) as Value;
}

function occurrences(secret: string): RegExp {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(secret.length < LONG_SECRET ? `(?<![a-z0-9])${literal}(?![a-z0-9])` : literal, 'gi');
}

function masked(value: unknown, secrets: readonly RegExp[], depth: number): unknown {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replace(secret, MASK), value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map(item => masked(item, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [masked(key, secrets, depth), masked(item, secrets, depth + 1)]),
  );
}

/** A copy of headers that came from outside, with the credentials masked. */
export function redactHeaders(headers: Headers, secrets: readonly string[]): Headers {
  const copy = new Headers();
  for (const [name, value] of headers) {
    if (redact(name, secrets) === name) copy.append(name, redact(value, secrets));
  }
  return copy;
}

/** A copy of an error that foreign code threw, with its name, message, code and causes only: it may hold the request. */
export function whitelisted(error: unknown, secrets: readonly string[], depth = 0): Error {
  if (!(error instanceof Error)) {
    return new Error(typeof error === 'string' ? redact(error, secrets) : 'What was thrown is not an Error.');
  }
  const { code } = error as Error & { code?: unknown };
  const copied = (inner: unknown) => whitelisted(inner, secrets, depth + 1);
  const options = error.cause === undefined || depth > 4 ? {} : { cause: copied(error.cause) };
  const message = redact(error.message, secrets);
  const copy =
    error instanceof AggregateError && depth <= 4
      ? new AggregateError(error.errors.slice(0, 8).map(copied), message, options)
      : new Error(message, options);
  copy.name = redact(error.name, secrets);
  copy.stack = redact(error.stack, secrets) ?? '';
  return typeof code === 'string' ? Object.assign(copy, { code: redact(code, secrets) }) : copy;
}
