import { builtin, inBrowser } from '../internal/runtime.ts';
import { abortable } from '../internal/signal.ts';
import { IdleScope, idleTimeout } from './idle-scope.ts';
import { readPieces, type Source } from './source.ts';

/** Longest time in ms that hashing may block the thread before other tasks can run. */
const MAX_TASK_MS = 40;

/** The checksum of a direct upload: the MD5 in Base64, not in hex (docs/service/documents.md#direct-upload). */
export async function checksumOf(source: Source, options: HashOptions): Promise<string> {
  options.onProgress(0);
  const digest = (await hashInWorker(source, options)) ?? (await hashInThisThread(source, options));
  return btoa(String.fromCharCode(...digest));
}

/**
 * `undefined` if a worker cannot be used, or if it failed. This thread then reads the file, and throws an error if the
 * file cannot be read.
 */
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

/** A class that workerd adds to WebCrypto: a writable stream that computes the digest of its bytes. */
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
    // Node.js in FIPS mode does not have MD5.
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
  /** Upper bound for the time without progress, in ms. */
  timeout: number;
  /** Called with the number of bytes that were hashed so far. */
  onProgress: (bytes: number) => void;
}

type Message = { hashed: number } | { digest: Uint8Array } | { failed: true };

/**
 * Computes the MD5 of a Blob in a worker, so that the page stays responsive. Rejects if the worker cannot start. Also
 * rejects if the worker never reports progress: some browser extensions block workers in this way.
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
    // Also called if the content security policy of the page forbids workers from a Blob.
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

/**
 * MD5 in plain JavaScript (RFC 1321), for browsers: WebCrypto has no MD5, and a content security policy may forbid
 * WebAssembly. Its source is sent to a worker as text, so it must not use anything from outside this function.
 */
export function createPlainMd5() {
  const k = Int32Array.from({ length: 64 }, (_, i) => Math.floor(2 ** 32 * Math.abs(Math.sin(i + 1))));
  const x = new Int32Array(16);
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  /** The bytes since the last complete block. */
  const pending = new Uint8Array(64);
  let length = 0;

  const rotateAndAdd = (sum: number, bits: number, word: number) =>
    (((sum << bits) | (sum >>> (32 - bits))) + word) | 0;

  function addBlocks(bytes: Uint8Array<ArrayBuffer>): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let A = state[0] as number;
    let B = state[1] as number;
    let C = state[2] as number;
    let D = state[3] as number;
    for (let start = 0; start < bytes.length; start += 64) {
      for (let i = 0; i < 16; i++) x[i] = view.getInt32(start + 4 * i, true);
      let a = A;
      let b = B;
      let c = C;
      let d = D;
      for (let i = 0; i < 16; i += 4) {
        a = rotateAndAdd((a + ((b & c) | (~b & d)) + (k[i] as number) + (x[i] as number)) | 0, 7, b);
        d = rotateAndAdd((d + ((a & b) | (~a & c)) + (k[i + 1] as number) + (x[i + 1] as number)) | 0, 12, a);
        c = rotateAndAdd((c + ((d & a) | (~d & b)) + (k[i + 2] as number) + (x[i + 2] as number)) | 0, 17, d);
        b = rotateAndAdd((b + ((c & d) | (~c & a)) + (k[i + 3] as number) + (x[i + 3] as number)) | 0, 22, c);
      }
      for (let i = 16; i < 32; i += 4) {
        a = rotateAndAdd((a + ((b & d) | (c & ~d)) + (k[i] as number) + (x[(5 * i + 1) & 15] as number)) | 0, 5, b);
        d = rotateAndAdd((d + ((a & c) | (b & ~c)) + (k[i + 1] as number) + (x[(5 * i + 6) & 15] as number)) | 0, 9, a);
        c = rotateAndAdd(
          (c + ((d & b) | (a & ~b)) + (k[i + 2] as number) + (x[(5 * i + 11) & 15] as number)) | 0,
          14,
          d,
        );
        b = rotateAndAdd((b + ((c & a) | (d & ~a)) + (k[i + 3] as number) + (x[(5 * i) & 15] as number)) | 0, 20, c);
      }
      for (let i = 32; i < 48; i += 4) {
        a = rotateAndAdd((a + (b ^ c ^ d) + (k[i] as number) + (x[(3 * i + 5) & 15] as number)) | 0, 4, b);
        d = rotateAndAdd((d + (a ^ b ^ c) + (k[i + 1] as number) + (x[(3 * i + 8) & 15] as number)) | 0, 11, a);
        c = rotateAndAdd((c + (d ^ a ^ b) + (k[i + 2] as number) + (x[(3 * i + 11) & 15] as number)) | 0, 16, d);
        b = rotateAndAdd((b + (c ^ d ^ a) + (k[i + 3] as number) + (x[(3 * i + 14) & 15] as number)) | 0, 23, c);
      }
      for (let i = 48; i < 64; i += 4) {
        a = rotateAndAdd((a + (c ^ (b | ~d)) + (k[i] as number) + (x[(7 * i) & 15] as number)) | 0, 6, b);
        d = rotateAndAdd((d + (b ^ (a | ~c)) + (k[i + 1] as number) + (x[(7 * i + 7) & 15] as number)) | 0, 10, a);
        c = rotateAndAdd((c + (a ^ (d | ~b)) + (k[i + 2] as number) + (x[(7 * i + 14) & 15] as number)) | 0, 15, d);
        b = rotateAndAdd((b + (d ^ (c | ~a)) + (k[i + 3] as number) + (x[(7 * i + 21) & 15] as number)) | 0, 21, c);
      }
      A = (A + a) | 0;
      B = (B + b) | 0;
      C = (C + c) | 0;
      D = (D + d) | 0;
    }
    state.set([A, B, C, D]);
  }

  function update(bytes: Uint8Array<ArrayBuffer>): void {
    const filled = length % 64;
    const missing = Math.min((64 - filled) % 64, bytes.length);
    length += bytes.length;
    pending.set(bytes.subarray(0, missing), filled);
    if (filled > 0 && filled + missing === 64) addBlocks(pending);
    const blocksEnd = bytes.length - ((bytes.length - missing) % 64);
    addBlocks(bytes.subarray(missing, blocksEnd));
    if (blocksEnd < bytes.length) pending.set(bytes.subarray(blocksEnd));
  }

  function digest(): Uint8Array {
    const lengthInBits = new DataView(new ArrayBuffer(8));
    lengthInBits.setUint32(0, length * 8, true);
    lengthInBits.setUint32(4, Math.floor(length / 2 ** 29), true);
    const padding = new Uint8Array(1 + ((119 - (length % 64)) % 64));
    padding[0] = 0x80;
    update(padding);
    update(new Uint8Array(lengthInBits.buffer));
    const result = new DataView(new ArrayBuffer(16));
    state.forEach((word, i) => {
      result.setInt32(4 * i, word, true);
    });
    return new Uint8Array(result.buffer);
  }

  return { update, digest };
}
