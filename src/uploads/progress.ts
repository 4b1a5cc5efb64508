import type { Observer } from '../transport/observer.ts';
import type { UploadProgress } from './options.ts';

/**
 * Passes on what one stage has done, as long as it grows: an attempt that starts anew is heard of when it has caught up.
 * What the listener throws is logged.
 */
export function reporter(
  stage: UploadProgress['stage'],
  total: number,
  onProgress: ((progress: UploadProgress) => void) | undefined,
  observer: Observer,
): (loaded: number) => void {
  let most = -1;
  return loaded => {
    if (loaded <= most) return;
    most = loaded;
    try {
      onProgress?.({ stage, loaded, total });
    } catch (error) {
      observer.log('error', 'onProgress failed.', { error });
    }
  };
}
