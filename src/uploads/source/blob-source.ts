import { bytesChanged } from './bytes-changed.ts';
import type { Source } from './source.ts';

/** In bytes. Slices are read because some runtimes keep everything that `blob.stream()` has delivered. */
const SLICE_BYTES = 1_048_576;

export function blobSource(blob: Blob): Source {
  return {
    size: blob.size,
    name: 'name' in blob && typeof blob.name === 'string' ? blob.name : undefined,
    type: blob.type || undefined,
    body: blob,
    async *read() {
      for (let start = 0; start < blob.size; start += SLICE_BYTES) {
        yield new Uint8Array(await blob.slice(start, start + SLICE_BYTES).arrayBuffer());
      }
    },
    async checkUnchanged() {
      try {
        await blob.slice(0, 1).arrayBuffer();
      } catch (cause) {
        // A browser cannot read a file that has changed since the user selected it.
        throw bytesChanged('the file was modified, moved or deleted', cause);
      }
    },
  };
}
