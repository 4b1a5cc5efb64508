import type { Observer } from '../transport/observer.ts';
import type { UploadProgress } from './options.ts';

/**
 * Reports the progress of one stage to `onProgress`. A new attempt starts from the first byte, but reports nothing before
 * it has sent more than the attempts before it. Errors of `onProgress` are logged, and a promise
 * that it returns is not awaited.
 */
export function progressReporter(
  stage: UploadProgress['stage'],
  total: number,
  onProgress: ((progress: UploadProgress) => void) | undefined,
  observer: Observer,
): (bytes: number) => void {
  let reported = -1;
  return bytes => {
    if (bytes <= reported) return;
    reported = bytes;
    const tell = async () => onProgress?.({ stage, loaded: bytes, total });
    tell().catch(error => observer.log('error', 'onProgress failed.', { error }));
  };
}
