import { ConfigurationError, TrackingError } from '../errors.ts';
import { abortable } from '../transport/signal.ts';
import type { Source } from './source.ts';

/** The bytes in pieces, as many as `size` says. Rejects if there are more or fewer, and with the signal's reason. */
export async function* pieces(source: Source, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = (await abortable(Promise.resolve(source.open()), signal)).getReader();
  let read = 0;
  try {
    for (;;) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) break;
      if (!ArrayBuffer.isView(value)) throw new ConfigurationError('open() must give a stream of Uint8Array.');
      read += value.byteLength;
      if (read > source.size) throw changed(`there are more of them than the ${source.size} that there were`);
      yield value as Uint8Array<ArrayBuffer>;
    }
    if (read < source.size) throw changed(`they end after ${read} of ${source.size}`);
  } finally {
    reader.cancel().catch(() => {});
  }
}

export function changed(how: string): TrackingError {
  return new TrackingError(`The bytes changed during the upload: ${how}.`, { code: 'bytes_changed' });
}
