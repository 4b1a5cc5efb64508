import { ResponseFormatError } from '../errors.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import type { Exchange } from './call.ts';
import { requestIdOf } from './failure.ts';

/** The error for an answer that arrived but cannot be used. */
export function formatError(
  { call, response, redactor }: Exchange,
  message: string,
  details: { mismatches?: readonly SchemaMismatch[]; isForeign?: boolean } = {},
): ResponseFormatError {
  const { method, path } = call.endpoint;
  return new ResponseFormatError(`${method} ${path}: ${message}`, {
    status: response.status,
    method,
    path,
    requestId: requestIdOf(response, redactor),
    ...details,
  });
}
