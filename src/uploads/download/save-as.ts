import { ConfigurationError, TrackingError } from '../../errors.ts';
import { fileSystem } from '../source/file-system.ts';

/**
 * Writes a stream to a temporary file in the same directory and renames it at the end, so that a failed download does not
 * change the file. A file that is replaced keeps its mode; a symbolic link keeps its target.
 *
 * @throws {TrackingError} `not_written`, whose `cause` is the error of the file system.
 */
export async function saveAs(path: string, start: () => Promise<ReadableStream<Uint8Array>>): Promise<void> {
  const { promises: fs } = fileSystem();
  if (typeof path !== 'string' || path === '') throw new ConfigurationError('to must be the path of a file.');
  const bytes = await start();
  let downloadFailure: { error: unknown } | undefined;

  async function* read() {
    try {
      yield* bytes;
    } catch (error) {
      downloadFailure = { error };
      throw error;
    }
  }

  try {
    const target = await fs.realpath(path).catch(() => path);
    const existing = await fs.lstat(target).catch(() => undefined);
    // A device, a pipe or a broken link cannot be replaced.
    if (existing && !existing.isFile()) return await fs.writeFile(target, read());
    const temporary = `${target}.${crypto.randomUUID()}.part`;
    try {
      await fs.writeFile(temporary, read(), { mode: existing?.mode ?? 0o666, flag: 'wx' });
      // The umask has removed bits from the mode of the new file.
      if (existing) await fs.chmod(temporary, existing.mode);
      await fs.rename(temporary, target);
    } catch (error) {
      await fs.rm(temporary, { force: true });
      throw error;
    }
  } catch (cause) {
    await bytes.cancel(cause).catch(() => {});
    if (downloadFailure) throw downloadFailure.error;
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    throw new TrackingError(`The file cannot be written${detail}`, { code: 'not_written', cause });
  }
}
