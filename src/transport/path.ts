import { ConfigurationError } from '../errors.ts';

/** A path below the base URL and its parameters, not checked and not encoded yet. */
export interface Path {
  readonly parts: readonly string[];
  readonly parameters: readonly unknown[];
}

/** Makes a path from a template: path`/shipments/${id}/custom_fields`. A parameter is one segment, or another path. */
export function path(parts: TemplateStringsArray, ...parameters: unknown[]): Path {
  return { parts, parameters };
}

/**
 * The path, encoded.
 *
 * @throws {ConfigurationError} for a parameter that is not a string, is blank, or is `.` or `..`: the request would go to
 * another endpoint.
 */
export function encodePath({ parts, parameters }: Path): string {
  let encoded = parts[0] as string;
  for (let index = 0; index < parameters.length; index += 1) {
    encoded += segment(parameters[index], encoded) + (parts[index + 1] as string);
  }
  return encoded;
}

/** The path with placeholders for its parameters: `/shipments/{id}`. */
export function routeOf({ parts, parameters }: Path): string {
  return parts.reduce((route, part, index) => {
    const parameter = parameters[index - 1];
    return route + (isPath(parameter) ? routeOf(parameter) : '{id}') + part;
  });
}

function segment(value: unknown, before: string): string {
  if (typeof value !== 'string') {
    if (isPath(value)) return encodePath(value);
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

/** Checks the shape, because a caller without a compiler may pass any object as an id. */
function isPath(value: unknown): value is Path {
  return typeof value === 'object' && value !== null && Array.isArray((value as Partial<Path>).parts);
}

/** A path that is encoded already. */
export function rawPath(text: string): Path {
  return { parts: [typeof text === 'string' ? text : ''], parameters: [] };
}

/** @throws {ConfigurationError} for a path that hides a query or leaves the base URL. */
export function checkPath(text: string): void {
  const isPlain = typeof text === 'string' && /^\/(?!\/)[^\s?#\\]*$/.test(text);
  if (!isPlain || /\/(\.|%2e){1,2}(\/|$)/i.test(text)) {
    throw new ConfigurationError(
      'path must begin with one slash and hold no query, fragment or dot segments. Pass parameters as query.',
    );
  }
}
