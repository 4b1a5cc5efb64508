import { inBrowser } from '../../internal/runtime.ts';
import { readPieces } from '../source/pieces.ts';
import type { Source } from '../source/source.ts';
import { createMd5 } from './md5.ts';
import { type HashOptions, md5InWorker } from './md5-worker.ts';

/** In ms. After this time without a pause, other tasks get their turn. */
const MAX_TASK_MS = 40;

/** The checksum of a direct upload: the MD5 in Base64, not in hex (docs/service/documents.md#direct-upload). */
export async function checksumOf(source: Source, options: HashOptions): Promise<string> {
  options.onProgress(0);
  const digest = (await hashInWorker(source, options)) ?? (await hashInThisThread(source, options));
  return btoa(String.fromCharCode(...digest));
}

/** `undefined` where no worker can be used, or where it failed: this thread then finds out what is wrong with the file. */
async function hashInWorker({ body }: Source, options: HashOptions): Promise<Uint8Array | undefined> {
  if (!inBrowser() || !(body instanceof Blob)) return undefined;
  try {
    return await md5InWorker(body, options);
  } catch {
    options.signal.throwIfAborted();
    return undefined;
  }
}

async function hashInThisThread(source: Source, { signal, timeout, onProgress }: HashOptions): Promise<Uint8Array> {
  const md5 = createMd5();
  let bytesHashed = 0;
  let taskStart = performance.now();
  for await (const piece of readPieces(source, { signal, timeout, reuseMemory: true })) {
    await md5.update(piece);
    bytesHashed += piece.length;
    onProgress(bytesHashed);
    if (performance.now() - taskStart > MAX_TASK_MS) {
      await new Promise(resolve => setTimeout(resolve));
      taskStart = performance.now();
    }
  }
  return md5.digest();
}
