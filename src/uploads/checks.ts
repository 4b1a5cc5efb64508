import { ConfigurationError } from '../errors.ts';
import { milliseconds, optionalFunction, optionalSignal, shown } from '../internal/arguments.ts';
import { resolveRetry } from '../transport/settings.ts';
import type { Transport } from '../transport/transport.ts';
import type { PutOptions, UploadItem } from './options.ts';

/** How bytes are to be sent; where an option is missing, as the client does. */
export function checkedPut(options: PutOptions, { storage }: Pick<Transport, 'storage'>) {
  return {
    signal: optionalSignal(options.signal),
    onProgress: optionalFunction('onProgress', options.onProgress),
    timeout: milliseconds('timeout', options.timeout ?? storage.timeout),
    policy: resolveRetry(options.retry, storage.retry),
    fetch: storage.fetch,
  };
}

/** @throws {ConfigurationError} for a name or a type that is none. */
export function checkNames({ name, filename, contentType }: UploadItem): void {
  for (const [option, value] of Object.entries({ name, filename, contentType })) {
    if (value !== undefined && typeof value !== 'string') {
      throw new ConfigurationError(`${option} is ${shown(value)}; it must be a string.`);
    }
  }
  for (const [option, value] of Object.entries({ name, filename })) {
    if (value?.trim() !== '') continue;
    throw new ConfigurationError(`${option} is blank. Pass a name, or leave it out for the one that the file has.`);
  }
  // It becomes a header of the PUT. A Blob whose type is not known says so with an empty text.
  if (!contentType || /^[!-~][ -~]*$/.test(contentType)) return;
  throw new ConfigurationError(`contentType is ${shown(contentType)}; it must be a MIME type such as application/pdf.`);
}
