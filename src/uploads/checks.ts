import { shown } from '../arguments.ts';
import { ConfigurationError } from '../errors.ts';
import type { UploadItem } from './options.ts';

/** @throws {ConfigurationError} for a name or a type that is none. */
export function checkNames({ name, filename, contentType }: UploadItem): void {
  for (const [option, value] of Object.entries({ name, filename, contentType })) {
    if (value === undefined || typeof value === 'string') continue;
    throw new ConfigurationError(`${option} is ${shown(value)}; it must be a string.`);
  }
  // It becomes a header of the PUT.
  if (contentType === undefined || /^[ -~]*$/.test(contentType)) return;
  throw new ConfigurationError(`contentType is ${shown(contentType)}; it must be a MIME type such as application/pdf.`);
}
