import { ConfigurationError } from '../errors.ts';
import { describeValue, milliseconds, optionalFunction, optionalSignal } from '../internal/arguments.ts';
import { resolveRetry } from '../transport/settings.ts';
import type { Transport } from '../transport/transport.ts';
import type { PutOptions, UploadItem } from './upload-options.ts';

/** How bytes are transferred, from the options of a call and of the client. @throws {ConfigurationError} */
export function transferSettings(options: PutOptions, { storage }: Transport) {
  return {
    signal: optionalSignal(options.signal),
    onProgress: optionalFunction('onProgress', options.onProgress),
    timeout: milliseconds('timeout', options.timeout ?? storage.timeout),
    policy: resolveRetry(options.retry, storage.retry),
    fetch: storage.fetch,
  };
}

/** @throws {ConfigurationError} for a name or type that cannot be sent. */
export function checkNames({ name, filename, contentType }: UploadItem): void {
  for (const [option, value] of Object.entries({ name, filename, contentType })) {
    if (value !== undefined && typeof value !== 'string') {
      throw new ConfigurationError(`${option} is ${describeValue(value)}; it must be a string.`);
    }
  }
  for (const [option, value] of Object.entries({ name, filename })) {
    if (value?.trim() !== '') continue;
    throw new ConfigurationError(`${option} is blank. Pass a name, or omit it to use the name of the file.`);
  }
  // It becomes a header of the PUT. It may be empty, as the type of a Blob is if it is unknown.
  if (!contentType || /^[!-~][ -~]*$/.test(contentType)) return;
  throw new ConfigurationError(
    `contentType is ${describeValue(contentType)}; it must be a MIME type such as application/pdf.`,
  );
}
