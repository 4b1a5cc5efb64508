import { ConfigurationError, TrackingError } from '../errors.ts';
import { changed, PIECE } from './pieces.ts';
import type { Source } from './source.ts';

/** A file on disk, in the runtimes that have Node's file system. */
export async function fileSource(path: string): Promise<Source> {
  const fs = fileSystem();
  const before = await fs.promises.stat(path, { bigint: true });
  if (!before.isFile()) throw new TrackingError(`${JSON.stringify(path)} is not a file.`, { code: 'not_a_file' });

  function open(): ReadableStream<Uint8Array> {
    let opened: ReturnType<typeof fs.promises.open> | undefined;
    const close = async () => (await opened)?.close();
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        opened ??= fs.promises.open(path);
        try {
          const piece = new Uint8Array(PIECE);
          const { bytesRead } = await (await opened).read(piece, 0, PIECE);
          if (bytesRead > 0) return controller.enqueue(piece.subarray(0, bytesRead));
          await close();
          controller.close();
        } catch (error) {
          await close();
          throw error;
        }
      },
      cancel: close,
    });
  }

  return {
    size: Number(before.size),
    name: globalThis.process.getBuiltinModule('node:path').basename(path),
    type: undefined,
    whole: undefined,
    open,
    async recheck() {
      const now = await fs.promises.stat(path, { bigint: true });
      const same = now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs;
      if (!same) throw changed('the file was written to or replaced');
    },
  };
}

/** @throws {ConfigurationError} where there is none. */
export function fileSystem(): typeof import('node:fs') {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (fs) return fs;
  throw new ConfigurationError(
    'Only Node (20.16, 22.3 or later), Bun and Deno can read and write files by their path.',
  );
}
