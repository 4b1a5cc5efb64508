import { ConfigurationError, TrackingError } from '../../errors.ts';
import { fileSystem } from '../source/file-source.ts';

/**
 * Writes what `start` gives to a neighbour of the file first, so that a download that breaks leaves the file as it was. The
 * file keeps its mode, and a link leads to the same file as before.
 *
 * @throws {TrackingError} `not_written`, whose `cause` is the error of the file system.
 */
export async function saveAs(path: string, start: () => Promise<ReadableStream<Uint8Array>>): Promise<void> {
  const { promises: fs } = fileSystem();
  if (typeof path !== 'string' || path === '') throw new ConfigurationError('to must be the path of a file.');
  const bytes = await start();
  let broken: { error: unknown } | undefined;

  async function* read() {
    try {
      yield* bytes;
    } catch (error) {
      broken = { error };
      throw error;
    }
  }

  try {
    const target = await fs.realpath(path).catch(() => path);
    const before = await fs.lstat(target).catch(() => undefined);
    // A device, a pipe, or a link to nothing yet.
    if (before && !before.isFile()) return await fs.writeFile(target, read());
    const part = `${target}.${crypto.randomUUID()}.part`;
    try {
      await fs.writeFile(part, read(), { mode: before?.mode ?? 0o666, flag: 'wx' });
      // At its creation, the umask took from the mode.
      if (before) await fs.chmod(part, before.mode);
      await fs.rename(part, target);
    } catch (error) {
      await fs.rm(part, { force: true });
      throw error;
    }
  } catch (cause) {
    await bytes.cancel(cause).catch(() => {});
    if (broken) throw broken.error;
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    throw new TrackingError(`The file cannot be written${detail}`, { code: 'not_written', cause });
  }
}
