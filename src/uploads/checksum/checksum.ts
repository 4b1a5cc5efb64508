import { inBrowser } from '../../internal/runtime.ts';
import { pieces } from '../source/pieces.ts';
import type { Source } from '../source/source.ts';
import { createMd5 } from './md5.ts';
import { md5InWorker } from './md5-worker.ts';

export interface Hashing {
  signal: AbortSignal;
  /** How long nothing may move, in ms. */
  timeout: number;
  onLoaded: (loaded: number) => void;
}

/** After so long without a pause, in ms, other work gets its turn. */
const TURN = 40;

/** The checksum that a direct upload announces: Base64 of the binary MD5 (docs/service/documents.md#direct-upload). */
export async function checksumOf(source: Source, hashing: Hashing): Promise<string> {
  hashing.onLoaded(0);
  const digest = (await inWorker(source, hashing)) ?? (await here(source, hashing));
  return btoa(String.fromCharCode(...digest));
}

/** `undefined` where no worker can do it, or where it failed: what is wrong with the file shows here as well. */
async function inWorker({ whole }: Source, hashing: Hashing): Promise<Uint8Array | undefined> {
  if (!inBrowser() || !(whole instanceof Blob)) return undefined;
  try {
    return await md5InWorker(whole, hashing);
  } catch {
    hashing.signal.throwIfAborted();
    return undefined;
  }
}

async function here(source: Source, { signal, timeout, onLoaded }: Hashing): Promise<Uint8Array> {
  const md5 = createMd5();
  let loaded = 0;
  let turnSince = performance.now();
  for await (const piece of pieces(source, { signal, timeout, transient: true })) {
    await md5.update(piece);
    loaded += piece.length;
    onLoaded(loaded);
    if (performance.now() - turnSince > TURN) {
      await new Promise(resolve => setTimeout(resolve));
      turnSince = performance.now();
    }
  }
  return md5.digest();
}
