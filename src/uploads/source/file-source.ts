import { TrackingError } from '../../errors.ts';
import { builtin } from '../../internal/runtime.ts';
import { bytesChanged } from './bytes-changed.ts';
import { fileSystem } from './file-system.ts';
import type { Source } from './source.ts';

/** In bytes. Chunks whose memory is reused may be larger. */
const CHUNK_BYTES = 131_072;
const REUSED_CHUNK_BYTES = 1_048_576;

/** A file on disk. */
export async function fileSource(path: string): Promise<Source> {
  const fs = fileSystem();
  const before = await fs.promises.stat(path, { bigint: true });
  if (!before.isFile()) throw new TrackingError(`${JSON.stringify(path)} is not a file.`, { code: 'not_a_file' });

  return {
    size: Number(before.size),
    name: builtin('node:path')!.basename(path),
    async *read({ reuseMemory }) {
      const file = await fs.promises.open(path);
      const free = reuseMemory ? [new Uint8Array(REUSED_CHUNK_BYTES), new Uint8Array(REUSED_CHUNK_BYTES)] : [];
      const readNext = async () => {
        const chunk = free.shift() ?? new Uint8Array(CHUNK_BYTES);
        const { bytesRead } = await file.read(chunk, 0, chunk.length);
        if (reuseMemory) free.push(chunk);
        return chunk.subarray(0, bytesRead);
      };
      try {
        let next = readNext();
        for (;;) {
          const chunk = await next;
          if (chunk.length === 0) return;
          // Reads ahead while this chunk is hashed or sent.
          next = readNext();
          next.catch(() => {});
          yield chunk;
        }
      } finally {
        await file.close();
      }
    },
    async checkUnchanged() {
      const now = await fs.promises.stat(path, { bigint: true });
      const isSame = now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs;
      if (!isSame) throw bytesChanged('the file was modified or replaced');
    },
  };
}
