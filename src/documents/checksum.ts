import { builtin, inBrowser } from '../internal/runtime.ts';
import { abortable } from '../internal/signal.ts';
import { IdleScope, idleTimeout } from './idle-scope.ts';
import { createPlainMd5 } from './plain-md5.ts';
import { readPieces, type Source } from './source.ts';

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

export interface Md5 {
  update(bytes: Uint8Array<ArrayBuffer>): unknown;
  digest(): Uint8Array | Promise<Uint8Array>;
}

/** An addition of workerd to WebCrypto: a writable stream that computes the digest of its bytes. */
interface DigestStream extends WritableStream<Uint8Array> {
  readonly digest: Promise<ArrayBuffer>;
}

/** The fastest MD5 that this runtime has. */
export function createMd5(): Md5 {
  return nodeMd5() ?? workerdMd5() ?? createPlainMd5();
}

function nodeMd5(): Md5 | undefined {
  try {
    const hash = builtin('node:crypto')?.createHash('md5');
    return hash && { update: bytes => hash.update(bytes), digest: () => hash.digest() };
  } catch {
    // Node.js in FIPS mode has no MD5.
    return undefined;
  }
}

function workerdMd5(): Md5 | undefined {
  const { DigestStream } = globalThis.crypto as { DigestStream?: new (algorithm: string) => DigestStream };
  if (!DigestStream) return undefined;
  const stream = new DigestStream('MD5');
  const writer = stream.getWriter();
  return {
    update: bytes => writer.write(bytes),
    async digest() {
      await writer.close();
      return new Uint8Array(await stream.digest);
    },
  };
}

interface HashOptions {
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
async function md5InWorker(blob: Blob, { signal, timeout, onProgress }: HashOptions): Promise<Uint8Array> {
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
