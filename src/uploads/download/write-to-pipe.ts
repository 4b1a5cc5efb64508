import { sleep } from '../../internal/signal.ts';
import { IdleScope, idleTimeout } from '../idle-scope.ts';
import { fileSystem } from '../source/file-system.ts';

/** In ms. How long to wait at first, and at most, before a pipe is asked again. */
const [SHORT_WAIT, LONG_WAIT] = [1, 64];

/** What a pipe says that has no reader yet, or is full. */
const NOT_READY = ['ENXIO', 'EAGAIN', 'EWOULDBLOCK'];

export interface PipeOptions {
  /** The signal of the caller. */
  signal: AbortSignal | undefined;
  /** How long to wait for a reader to take bytes, in ms. */
  timeout: number;
}

/** Writes a stream to a named pipe. A write that waits for the reader could not be aborted, so that none waits. */
export async function writeToPipe(
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
