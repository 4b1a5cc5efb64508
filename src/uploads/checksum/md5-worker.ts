import { abortable, Scope } from '../../internal/signal.ts';
import { silence, Watchdog } from '../idle-timer.ts';
import type { Hashing } from './checksum.ts';
import { createPlainMd5 } from './plain-md5.ts';

type Message = { loaded: number } | { digest: Uint8Array } | { failed: true };

/**
 * The MD5 of a blob, computed in a worker, so that the page stays responsive. Rejects where there can be none, also where
 * it never starts without a word, as an extension of the browser may have it.
 */
export async function md5InWorker(blob: Blob, { signal, timeout, onLoaded }: Hashing): Promise<Uint8Array> {
  const script = URL.createObjectURL(new Blob([`(${work})(${createPlainMd5})`], { type: 'text/javascript' }));
  const scope = new Scope().follow(signal);
  const watchdog = new Watchdog(scope, timeout, silence('The worker told nothing'));
  let worker: Worker | undefined;
  function moved(loaded: number): void {
    watchdog.restart();
    onLoaded(loaded);
  }
  try {
    watchdog.restart();
    worker = new Worker(script);
    return await abortable(digestFrom(worker, blob, moved), scope.signal);
  } finally {
    watchdog.stop();
    scope.dispose();
    worker?.terminate();
    URL.revokeObjectURL(script);
  }
}

function digestFrom(worker: Worker, blob: Blob, onLoaded: (loaded: number) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('loaded' in data) onLoaded(data.loaded);
      else if ('digest' in data) resolve(data.digest);
      else reject(new Error('The worker could not read the file.'));
    };
    // Also where the content security policy of the page forbids workers made from a blob.
    worker.onerror = () => reject(new Error('The worker could not be started.'));
    worker.postMessage(blob);
  });
}

/** What the worker does. Like `createPlainMd5` it is sent as text. */
function work(createMd5: typeof createPlainMd5): void {
  const pieceSize = 4_194_304;
  const post = (message: Message) => postMessage(message);
  addEventListener('message', async ({ data: blob }: MessageEvent<Blob>) => {
    try {
      const md5 = createMd5();
      for (let start = 0; start < blob.size; start += pieceSize) {
        const piece = blob.slice(start, start + pieceSize);
        md5.update(new Uint8Array(await piece.arrayBuffer()));
        post({ loaded: start + piece.size });
      }
      post({ digest: await md5.digest() });
    } catch {
      post({ failed: true });
    }
  });
}
