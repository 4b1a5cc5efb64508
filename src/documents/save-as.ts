import { ConfigurationError, TrackingError } from '../errors.ts';
import { builtin } from '../internal/runtime.ts';
import { sleep } from '../internal/signal.ts';
import type { Transport } from '../transport/transport.ts';
import { IdleScope, idleTimeout } from './idle-scope.ts';
import { fileSystem } from './source.ts';
import { type RetrySettings, retryWithPRetry, transferSettings } from './storage.ts';
import type { DownloadOptions } from './upload-options.ts';

/** Error codes of a directory in which a file cannot be created. */
const READ_ONLY = ['EACCES', 'EPERM', 'EROFS'];

/**
 * Writes a stream to a temporary file in the same directory and renames it at the end, so that a failed download does not
 * change the file. A replaced file keeps its mode; a symbolic link keeps its target.
 *
 * @throws {TrackingError} with the code `not_written`. The `cause` is the error of the file system.
 */
export async function saveAs(
  path: string,
  start: (options?: DownloadOptions) => Promise<ReadableStream<Uint8Array>>,
  options: DownloadOptions,
  transport: Transport,
): Promise<void> {
  fileSystem();
  if (typeof path !== 'string' || path === '') throw new ConfigurationError('to must be the path of a file.');
  const { signal, timeout, policy } = transferSettings(options, transport);
  let started: ReadableStream<Uint8Array> | undefined = await start();
  let downloadFailure: { error: unknown } | undefined;

  async function* read() {
    try {
      // The address of the first download may have expired.
      const bytes = started ?? (await start({ ...options, retry: false }));
      started = undefined;
      yield* bytes;
    } catch (error) {
      downloadFailure = { error };
      throw error;
    }
  }

  try {
    const retrying = { policy, signal: signal ?? new AbortController().signal };
    await replaceFile(path, { [Symbol.asyncIterator]: read }, { signal, timeout, retrying });
  } catch (cause) {
    await started?.cancel(cause).catch(() => {});
    if (signal?.aborted) throw signal.reason;
    if (downloadFailure) throw downloadFailure.error;
    if (cause instanceof TrackingError) throw cause;
    // The rest of the message names the temporary file.
    const detail = cause instanceof Error ? `: ${cause.message.split(', ')[0]}` : '';
    throw new TrackingError(`The file ${path} cannot be written${detail}`, { code: 'not_written', cause });
  }
}

/**
 * Replaces a file as a whole. Only mount points, devices and pipes are written in place.
 *
 * @param bytes read again from the start for each attempt.
 * @param mode the permissions of a new file.
 */
export async function replaceFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  options: ReplaceOptions,
  mode = 0o666,
): Promise<void> {
  const { promises: fs, constants } = fileSystem();
  const { dirname, join } = builtin('node:path')!;
  const existing = await fs.stat(path).catch(ifMissing);
  // A device or a pipe cannot be replaced, so the bytes are written into it.
  if (existing?.isFIFO()) return writeToPipe(path, bytes, options);
  if (existing && !existing.isFile()) return fs.writeFile(path, bytes);
  const target = await (existing ? fs.realpath(path) : missingTarget(path));
  // The temporary name does not contain the name of the target, because that name may already have the maximum length.
  const name = `.${crypto.randomUUID()}.part`;
  let temporary = join(dirname(target), name);
  try {
    const isBeside = await fs.writeFile(temporary, '', { mode: existing ? 0o600 : mode, flag: 'wx' }).then(
      () => true,
      async error => {
        // A file cannot be created in this directory. The existing file may be a writable mount point, so it is written
        // in place.
        if (!existing || !READ_ONLY.includes(error.code)) throw error;
        await fs.access(target, constants.W_OK);
        temporary = join(builtin('node:os')!.tmpdir(), name);
        await fs.writeFile(temporary, '', { mode: 0o600, flag: 'wx' });
        return false;
      },
    );
    const write = () => fs.writeFile(temporary, bytes);
    await (options.retrying ? retryWithPRetry(write, options.retrying) : write());
    if (!isBeside) return await fs.copyFile(temporary, target);
    // A replaced file keeps its mode.
    if (existing) await fs.chmod(temporary, existing.mode);
    await fs.rename(temporary, target).catch(async error => {
      // A mount point, for example a file that is mounted into a Docker container, cannot be replaced. So it is written
      // in place.
      if (error.code !== 'EBUSY') throw error;
      await fs.copyFile(temporary, target);
    });
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/** The path at which a new file is created. Symbolic links may lead to it. */
async function missingTarget(path: string): Promise<string> {
  const { promises: fs } = fileSystem();
  const { dirname, resolve } = builtin('node:path')!;
  const link = await fs.readlink(path).catch(() => undefined);
  return link === undefined ? path : missingTarget(resolve(await fs.realpath(dirname(path)), link));
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** First and longest wait before another attempt to open a pipe or to write to it, in ms. */
const [SHORT_WAIT, LONG_WAIT] = [1, 64];

/** Error codes of a pipe that has no reader yet, or is full. */
const NOT_READY = ['ENXIO', 'EAGAIN', 'EWOULDBLOCK'];

interface PipeOptions {
  /** The signal of the caller. */
  signal: AbortSignal | undefined;
  /** Upper bound for the time in which the reader takes no byte, in ms. */
  timeout: number;
}

interface ReplaceOptions extends PipeOptions {
  /** Repeats the writing if `bytes` break. */
  retrying?: RetrySettings;
}

/**
 * Writes a stream to a named pipe. A write that waits for the reader cannot be aborted, so each write returns
 * immediately.
 */
async function writeToPipe(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { signal, timeout }: PipeOptions,
): Promise<void> {
  const { promises: fs, constants } = fileSystem();
  const scope = new IdleScope(
    signal ?? undefined,
    timeout,
    idleTimeout('The pipe at `to` took no bytes. Nobody has read from it'),
  );

  async function whenReady<T>(act: () => Promise<T>): Promise<T> {
    scope.startTimer();
    for (let wait = SHORT_WAIT; ; wait = Math.min(2 * wait, LONG_WAIT)) {
      try {
        const result = await act();
        scope.stopTimer();
        return result;
      } catch (error) {
        if (!NOT_READY.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      }
      await sleep(wait, scope.signal);
    }
  }

  try {
    const pipe = await whenReady(() => fs.open(path, constants.O_WRONLY | constants.O_NONBLOCK));
    try {
      for await (let rest of bytes) {
        while (rest.length > 0) {
          const { bytesWritten } = await whenReady(() => pipe.write(rest));
          rest = rest.subarray(bytesWritten);
        }
      }
    } finally {
      await pipe.close();
    }
  } finally {
    scope.end();
  }
}
