import { iterable, wholeNumber } from '../arguments.ts';
import type { Document } from '../records/document.ts';
import { abortable, Scope } from '../transport/signal.ts';
import type { UploadItem, UploadManyOptions, UploadOptions, UploadResult } from './options.ts';

type Items = Iterable<UploadItem> | AsyncIterable<UploadItem>;

/** Results in the order in which they come. Once the consumer stops, nothing goes on. */
export async function* uploadMany(
  items: Items,
  { concurrency = 4, signal, onProgress, ...options }: UploadManyOptions,
  uploadOne: (options: UploadOptions) => Promise<Document>,
): AsyncGenerator<UploadResult> {
  wholeNumber('concurrency', concurrency);
  iterable('The first argument of uploadMany()', items);
  const stopping = new Scope().follow(signal);
  const source = iterate(items);
  const running = new Map<number, Promise<UploadResult>>();
  let next: Promise<IteratorResult<UploadItem>> | undefined;
  let index = 0;
  let fed = false;

  async function start(item: UploadItem, index: number): Promise<UploadResult> {
    try {
      const document = await uploadOne({
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
      if (!fed && running.size < concurrency) next ??= Promise.resolve(source.next());
      if (!next && running.size === 0) return;
      const waiting = [...running.values(), ...(next ? [next] : [])];
      const come = await abortable(Promise.race<UploadResult | IteratorResult<UploadItem>>(waiting), stopping.signal);
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
  } finally {
    stopping.abort();
    stopping.dispose();
    Promise.resolve(source.return?.()).catch(() => {});
  }
}

function iterate(items: Items): AsyncIterator<UploadItem> | Iterator<UploadItem> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
