import { ConfigurationError, TrackingError } from '../../errors.ts';
import { builtin } from '../../internal/runtime.ts';
import { changed } from './pieces.ts';
import type { Source } from './source.ts';

/** In bytes. The memory of transient chunks is used again, so that they may be larger. */
const CHUNK = 131_072;
const TRANSIENT_CHUNK = 1_048_576;

/** A file on disk, in the runtimes that have Node's file system. */
export async function fileSource(path: string): Promise<Source> {
  const fs = fileSystem();
  const before = await fs.promises.stat(path, { bigint: true });
  if (!before.isFile()) throw new TrackingError(`${JSON.stringify(path)} is not a file.`, { code: 'not_a_file' });

  return {
    size: Number(before.size),
    name: builtin('node:path')!.basename(path),
    type: undefined,
    whole: undefined,
    async *read({ transient }) {
      const file = await fs.promises.open(path);
      const spare = transient ? [new Uint8Array(TRANSIENT_CHUNK), new Uint8Array(TRANSIENT_CHUNK)] : [];
      const readNext = async () => {
        const chunk = spare.shift() ?? new Uint8Array(CHUNK);
        const { bytesRead } = await file.read(chunk, 0, chunk.length);
        if (transient) spare.push(chunk);
        return chunk.subarray(0, bytesRead);
      };
      try {
        let next = readNext();
        for (;;) {
          const chunk = await next;
          if (chunk.length === 0) return;
          // The disk works while this chunk is hashed or sent.
          next = readNext();
          next.catch(() => {});
          yield chunk;
        }
      } finally {
        await file.close();
      }
    },
    async recheck() {
      const now = await fs.promises.stat(path, { bigint: true });
      const same = now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs;
      if (!same) throw changed('the file was written to or replaced');
    },
  };
}

/** @throws {ConfigurationError} where there is none. */
export function fileSystem() {
  const fs = builtin('node:fs');
  if (fs) return fs;
  throw new ConfigurationError(
    'Only Node (20.16, 22.3 or later), Bun and Deno can read and write files by their path.',
  );
}
