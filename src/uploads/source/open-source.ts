import { ConfigurationError } from '../../errors.ts';
import type { UploadFile, UploadStream } from '../options.ts';
import { blobSource } from './blob-source.ts';
import { bytesOf } from './bytes.ts';
import { fileSource } from './file-source.ts';
import type { Source } from './source.ts';
import { streamSource } from './stream-source.ts';

/** @throws {ConfigurationError} for a value that is not a file. */
export async function openSource(file: UploadFile): Promise<Source> {
  if (typeof file === 'string') return fileSource(file);
  const bytes = bytesOf(file);
  if (bytes) return bytesSource(bytes);
  const object = file as Blob | UploadStream;
  if (isBlob(object)) return blobSource(object);
  if (typeof object?.open === 'function') return streamSource(object);
  throw new ConfigurationError(
    'file must be a path, a Blob or File, an ArrayBuffer or Uint8Array, or { size, open } whose open() returns a stream.',
  );
}

function bytesSource(bytes: Uint8Array<ArrayBuffer>): Source {
  return {
    size: bytes.length,
    body: bytes,
    async *read() {
      yield bytes;
    },
  };
}

/** Not `instanceof`: the Blob may come from another frame of the page. */
function isBlob(file: Blob | UploadStream): file is Blob {
  return typeof (file as Blob | undefined)?.slice === 'function' && typeof (file as Blob).stream === 'function';
}
