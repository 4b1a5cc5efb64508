import { type APIError, ConnectionError, TrackingError } from '../../errors.ts';
import { reasonOf } from '../../internal/connection-failure.ts';
import { readErrorText } from '../../transport/body.ts';
import { failureOf } from '../../transport/failure.ts';
import { Redactor } from '../../transport/redact.ts';

/** One request to the storage. Its URL is signed: it is a credential, so no error may contain it. */
export interface StorageRequest {
  method: string;
  url: string;
  signal: AbortSignal;
}

/** The error for a response whose status is not 2xx. */
export async function responseError(response: Response, { method, url, signal }: StorageRequest): Promise<APIError> {
  // The status is known, even if the rest of the response never arrives.
  const text = await readErrorText(response, signal).catch(() => '');
  return failureOf({ response, text, method, url, path: '(storage)', attempts: 1, redactor: redactorFor(url) });
}

/** The error for a request that failed: the reason of its signal, an error of ours, or else a `ConnectionError`. */
export function requestError(error: unknown, { method, url, signal }: StorageRequest): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof TrackingError) return error;
  const cause = redactorFor(url).error(error);
  return new ConnectionError(`${method} (storage): no response: ${reasonOf(cause, 'storage')}`, { cause });
}

/** After a redirect it is unknown whether the file was stored. Another attempt would be redirected too. */
export function redirectError(): TrackingError {
  return new TrackingError('PUT (storage): unexpected redirect', { code: 'redirected' });
}

/** Masks the URL and each value of its query, encoded and decoded: an error page may repeat the signature alone. */
function redactorFor(url: string): Redactor {
  const { href, search, searchParams } = new URL(url);
  const decoded = [...searchParams.values()];
  const encoded = search.match(/(?<==)[^&]+/g) ?? [];
  const secrets = [url, href, ...decoded, ...encoded].filter(value => value.length >= 16);
  return Redactor.of(secrets);
}
