const MASK = '[credential]';

/** Masks the credentials wherever they stand in a value that came from outside: an error body may echo a header. */
export function redact<Value>(value: Value, secrets: readonly string[]): Value {
  if (secrets.length === 0) return value;
  return masked(value, secrets) as Value;
}

function masked(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') {
    return secrets.reduce((text, secret) => text.replaceAll(secret, MASK), value);
  }
  if (Array.isArray(value)) return value.map(item => masked(item, secrets));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [masked(key, secrets), masked(item, secrets)]),
    );
  }
  return value;
}

/** A copy of an error that a library threw, with its name, message, code and causes only: it may hold the request. */
export function whitelisted(error: unknown, secrets: readonly string[], depth = 0): Error {
  if (!(error instanceof Error)) return new Error(redact(String(error), secrets));
  const { code } = error as Error & { code?: unknown };
  const options = error.cause === undefined || depth > 4 ? {} : { cause: whitelisted(error.cause, secrets, depth + 1) };
  const message = redact(error.message, secrets);
  const copy =
    error instanceof AggregateError
      ? new AggregateError(
          error.errors.slice(0, 8).map(item => whitelisted(item, secrets, depth + 1)),
          message,
          options,
        )
      : new Error(message, options);
  copy.name = error.name;
  copy.stack = redact(error.stack, secrets) ?? '';
  return typeof code === 'string' ? Object.assign(copy, { code }) : copy;
}
