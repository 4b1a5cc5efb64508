import { ConfigurationError } from '../errors.ts';
import { objectArgument } from '../internal/arguments.ts';
import { Scope } from '../internal/signal.ts';
import type { DirectUpload } from '../records/bodies.ts';
import type { Transport } from '../transport/transport.ts';
import { checkedPut } from './checks.ts';
import type { PutOptions, UploadFile } from './options.ts';
import { reporter } from './progress.ts';
import { sendFile } from './put/send-file.ts';
import { sourceOf } from './source/source.ts';
import { during } from './stage.ts';
import { checkedSlot } from './storage/storage.ts';

/** Sends a file to a slot that the caller has made. */
export async function putFile(
  slot: DirectUpload,
  file: UploadFile,
  options: PutOptions,
  transport: Transport,
): Promise<void> {
  objectArgument('The slot', slot, 'the answer to directUploads.create()');
  const { signal, onProgress, timeout, policy, fetch } = checkedPut(options, transport);
  const scope = new Scope().follow(signal);
  try {
    scope.signal.throwIfAborted();
    await during('put', signal, async () => {
      const source = await sourceOf(file);
      if (source.size !== slot.byte_size) {
        throw new ConfigurationError(`The slot is for ${slot.byte_size} bytes, and the file has ${source.size}.`);
      }
      const onLoaded = reporter('put', source.size, onProgress, transport.observer);
      const { checksum } = slot;
      await sendFile(source, checkedSlot(slot), {
        checksum,
        policy,
        signal: scope.signal,
        timeout,
        fetch,
        onLoaded,
      });
    });
  } finally {
    scope.dispose();
  }
}
