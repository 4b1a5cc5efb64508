import {
  iterable,
  objectArgument,
  optionalFunction,
  optionalSignal,
  optionNames,
  refuseUnknownNames,
  wholeNumber,
} from '../internal/arguments.ts';
import { concurrentMap } from '../internal/concurrent-map.ts';
import type { Document } from '../model/index.ts';
import type { UploadItem, UploadManyOptions, UploadOptions, UploadResult } from './upload-options.ts';

const NAMES = optionNames<UploadManyOptions>({
  concurrency: true,
  onProgress: true,
  onDuplicate: true,
  signal: true,
  timeout: true,
  deadline: true,
  retry: true,
  headers: true,
  priority: true,
});

/**
 * Yields results in the order in which uploads finish. Every upload that was started has a result, also after an abort
 * and after an error of `items`. When the consumer stops, all uploads are aborted.
 */
export async function* uploadMany(
  items: Iterable<UploadItem> | AsyncIterable<UploadItem>,
  given: UploadManyOptions,
  uploadOne: (options: UploadOptions) => Promise<Document>,
): AsyncGenerator<UploadResult> {
  refuseUnknownNames(
    'uploadMany()',
    objectArgument('The second argument of uploadMany()', given, '{ concurrency: 4 }'),
    NAMES,
  );
  const { concurrency = 4, signal, onProgress, ...options } = given;
  wholeNumber('concurrency', concurrency);
  iterable('The first argument of uploadMany()', items);
  optionalFunction('onProgress', onProgress);
  const mapping = { concurrency, startNext: 'on-demand', signal: optionalSignal(signal) } as const;
  yield* concurrentMap(items, mapping, async (item, index, signal) => {
    // What else it holds is its owner's.
    const { file, name, filename, contentType } = item;
    const document = await uploadOne({
      priority: 'bulk',
      ...options,
      file,
      name,
      filename,
      contentType,
      signal,
      onProgress: progress => onProgress?.({ ...progress, item, index }),
    });
    return { document };
  });
}
