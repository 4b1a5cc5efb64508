import { ConfigurationError } from '../errors.ts';
import type { Query } from '../jsonapi/query.ts';
import type { RequestOptions } from '../options.ts';
import type { Path } from './path.ts';

export const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** The media type of every body but the webhook trigger's (SPEC.md). */
export const JSON_API = 'application/vnd.api+json';
export const PLAIN_JSON = 'application/json';

/** One call before it is sent. */
export interface CallRequest {
  method: Method;
  path: Path;
  /** Made when the call starts, like the body, so that bad input rejects the promise of the call. */
  query?: (() => Query) | undefined;
  body?: (() => unknown) | undefined;
  /** @default 'application/vnd.api+json' */
  contentType?: typeof JSON_API | typeof PLAIN_JSON | undefined;
  options?: RequestOptions | undefined;
  /**
   * Whether a second request does no more than the first.
   * @default what the method promises: not for POST and PATCH
   */
  repeatable?: boolean | undefined;
}

/** The body as JSON. @throws {ConfigurationError} for one that cannot be sent. */
export function serialized({ method, body }: CallRequest): string | undefined {
  const content = body?.();
  if (content === undefined) return undefined;
  if (method === 'GET' || method === 'HEAD') throw new ConfigurationError(`A ${method} request cannot have a body.`);
  let text: string | undefined;
  try {
    text = JSON.stringify(content);
  } catch (cause) {
    throw new ConfigurationError('The body cannot be written as JSON.', { cause });
  }
  if (text === undefined) throw new ConfigurationError(`The body is a ${typeof content}, which JSON cannot hold.`);
  return text;
}
