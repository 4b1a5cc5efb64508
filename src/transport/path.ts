import { ConfigurationError } from '../errors.ts';

/**
 * Gives a path below the base URL, encoded. It is asked when the call starts, so that a bad id rejects the promise of the
 * call instead of throwing beside it.
 */
export type Path = () => string;

/**
 * A path with its parameters: path`/shipments/${id}/custom_fields`. A parameter is one segment, or a path itself.
 *
 * The path throws a `ConfigurationError` for a parameter that is not a string, is blank, or is `.` or `..`: it would
 * address another endpoint than the one that was called.
 */
export function path(parts: TemplateStringsArray, ...parameters: unknown[]): Path {
  return () => parts.reduce((encoded, part, index) => encoded + segment(parameters[index - 1], encoded) + part);
}

function segment(value: unknown, before: string): string {
  if (typeof value === 'function') return value();
  if (typeof value !== 'string') {
    const found = value === null ? 'null' : typeof value;
    throw new ConfigurationError(`The id in ${before}… is ${found}; it must be a string.`);
  }
  if (value.trim() === '' || value === '.' || value === '..') {
    throw new ConfigurationError(`The id in ${before}… is ${JSON.stringify(value)}; it must name one record.`);
  }
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new ConfigurationError(`The id in ${before}… is not well-formed text.`, { cause });
  }
}

/** A path that the caller has encoded. It throws a `ConfigurationError` for one that hides a query or leaves the base URL. */
export function rawPath(text: string): Path {
  return () => {
    const segments = typeof text === 'string' ? text.split('/') : [];
    const dots = segments.some(part => /^(\.|%2e){1,2}$/i.test(part));
    if (!/^\/(?!\/)[^\s?#\\]*$/.test(text) || dots) {
      throw new ConfigurationError(
        'path must begin with one slash and hold no query, fragment or dot segments. Pass parameters as query.',
      );
    }
    return text;
  };
}
