import { TrackingError } from '../../errors.ts';

export function bytesChanged(how: string, cause?: unknown): TrackingError {
  return new TrackingError(`The file changed during the upload: ${how}.`, { code: 'bytes_changed', cause });
}
