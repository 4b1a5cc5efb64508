import {
  iterable,
  objectArgument,
  optionalFunction,
  optionalSignal,
  optionNames,
  refuseUnknownNames,
  wholeNumber,
} from '../internal/arguments.ts';
import { abortable, Scope } from '../internal/signal.ts';
import type { Document } from '../records/document.ts';
import type { UploadItem, UploadManyOptions, UploadOptions, UploadResult } from './options.ts';

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

type Items = Iterable<UploadItem> | AsyncIterable<UploadItem>;

/**
 * Yields results in the order in which uploads finish. Every upload that was started has a result, also after an abort
 * and after an error of `items`. When the consumer stops, all uploads are aborted.
 */
export async function* uploadMany(
  items: Items,
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
  const scope = new Scope().follow(optionalSignal(signal));
  const iterator = iteratorOf(items);
  const running = new Map<number, Promise<UploadResult>>();
  let nextItem: Promise<IteratorResult<UploadItem>> | undefined;
  let index = 0;
  let hasAllItems = false;
  let itemsFailure: { error: unknown } | undefined;

  /** An error ends the items. It is thrown after the running uploads have finished. */
  async function takeItem(): Promise<IteratorResult<UploadItem>> {
    try {
      scope.signal.throwIfAborted();
      return await abortable(Promise.resolve(iterator.next()), scope.signal);
    } catch (error) {
      itemsFailure = { error };
      return { done: true, value: undefined };
    }
  }

  async function resultOf(item: UploadItem, index: number): Promise<UploadResult> {
    try {
      // What else it holds is its owner's.
      const { file, name, filename, contentType } = item;
      const document = await uploadOne({
        priority: 'bulk',
        ...options,
        file,
        name,
        filename,
        contentType,
        signal: scope.signal,
        onProgress: progress => onProgress?.({ ...progress, item, index }),
      });
      return { item, index, ok: true, document };
    } catch (error) {
      return { item, index, ok: false, error };
    }
  }

  try {
    for (;;) {
      if (!hasAllItems && running.size < concurrency) nextItem ??= takeItem();
      const pending = [...running.values(), ...(nextItem ? [nextItem] : [])];
      if (pending.length === 0) break;
      const settled = await Promise.race<UploadResult | IteratorResult<UploadItem>>(pending);
      if ('ok' in settled) {
        running.delete(settled.index);
        yield settled;
        continue;
      }
      nextItem = undefined;
      hasAllItems = settled.done ?? false;
      if (!settled.done) {
        running.set(index, resultOf(settled.value, index));
        index += 1;
      }
    }
    scope.signal.throwIfAborted();
    if (itemsFailure) throw itemsFailure.error;
  } finally {
    scope.abort();
    scope.dispose();
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

function iteratorOf(items: Items): AsyncIterator<UploadItem> | Iterator<UploadItem> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
