import { ConfigurationError } from '../errors.ts';
import { objectArgument } from '../internal/arguments.ts';
import { Scope } from '../internal/signal.ts';
import type { DirectUpload } from '../model/index.ts';
import type { Transport } from '../transport/transport.ts';
import type { PutOptions, UploadFile } from './options.ts';
import { progressReporter } from './progress.ts';
import { sendFile } from './put/send-file.ts';
import { transferSettings } from './settings.ts';
import { openSource } from './source/open-source.ts';
import { runStage } from './stage.ts';
import { checkSlot } from './storage/slot.ts';

/** Sends a file to a slot that the caller has created. */
export async function putFile(
  slot: DirectUpload,
  file: UploadFile,
  options: PutOptions,
  transport: Transport,
): Promise<void> {
  objectArgument('The slot', slot, 'the answer to directUploads.create()');
  const { signal, onProgress, timeout, policy, fetch } = transferSettings(options, transport);
  const scope = new Scope().follow(signal);
  try {
    scope.signal.throwIfAborted();
    await runStage('put', signal, async () => {
      const source = await openSource(file);
      const { checksum, byte_size } = checkSlot(slot);
      if (source.size !== byte_size) {
        throw new ConfigurationError(`The slot is for ${byte_size} bytes, but the file has ${source.size} bytes.`);
      }
      const report = progressReporter('put', source.size, onProgress, transport.observer);
      await sendFile(source, slot, { checksum, policy, signal: scope.signal, timeout, fetch, onProgress: report });
    });
  } finally {
    scope.dispose();
  }
}
