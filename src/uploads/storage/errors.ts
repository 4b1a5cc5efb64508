import { type APIError, ConnectionError, TrackingError } from '../../errors.ts';
import { reasonOf } from '../../internal/connection-failure.ts';
import { readErrorText } from '../../transport/body.ts';
import { failureOf } from '../../transport/failure.ts';
import { Redactor } from '../../transport/redact.ts';
import { secretsOf } from './secrets.ts';

/** In characters. No more than this is kept of what a storage says. */
const MAX_TEXT = 4096;

/** One request to the storage. Its URL is signed: it is a credential, so no error may contain its path or its query. */
export interface StorageRequest {
  method: string;
  url: string;
  signal: AbortSignal;
}

/** What errors name of a request to the storage. */
export function storageAt(url: string): string {
  return `(storage at ${new URL(url).host})`;
}

/** The error for a response whose status is not 2xx. */
export async function responseError(response: Response, { method, url, signal }: StorageRequest): Promise<APIError> {
  // The status is known, even if the rest of the response never arrives.
  const text = said(await readErrorText(response, signal).catch(() => ''));
  // After a redirect, another address is signed.
  const redactor = new Redactor(secretsOf(url, ...(URL.canParse(response.url) ? [response.url] : [])));
  return failureOf({ response, text, method, url, path: storageAt(url), attempts: 1, redactor });
}

/** The error for a request that failed: the reason of its signal, an error of ours, or else a `ConnectionError`. */
export function requestError(error: unknown, { method, url, signal }: StorageRequest): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof TrackingError) return error;
  const cause = new Redactor(secretsOf(url)).error(error);
  return new ConnectionError(`${method} ${storageAt(url)}: no response: ${reasonOf(cause, 'storage')}`, { cause });
}

/** After a redirect it is unknown whether the file was stored. Another attempt would be redirected too. */
export function redirectError(url: string): TrackingError {
  return new TrackingError(`PUT ${storageAt(url)}: unexpected redirect`, { code: 'redirected' });
}

/** An error of a storage in XML repeats the request, also as bytes in hexadecimal numbers. Its code and message are enough. */
function said(text: string): string {
  if (!/^\s*<(?:\?xml|Error\b)/i.test(text)) return text.slice(0, MAX_TEXT);
  const of = (name: string) => new RegExp(`<${name}>([^<]{0,${MAX_TEXT}})`).exec(text)?.[1]?.trim();
  return [of('Code'), of('Message')].filter(Boolean).join(': ');
}
