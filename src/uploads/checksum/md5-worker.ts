import { abortable } from '../../internal/signal.ts';
import { IdleScope, idleTimeout } from '../idle-scope.ts';
import { createPlainMd5 } from './plain-md5.ts';

export interface HashOptions {
  signal: AbortSignal;
  /** How long to wait for progress, in ms. */
  timeout: number;
  /** Called with the number of bytes hashed so far. */
  onProgress: (bytes: number) => void;
}

type Message = { hashed: number } | { digest: Uint8Array } | { failed: true };

/**
 * Computes the MD5 of a Blob in a worker, so that the page stays responsive. Rejects where the worker cannot start, also
 * where it never reports anything: some browser extensions block workers in this way.
 */
export async function md5InWorker(blob: Blob, { signal, timeout, onProgress }: HashOptions): Promise<Uint8Array> {
  const script = URL.createObjectURL(new Blob([`(${runWorker})(${createPlainMd5})`], { type: 'text/javascript' }));
  const scope = new IdleScope(signal, timeout, idleTimeout('The worker reported nothing'));
  let worker: Worker | undefined;
  function progress(bytes: number): void {
    scope.startTimer();
    onProgress(bytes);
  }
  try {
    scope.startTimer();
    worker = new Worker(script);
    return await abortable(digestFrom(worker, blob, progress), scope.signal);
  } finally {
    scope.end();
    worker?.terminate();
    URL.revokeObjectURL(script);
  }
}

function digestFrom(worker: Worker, blob: Blob, onProgress: (bytes: number) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('hashed' in data) onProgress(data.hashed);
      else if ('digest' in data) resolve(data.digest);
      else reject(new Error('The worker could not read the file.'));
    };
    // Also where the content security policy of the page forbids workers from a Blob.
    worker.onerror = () => reject(new Error('The worker could not be started.'));
    worker.postMessage(blob);
  });
}

/** The program of the worker. It is sent as text, so it must not use anything from outside this function. */
function runWorker(createMd5: typeof createPlainMd5): void {
  const sliceBytes = 4_194_304;
  const post = (message: Message) => postMessage(message);
  addEventListener('message', async ({ data: blob }: MessageEvent<Blob>) => {
    try {
      const md5 = createMd5();
      for (let start = 0; start < blob.size; start += sliceBytes) {
        const slice = blob.slice(start, start + sliceBytes);
        md5.update(new Uint8Array(await slice.arrayBuffer()));
        post({ hashed: start + slice.size });
      }
      post({ digest: md5.digest() });
    } catch {
      post({ failed: true });
    }
  });
}
