import {
  iterable,
  knownNames,
  namesOf,
  objectArgument,
  optionalFunction,
  optionalSignal,
  wholeNumber,
} from '../internal/arguments.ts';
import { abortable, Scope } from '../internal/signal.ts';
import type { Document } from '../records/document.ts';
import type { UploadItem, UploadManyOptions, UploadOptions, UploadResult } from './options.ts';

const NAMES = namesOf<UploadManyOptions>({
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
 * Results in the order in which they come. A file that was begun has its result, whatever ends the iteration. Once the
 * consumer stops, nothing goes on.
 */
export async function* uploadMany(
  items: Items,
  given: UploadManyOptions,
  uploadOne: (options: UploadOptions) => Promise<Document>,
): AsyncGenerator<UploadResult> {
  knownNames('uploadMany()', objectArgument('The second argument of uploadMany()', given, '{ concurrency: 4 }'), NAMES);
  const { concurrency = 4, signal, onProgress, ...options } = given;
  wholeNumber('concurrency', concurrency);
  iterable('The first argument of uploadMany()', items);
  optionalFunction('onProgress', onProgress);
  const stopping = new Scope().follow(optionalSignal(signal));
  const source = iterate(items);
  const running = new Map<number, Promise<UploadResult>>();
  let next: Promise<IteratorResult<UploadItem>> | undefined;
  let index = 0;
  let fed = false;
  let broken: { error: unknown } | undefined;

  /** What cannot be told ends the files, and is thrown when those under way have their results. */
  async function take(): Promise<IteratorResult<UploadItem>> {
    try {
      stopping.signal.throwIfAborted();
      return await abortable(Promise.resolve(source.next()), stopping.signal);
    } catch (error) {
      broken = { error };
      return { done: true, value: undefined };
    }
  }

  async function start(item: UploadItem, index: number): Promise<UploadResult> {
    try {
      const document = await uploadOne({
        priority: 'bulk',
        ...options,
        ...item,
        signal: stopping.signal,
        onProgress: progress => onProgress?.({ ...progress, item, index }),
      });
      return { item, index, ok: true, document };
    } catch (error) {
      return { item, index, ok: false, error };
    }
  }

  try {
    for (;;) {
      if (!fed && running.size < concurrency) next ??= take();
      const waiting = [...running.values(), ...(next ? [next] : [])];
      if (waiting.length === 0) break;
      const come = await Promise.race<UploadResult | IteratorResult<UploadItem>>(waiting);
      if ('ok' in come) {
        running.delete(come.index);
        yield come;
        continue;
      }
      next = undefined;
      fed = come.done ?? false;
      if (!come.done) {
        running.set(index, start(come.value, index));
        index += 1;
      }
    }
    stopping.signal.throwIfAborted();
    if (broken) throw broken.error;
  } finally {
    stopping.abort();
    stopping.dispose();
    Promise.resolve(source.return?.()).catch(() => {});
  }
}

function iterate(items: Items): AsyncIterator<UploadItem> | Iterator<UploadItem> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
